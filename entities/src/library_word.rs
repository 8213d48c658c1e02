//! Words that occur or occurred in an account's library, for spelling correction of queries.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_word")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Folded word.
    #[sea_orm(primary_key, auto_increment = false)]
    pub word: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the words of an account's library.");

impl ActiveModelBehavior for ActiveModel {}

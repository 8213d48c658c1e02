//! Every word that an account's library has or had, for the spelling of queries.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `library_word`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_word")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The word, folded.
    #[sea_orm(primary_key, auto_increment = false)]
    pub word: String,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The words of an account's library.");

impl ActiveModelBehavior for ActiveModel {}

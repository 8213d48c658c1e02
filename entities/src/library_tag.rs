//! Tags of an account in their display spelling.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_tag")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Case-folded tag, used as key.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
    /// Spelling of the first use.
    pub name: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the tags of an account.");

impl ActiveModelBehavior for ActiveModel {}

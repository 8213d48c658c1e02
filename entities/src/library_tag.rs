//! How an account spells a tag.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `library_tag`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_tag")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The tag without case: what it is known by.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
    /// As it was first written.
    pub name: String,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The tags of an account.");

impl ActiveModelBehavior for ActiveModel {}

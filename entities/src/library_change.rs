//! Ordered change log of a library: one row per object, with its last change.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_change")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Increases with each change in the account's library.
    pub sequence: i64,
    pub updated_at: i64,
    /// True if the last change was the deletion of the object.
    pub is_deleted: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the changes of an account's library.");

impl ActiveModelBehavior for ActiveModel {}

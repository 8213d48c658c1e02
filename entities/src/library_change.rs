//! The ordered log of a library: one row an object, with its last change.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

/// One row of `library_change`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_change")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The object.
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Rises with each change of the account's library.
    pub sequence: i64,
    /// When it changed.
    pub updated_at: i64,
    /// The change was its end.
    pub is_deleted: bool,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The changes of an account's library.");

impl ActiveModelBehavior for ActiveModel {}

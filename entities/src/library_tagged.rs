//! Which objects have which tags.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

/// One row of `library_tagged`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_tagged")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The object.
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    /// The tag.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Its place among the object's tags.
    pub position: i16,
    /// When the item was saved; 0 for other objects.
    pub saved_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The tags of an account's objects.");

impl ActiveModelBehavior for ActiveModel {}

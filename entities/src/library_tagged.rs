//! Assignments of tags to objects.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_tagged")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tag_key: String,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Position among the object's tags.
    pub position: i16,
    /// Time at which the item was saved; 0 for other objects.
    pub saved_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the tag assignments of an account.");

impl ActiveModelBehavior for ActiveModel {}

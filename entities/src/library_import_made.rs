//! Objects created by imports, so that an import can be undone.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId, ObjectId};
use crate::library_words::ObjectKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_import_made")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: ImportId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    pub account_id: AccountId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Hash of the editable fields at creation. If the current hash differs, a person has changed the object.
    pub mark: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the objects that an account's imports created.");

impl ActiveModelBehavior for ActiveModel {}

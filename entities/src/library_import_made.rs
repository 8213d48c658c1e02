//! What imports made, so that it can be taken back.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ImportId, ObjectId};
use crate::library_words::ObjectKind;

/// One row of `library_import_made`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_import_made")]
pub struct Model {
    /// The import.
    #[sea_orm(primary_key, auto_increment = false)]
    pub import_id: ImportId,
    /// The object.
    #[sea_orm(primary_key, auto_increment = false)]
    pub object_id: ObjectId,
    /// The owner.
    pub account_id: AccountId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// What a person may change of it, as a hash of how it was made.
    pub mark: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("What the imports of an account made.");

impl ActiveModelBehavior for ActiveModel {}

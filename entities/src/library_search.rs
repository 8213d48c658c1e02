//! Search index rows of library objects. The words themselves are written with raw SQL.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_search")]
pub struct Model {
    /// Increases in the order in which objects are created, so that the newest object has the highest id.
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: AccountId,
    pub object_id: ObjectId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Index of the row among the rows of the object, from 0. Only a long text has several rows.
    pub part: i32,
    /// Number of occurrences of each word.
    pub counts: Vec<u8>,
    /// Hashes of the object's words in text order. Empty in all parts except part 0. Null in rows that an
    /// earlier version wrote.
    pub word_order: Option<Vec<u8>>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the search rows of an account's objects.");

impl ActiveModelBehavior for ActiveModel {}

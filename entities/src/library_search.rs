//! What searches find of an object; the words themselves are written by hand.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ObjectId};
use crate::library_words::ObjectKind;

/// One row of `library_search`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_search")]
pub struct Model {
    /// Rises with the age of objects: the newest has the highest.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The owner.
    pub account_id: AccountId,
    /// The object.
    pub object_id: ObjectId,
    /// `item`, `note` or `highlight`.
    pub kind: ObjectKind,
    /// Which of several rows of a long text.
    pub part: i32,
    /// How often each word stands in the text.
    pub counts: Vec<u8>,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The search rows of an account's objects.");

impl ActiveModelBehavior for ActiveModel {}

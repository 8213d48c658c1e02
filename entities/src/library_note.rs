//! Notes of a library. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId, NoteId};

/// One row of `library_note`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_note")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: NoteId,
    /// The owner.
    pub account_id: AccountId,
    /// Its number in the log of changes.
    pub sequence: i64,
    /// The item that it is about.
    pub item_id: Option<ItemId>,
    /// The item that it was about until that was deleted.
    pub detached_from: Option<ItemId>,
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
    /// The id that a client gave it.
    pub external_id: Option<String>,
    /// What it counts in the account's storage.
    pub stored_bytes: i64,
    /// When it was made.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The notes of an account.");

impl ActiveModelBehavior for ActiveModel {}

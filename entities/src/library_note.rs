//! Notes of a library. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId, NoteId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_note")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: NoteId,
    pub account_id: AccountId,
    /// Sequence number in the account's change log.
    pub sequence: i64,
    /// Item to which the note belongs.
    pub item_id: Option<ItemId>,
    /// Item to which the note belonged until that item was deleted.
    pub detached_from: Option<ItemId>,
    pub title: Option<String>,
    pub text: String,
    /// Id assigned by a client.
    pub external_id: Option<String>,
    /// Bytes counted towards the account's storage quota.
    pub stored_bytes: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the notes of an account.");

impl ActiveModelBehavior for ActiveModel {}

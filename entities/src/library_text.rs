//! The text of an item: its own copy, never shared.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::TextOrigin;

/// One row of `library_text`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_text")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The item.
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// The document: JSON, compressed with zstd.
    pub document: Vec<u8>,
    /// Bytes of the text alone.
    pub text_bytes: i64,
    /// `fetched`, `supplied` or `file`.
    pub origin: TextOrigin,
    /// The URL that answered, for a fetched text.
    pub final_url: Option<String>,
    /// When the text was made.
    pub cached_at: i64,
}

/// What it belongs to is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The texts of an account's items.");

impl ActiveModelBehavior for ActiveModel {}

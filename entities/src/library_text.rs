//! Texts of items. Each item has its own copy, which is never shared.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ItemId};
use crate::library_words::TextOrigin;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_text")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub item_id: ItemId,
    /// Document as JSON, compressed with zstd.
    pub document: Vec<u8>,
    /// Size of the text alone, in bytes.
    pub text_bytes: i64,
    /// `fetched`, `supplied` or `file`.
    pub origin: TextOrigin,
    /// URL after redirects, for a fetched text.
    pub final_url: Option<String>,
    /// Time at which the text was created.
    pub cached_at: i64,
    /// Beginning of the text on one line. Null for a text that was stored by an earlier version.
    pub excerpt: Option<String>,
    /// URL of the first picture.
    pub picture_url: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the texts of an account's items.");

impl ActiveModelBehavior for ActiveModel {}

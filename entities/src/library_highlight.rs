//! Highlights of a library. Times are milliseconds since the Unix epoch; offsets count code points.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, HighlightId, ItemId};
use crate::library_words::{AnchorStatus, HighlightColor};

/// One row of `library_highlight`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_highlight")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: HighlightId,
    /// The owner.
    pub account_id: AccountId,
    /// Its number in the log of changes.
    pub sequence: i64,
    /// The item that it stands in.
    pub item_id: Option<ItemId>,
    /// The item that it stood in until that was deleted.
    pub detached_from: Option<ItemId>,
    /// The title of the deleted item.
    pub item_title: Option<String>,
    /// The URL of the deleted item.
    pub source_url: Option<String>,
    /// The words that were marked; never changed.
    pub quote: String,
    /// What stood before them.
    pub prefix: String,
    /// What stood behind them.
    pub suffix: String,
    /// The block in which the client saw them.
    pub hint: Option<i32>,
    /// What the person wrote to them.
    pub note: Option<String>,
    /// A colour.
    pub color: HighlightColor,
    /// The block where they begin.
    pub anchor: Option<i32>,
    /// The block where they end.
    pub end_anchor: Option<i32>,
    /// Where they begin in the text.
    pub start_offset: Option<i32>,
    /// Where they end in the text.
    pub end_offset: Option<i32>,
    /// The page, where the text has pages.
    pub page: Option<i32>,
    /// `exact`, `moved` or `orphaned`.
    pub anchor_status: AnchorStatus,
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

crate::owned!("The highlights of an account.");

impl ActiveModelBehavior for ActiveModel {}

//! Highlights of a library. Times are milliseconds since the Unix epoch; offsets count code points.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, HighlightId, ItemId};
use crate::library_words::{AnchorStatus, HighlightColor};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "library_highlight")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: HighlightId,
    pub account_id: AccountId,
    /// Sequence number in the account's change log.
    pub sequence: i64,
    /// Item that contains the highlight.
    pub item_id: Option<ItemId>,
    /// Item that contained the highlight until it was deleted.
    pub detached_from: Option<ItemId>,
    /// Title of the deleted item.
    pub item_title: Option<String>,
    /// URL of the deleted item.
    pub source_url: Option<String>,
    /// Highlighted text; never changes. For a picture: its caption, else its alternative text, else the name of its
    /// file.
    pub quote: String,
    /// URL of the highlighted picture. Null if the highlight is a passage.
    pub picture_url: Option<String>,
    /// Alternative text of the picture. Null if it has none.
    pub picture_alt: Option<String>,
    /// Text before the highlight.
    pub prefix: String,
    /// Text after the highlight.
    pub suffix: String,
    /// Anchor of the block in which the client located the highlight.
    pub hint: Option<i32>,
    /// Note written by the person.
    pub note: Option<String>,
    pub color: HighlightColor,
    /// Anchor of the block in which the highlight begins.
    pub anchor: Option<i32>,
    /// Anchor of the last block of the highlight.
    pub end_anchor: Option<i32>,
    /// Start of the highlight in the text.
    pub start_offset: Option<i32>,
    /// End of the highlight in the text.
    pub end_offset: Option<i32>,
    /// Page number, if the text has pages.
    pub page: Option<i32>,
    /// `exact`, `moved` or `orphaned`.
    pub anchor_status: AnchorStatus,
    /// Id assigned by a client.
    pub external_id: Option<String>,
    /// Local day on which the highlight is due for review, in days since 1970-01-01. Null if it is excluded from
    /// reviews.
    pub review_day: Option<i32>,
    /// Index of the interval of the last review.
    pub review_step: i16,
    /// Card for reviews as JSON. Null if the highlight has none.
    pub card: Option<String>,
    /// Bytes counted towards the account's storage quota.
    pub stored_bytes: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the highlights of an account.");

impl ActiveModelBehavior for ActiveModel {}

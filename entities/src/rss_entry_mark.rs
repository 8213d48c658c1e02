//! Entries whose read state differs from what the watermark of their subscription says.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, RuleId};

/// One row of `rss_entry_mark`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_entry_mark")]
pub struct Model {
    /// The owner.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// The entry's feed.
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    /// The entry.
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// Unread, or read.
    pub unread: bool,
    /// The rule that hides the entry.
    pub muted_by: Option<RuleId>,
}

/// Owner, feed and entry are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The marks of an account.");

impl ActiveModelBehavior for ActiveModel {}

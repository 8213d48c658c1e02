//! Entries whose read state differs from the watermark of their subscription.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, EntryId, FeedId, RuleId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_entry_mark")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Feed of the entry.
    #[sea_orm(primary_key, auto_increment = false)]
    pub feed_id: FeedId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub entry_id: EntryId,
    /// True if unread, false if read.
    pub unread: bool,
    /// Rule that hides the entry.
    pub muted_by: Option<RuleId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the entry marks of an account.");

impl ActiveModelBehavior for ActiveModel {}

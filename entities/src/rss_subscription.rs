//! Subscriptions of accounts to feeds. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CollectionId, EntryId, FeedId, SubscriptionId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rss_subscription")]
#[expect(clippy::struct_excessive_bools, reason = "each field is a column")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: SubscriptionId,
    pub account_id: AccountId,
    pub feed_id: FeedId,
    /// Collection of the subscription. A subscription is in exactly one collection.
    pub collection_id: CollectionId,
    /// Title set by the owner.
    pub title: Option<String>,
    /// Fixed poll interval. Null for an adaptive interval.
    pub interval_minutes: Option<i32>,
    /// True if entries show the article text instead of the feed's summary.
    pub full_text: bool,
    /// Entries up to this id are read unless marked otherwise.
    pub read_through: EntryId,
    pub created_at: i64,
    /// URL of the feed's page in the list from which the subscription was imported.
    pub site_url: Option<String>,
    /// Feed from which the subscription was moved.
    pub moved_from_id: Option<FeedId>,
    pub moved_at: Option<i64>,
    /// Feed to which the subscription is not moved again, because the owner undid that move.
    pub declined_feed_id: Option<FeedId>,
    /// Sequence number of the feed event log when the feed was followed. Only events after it are visible.
    pub followed_sequence: i64,
    /// CSS selector of the text in article pages. Null for the main part of each page.
    pub text_selector: Option<String>,
    /// Days after which unread entries count as read. 0 for never; null for the setting of the collection.
    pub read_after_days: Option<i32>,
    /// True if clicking an entry in a list opens the publisher's page.
    pub show_original: bool,
    /// Text form of the CSS selectors of parts that are removed from the text. Null if there are none.
    pub text_removals: Option<String>,
    /// True if the pages of articles are rendered in a browser before their text is read.
    pub render_articles: bool,
    /// Ids of the channels that are notified of new entries, as a JSON list. They are the channels of the collection,
    /// unless the subscription has its own.
    pub notify: String,
    /// True if the subscription has its own channels.
    pub own_notify: bool,
    /// Entry up to which these channels were notified.
    pub notified_through: EntryId,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the subscriptions of an account.");

impl ActiveModelBehavior for ActiveModel {}

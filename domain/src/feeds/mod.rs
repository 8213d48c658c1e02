//! Feeds: what accounts follow, what arrives, what they have read, and how servers are asked.
//!
//! A feed is one row for all accounts: one poll serves everybody who follows it. An entry is one row
//! too; what an account has read is a watermark in its subscription, and marks for the entries that
//! differ from it, so that unread counts are counted, never kept, and cannot be wrong.

mod arrivals;
mod checks;
mod collections;
mod counts;
mod demand;
mod discovery;
mod due;
mod entries;
mod find;
pub mod hubs;
mod lists;
mod merge;
mod moves;
mod outcome;
mod poll;
pub(crate) mod pushed;
mod read_state;
mod request_follow;
mod reschedule;
mod retention;
mod rows;
pub(crate) mod schedule;
mod store;
mod subscriptions;

use collections::ensure_unsorted;
pub use collections::{
    Collection, NewCollection, UpdateCollection, create_collection, delete_collection, list_collections,
    update_collection,
};
pub(crate) use counts::{count_collections, count_subscriptions};
pub use discovery::{FoundFeed, discover};
pub use due::{Claim, claim_batch, claim_due, split_batch};
pub use entries::{Content, Entry, EntryFilter, EntryPage, Order, get_entry, list_entries};
pub use find::{PendingFeeds, request_discovery};
pub use lists::{Imported, export_list, import_list};
pub use poll::poll_batch;
pub use read_state::{MarkRead, Scope, mark_entries, mark_read};
pub use request_follow::{PendingFollow, SiteFollowed, request_follow};
pub(crate) use reschedule::apply_plan;
pub use retention::delete_unfollowed;
pub use subscriptions::{
    Change, Follow, Followed, Subscription, SubscriptionPage, follow, get_subscription, list_subscriptions,
    refresh, unfollow, update_subscription,
};

/// Whose the collection is and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// Made by the person.
    Custom,
    /// The one for feeds that lie nowhere else.
    Unsorted,
}

impl CollectionKind {
    /// The word on the wire and in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Custom => "custom",
            Self::Unsorted => "unsorted",
        }
    }

    fn parse(word: &str) -> Self {
        if word == "unsorted" { Self::Unsorted } else { Self::Custom }
    }
}

#[cfg(test)]
mod tests;

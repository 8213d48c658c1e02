//! Feeds: what accounts follow, what arrives, what they have read, and how servers are asked.
//!
//! A feed is one row for all accounts: one poll serves everybody who follows it. An entry is one row
//! too; what an account has read is a watermark in its subscription, and marks for the entries that
//! differ from it, so that unread counts are counted, never kept, and cannot be wrong.

mod checks;
mod collections;
mod discovery;
mod due;
mod entries;
mod find;
pub mod hubs;
mod ingest;
mod merge;
mod opml;
mod outcome;
mod poll;
pub(crate) mod pushed;
mod read_state;
mod redirects;
mod request_follow;
mod reschedule;
mod retention;
mod rows;
pub(crate) mod schedule;
mod store;
mod subscribers;
mod subscriptions;
mod usage;

pub use collections::{
    Collection, CollectionKind, NewCollection, UpdateCollection, create_collection, delete_collection,
    list_collections, update_collection,
};
pub use discovery::{FoundFeed, discover};
pub use due::{Claim, claim_batch, claim_due, split_batch};
pub use entries::{Content, Entry, EntryFilter, EntryPage, Order, get_entry, list_entries};
pub use find::{PendingFeeds, request_discovery};
pub use opml::{Imported, export_list, import_list};
pub use poll::poll_batch;
pub use read_state::{MarkRead, ReadScope, mark_entries, mark_read};
pub use request_follow::{PendingFollow, SiteFollowed, request_follow};
pub(crate) use reschedule::apply_plan;
pub use retention::delete_unfollowed;
pub use subscriptions::{
    Follow, Followed, Subscription, SubscriptionPage, SubscriptionUpdate, follow, get_subscription,
    list_subscriptions, refresh, unfollow, update_subscription,
};
pub(crate) use usage::{count_collections, count_subscriptions};

#[cfg(test)]
mod tests;

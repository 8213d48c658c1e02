//! Feeds: what arrived and is unread, entry by entry; what is followed, how it fares and how it is changed; and lists of
//! feeds in and out.

pub(super) mod actions;
pub(super) mod collections;
pub(super) mod entry;
mod extent;
pub(super) mod follow;
pub(super) mod import;
pub(super) mod list;
pub(super) mod opml;
pub(super) mod rows;
mod rule_fields;
pub(super) mod rules;
mod side;
pub(super) mod subscription;
pub(super) mod subscriptions;

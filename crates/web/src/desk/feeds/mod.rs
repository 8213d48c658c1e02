//! Feeds: entries and their lists; subscriptions with their health and settings; import and export of feed
//! lists.

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

//! Feeds: entries and their lists, subscriptions with their health and settings, and import and export of
//! feed lists.

pub(super) mod actions;
pub(super) mod briefing;
pub(super) mod collections;
pub(super) mod entry;
pub(super) mod entry_list;
pub(super) mod entry_question;
pub(super) mod entry_rows;
mod entry_scope;
pub(super) mod entry_stream;
pub(super) mod episode;
mod feed_pictures;
pub(super) mod follow;
pub(super) mod import;
pub(super) mod new_entries;
pub(super) mod opml;
mod request_input;
pub(super) mod rewrites;
mod rule_fields;
pub(super) mod rules;
mod sidebar;
pub(super) mod statistics;
pub(super) mod subscription;
pub(super) mod subscriptions;

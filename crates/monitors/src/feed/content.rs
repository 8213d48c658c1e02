//! Input of the feed writers.

use uuid::Uuid;

use super::super::render::FeedItem;
use kernel::Millis;

pub(super) struct FeedContent<'a> {
    /// Name of the monitor or of the group.
    pub(super) title: &'a str,
    /// Address of the monitored source, or of the page of the group.
    pub(super) site_url: &'a str,
    /// Address of the feed in this format.
    pub(super) self_url: &'a str,
    /// One-line description of the feed.
    pub(super) about: &'a str,
    /// Identifies the feed, whatever its address.
    pub(super) id: Uuid,
    /// Minutes between two runs.
    pub(super) interval_minutes: u32,
    pub(super) updated_at: Millis,
    /// Newest first.
    pub(super) items: &'a [FeedItem],
}

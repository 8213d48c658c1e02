//! Input of the feed writers.

use uuid::Uuid;

use super::super::render::FeedItem;
use kernel::Millis;

/// Media type of the screenshot of an item.
pub(super) const PICTURE_TYPE: &str = "image/png";

pub(super) struct FeedContent<'a> {
    /// Name of the monitor or of the group.
    pub(super) title: &'a str,
    /// URL of the monitored source, or of the page of the group.
    pub(super) site_url: &'a str,
    /// URL of the feed in this format.
    pub(super) self_url: &'a str,
    /// Description of the feed on one line.
    pub(super) about: &'a str,
    /// Id of the feed, which does not depend on its URL.
    pub(super) id: Uuid,
    /// Interval between two runs, in minutes.
    pub(super) interval_minutes: u32,
    pub(super) updated_at: Millis,
    /// Items, the newest first.
    pub(super) items: &'a [FeedItem],
}

//! Input of the feed writers.

use uuid::Uuid;

use super::super::render::FeedItem;
use kernel::Millis;

/// Media type of the screenshot of an item.
pub(super) const SCREENSHOT_TYPE: &str = "image/png";

/// Content of a feed that Carrel publishes.
#[derive(Clone, Copy, Debug)]
pub struct FeedContent<'a> {
    /// Name of the monitor, the group, or the tag.
    pub title: &'a str,
    /// URL of the monitored source, or of the public page.
    pub site_url: &'a str,
    /// URL of the feed in this format.
    pub self_url: &'a str,
    /// Description of the feed on one line.
    pub about: &'a str,
    /// Id of the feed, which does not depend on its URL.
    pub id: Uuid,
    /// Interval after which clients poll again, in minutes: the interval between two runs of a monitor.
    pub interval_minutes: u32,
    pub updated_at: Millis,
    /// Items, the newest first.
    pub items: &'a [FeedItem],
}

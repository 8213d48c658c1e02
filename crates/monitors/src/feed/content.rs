//! What the writers of the three forms write.

use entities::ids::MonitorId;

use super::super::render::Item;
use kernel::clock::Millis;

/// What the three writers write.
pub(super) struct Content<'a> {
    /// The monitor's name.
    pub(super) title: &'a str,
    /// What is watched.
    pub(super) site_url: &'a str,
    /// Where this form is found.
    pub(super) self_url: &'a str,
    /// One line about the feed.
    pub(super) about: &'a str,
    /// Stands for the feed, whatever its address.
    pub(super) id: MonitorId,
    /// Between two of its runs.
    pub(super) interval_minutes: u32,
    pub(super) updated_at: Millis,
    /// Newest first.
    pub(super) items: &'a [Item],
}

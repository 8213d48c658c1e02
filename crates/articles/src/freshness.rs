//! Freshness bounds for cached results.

use kernel::Millis;
use kernel::clock::HOUR;

/// Conditions under which a cached text or failure is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// Maximum age, in milliseconds, since the text was last confirmed. 0 requires a new download.
    pub max_age_ms: Millis,
    /// Handling of a failure that occurred within the last minute.
    pub failures: RecentFailures,
}

/// Handling of a failure that occurred within the last minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecentFailures {
    /// The failure is returned without another fetch.
    Returned,
    /// The source is fetched again.
    Retried,
}

impl Freshness {
    /// Default for accounts: accepts a text that is at most one hour old.
    pub const HOUR: Self = Self { max_age_ms: HOUR, failures: RecentFailures::Returned };

    /// Accepts a text that is at most `seconds` old, and a failure that occurred within the last minute. If `seconds`
    /// is 0, a new download is required.
    pub fn seconds(seconds: u32) -> Self {
        let failures = if seconds == 0 { RecentFailures::Retried } else { RecentFailures::Returned };
        Self { max_age_ms: Millis::from(seconds) * 1000, failures }
    }

    /// Returns whether a text that was confirmed at `checked_at` is fresh enough.
    pub(super) fn accepts(self, checked_at: Millis, now: Millis) -> bool {
        self.max_age_ms > 0 && now - checked_at <= self.max_age_ms
    }
}

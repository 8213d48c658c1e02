//! Freshness bounds of cached answers.

use kernel::Millis;

/// Condition for accepting a cached answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// Maximum age in milliseconds since the text was last confirmed; 0 requests a new download.
    pub max_age_ms: Millis,
    /// Handling of a failure in the last minute.
    pub failures: RecentFailures,
}

/// Handling of a recent failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecentFailures {
    /// A failure of the last minute is returned without another fetch.
    Returned,
    /// The source is fetched again.
    Retried,
}

impl Freshness {
    /// Default of accounts: at most one hour old.
    pub const HOUR: Self = Self { max_age_ms: 3_600_000, failures: RecentFailures::Returned };

    /// Accepts a text that is at most `seconds` old, and a failure in the last minute. If `seconds` is 0, a
    /// new download is required.
    pub fn seconds(seconds: u32) -> Self {
        let failures = if seconds == 0 { RecentFailures::Retried } else { RecentFailures::Returned };
        Self { max_age_ms: Millis::from(seconds) * 1000, failures }
    }

    /// Returns whether a text that was confirmed at `checked_at` is fresh enough.
    pub(super) fn accepts(self, checked_at: Millis, now: Millis) -> bool {
        self.max_age_ms > 0 && now - checked_at <= self.max_age_ms
    }
}

//! Freshness bounds for cached results.

use kernel::Millis;
use kernel::clock::{HOUR, MINUTE};

/// Maximum time by which the clock of another machine may be ahead. A time further ahead was stored while a clock was wrong.
const MAX_CLOCK_SKEW: Millis = MINUTE;

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
        self.max_age_ms > 0 && is_within(checked_at, now, self.max_age_ms)
    }
}

/// Returns whether `at` is at most `max_age_ms` ago, and at most [`MAX_CLOCK_SKEW`] in the future.
pub(super) fn is_within(at: Millis, now: Millis, max_age_ms: Millis) -> bool {
    (-MAX_CLOCK_SKEW..=max_age_ms).contains(&now.saturating_sub(at))
}

#[cfg(test)]
mod tests {
    use kernel::clock::DAY;
    use kernel::testing::START;

    use super::*;

    #[test]
    fn text_from_the_future_is_stale_except_within_the_clock_skew() {
        let minute = Freshness::seconds(60);
        let cases = [
            (START - MINUTE - 1, false),
            (START - MINUTE, true),
            (START + MAX_CLOCK_SKEW, true),
            (START + MAX_CLOCK_SKEW + 1, false),
            (START + 40 * DAY, false),
        ];
        for (checked_at, fresh) in cases {
            assert_eq!(minute.accepts(checked_at, START), fresh, "{checked_at}");
        }
        assert!(!Freshness::seconds(0).accepts(START, START));
    }
}

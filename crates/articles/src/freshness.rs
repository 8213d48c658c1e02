//! How old an answer may be.

use kernel::clock::Millis;

/// Which kept answers are good enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Freshness {
    /// A text confirmed at most this many milliseconds ago will do; 0 asks for a new one.
    pub max_age_ms: Millis,
    /// Whether a failure of the last minute will do as well.
    pub failures: KeptFailures,
}

/// Whether a recent failure is an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptFailures {
    /// A failure of the last minute is told again without asking the source.
    Told,
    /// The source is asked again.
    Retried,
}

impl Freshness {
    /// A copy of at most an hour will do: what an account gets without saying more.
    pub const HOUR: Self = Self { max_age_ms: 3_600_000, failures: KeptFailures::Told };

    /// A copy of at most `seconds` will do; so will a failure of the last minute, unless a new copy is asked for.
    pub fn seconds(seconds: u32) -> Self {
        let failures = if seconds == 0 { KeptFailures::Retried } else { KeptFailures::Told };
        Self { max_age_ms: Millis::from(seconds) * 1000, failures }
    }

    /// Whether a text that was confirmed at `checked_at` will do.
    pub(super) fn accepts(self, checked_at: Millis, now: Millis) -> bool {
        self.max_age_ms > 0 && now - checked_at <= self.max_age_ms
    }
}

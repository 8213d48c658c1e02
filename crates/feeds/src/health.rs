//! Health of a followed source: whether its server responds, and whether it publishes new entries.

use super::source_kind::INTERNAL_KINDS;
use kernel::Millis;
use kernel::clock::{DAY, HOUR};

/// Minimum number of consecutive failures after which a source is failing.
const MIN_FAILURES: i32 = 3;
/// Minimum time, in milliseconds, that these failures must span.
const FAILING_MS: Millis = 6 * HOUR;
/// Time without a new entry, in milliseconds, after which a feed is stale, unless it publishes rarely.
const STALE_MS: Millis = 30 * DAY;
/// Number of usual publication intervals without a new entry after which a feed that publishes rarely is
/// stale.
const STALE_GAPS: i64 = 5;

/// Health of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// The server responds.
    Ok,
    /// At least three consecutive failures over at least six hours.
    Failing,
    /// The server responds, but the source has had no new entry for a long time.
    Stale,
    /// The source was never fetched successfully.
    Never,
}

impl Health {
    pub const ALL: &'static [Self] = &[Self::Ok, Self::Failing, Self::Stale, Self::Never];

    /// Value in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failing => "failing",
            Self::Stale => "stale",
            Self::Never => "never",
        }
    }

    /// Parses a value of [`expression`].
    pub(super) fn parse(word: &str) -> Self {
        Self::ALL.iter().copied().find(|health| health.as_str() == word).unwrap_or(Self::Ok)
    }
}

/// Returns true if this number of consecutive failures since `since` makes a source failing.
pub fn is_failing(failures: i32, since: Millis, now: Millis) -> bool {
    failures >= MIN_FAILURES && now - since >= FAILING_MS
}

/// Returns an SQL expression for the health of feed `f` at time `now`. An internal feed without new entries is
/// never stale.
pub(super) fn expression(now: Millis) -> String {
    format!(
        "CASE WHEN f.is_failing THEN 'failing' WHEN f.last_fetched_at IS NULL THEN 'never' \
         WHEN COALESCE(f.kind, '') NOT IN ({INTERNAL_KINDS}) AND COALESCE(f.last_new_at, f.created_at) + \
         (CASE WHEN COALESCE(f.gap_ms, 0) * {STALE_GAPS} > {STALE_MS} THEN f.gap_ms * {STALE_GAPS} ELSE {STALE_MS} END) \
         < {now} THEN 'stale' ELSE 'ok' END"
    )
}

//! How a followed source fares: whether it answers, and whether it has anything new to say.

use super::source_kind::SourceKind;
use kernel::clock::{DAY, HOUR, Millis};

/// Looks in a row without an answer, and the time that they span, after which a source fails.
const FAILURES: i32 = 3;
const FAILING_MS: Millis = 6 * HOUR;
/// A feed without a new entry for so long is stale, unless it is a slow one.
const STALE_MS: Millis = 30 * DAY;
/// A slow one is stale after so many of its usual gaps.
const STALE_GAPS: i64 = 5;

/// How a source fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// It answers.
    Ok,
    /// It has not answered three times in a row and for six hours.
    Failing,
    /// It answers, and has had nothing new for a long time.
    Stale,
    /// It has not answered yet.
    Never,
}

impl Health {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Ok, Self::Failing, Self::Stale, Self::Never];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failing => "failing",
            Self::Stale => "stale",
            Self::Never => "never",
        }
    }

    /// The health of a word of [`expression`].
    pub(super) fn parse(word: &str) -> Self {
        Self::ALL.iter().copied().find(|health| health.as_str() == word).unwrap_or(Self::Ok)
    }
}

/// Whether what has failed so often in a row, since then, is told as failing.
pub fn is_failing(failures: i32, since: Millis, now: Millis) -> bool {
    failures >= FAILURES && now - since >= FAILING_MS
}

/// The word of the health of feed `f` at a time. A monitor without changes is none the worse for it.
pub(super) fn expression(now: Millis) -> String {
    let monitor = SourceKind::Monitor.as_str();
    format!(
        "CASE WHEN f.is_failing THEN 'failing' WHEN f.last_fetched_at IS NULL THEN 'never' \
         WHEN COALESCE(f.kind, '') <> '{monitor}' AND COALESCE(f.last_new_at, f.created_at) + \
         (CASE WHEN COALESCE(f.gap_ms, 0) * {STALE_GAPS} > {STALE_MS} THEN f.gap_ms * {STALE_GAPS} ELSE {STALE_MS} END) \
         < {now} THEN 'stale' ELSE 'ok' END"
    )
}

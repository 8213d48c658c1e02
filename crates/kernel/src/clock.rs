//! The clock of the product. All code reads the time from the [`Domain`](crate::Domain) handle, so that a test can stop
//! the clock or move it a month ahead. Leases and due times of jobs are exceptions: they use the database's clock,
//! because several machines compare them.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Datelike, SecondsFormat, Utc};

/// Milliseconds since 1970-01-01T00:00:00Z; the format in which every time is stored.
pub type Millis = i64;

pub const SECOND: Millis = 1_000;
pub const MINUTE: Millis = 60 * SECOND;
pub const HOUR: Millis = 60 * MINUTE;
/// Milliseconds in a day of 24 hours.
pub const DAY: Millis = 24 * HOUR;
/// A stored time of an event that is further in the future was written by a wrong clock, and may be reset. Clocks of
/// machines differ by less.
pub const FUTURE_LIMIT: Millis = HOUR;

/// Day in the time zone of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalDay {
    /// Days since 1970-01-01.
    pub number: i32,
    pub begins_at: Millis,
}

/// Source of the current time.
pub trait Clock: Send + Sync + 'static {
    /// Current time in milliseconds since the Unix epoch (UTC).
    fn now(&self) -> Millis;

    /// True if this clock is the real time of the machine, not a simulated one.
    fn is_real(&self) -> bool {
        true
    }
}

/// System clock of the machine.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only access to the system clock")]
    fn now(&self) -> Millis {
        Utc::now().timestamp_millis()
    }
}

/// Clock that moves only when advanced. For tests and simulated time.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// Creates a clock at `now` milliseconds since the epoch.
    pub fn at(now: Millis) -> Self {
        Self(AtomicI64::new(now))
    }

    /// Moves the clock forward by `millis`, or back if negative.
    pub fn advance(&self, millis: Millis) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Millis {
        self.0.load(Ordering::SeqCst)
    }

    fn is_real(&self) -> bool {
        false
    }
}

/// Parses a time in the format of the API. `None` for any other text.
pub fn millis_of_rfc3339(text: &str) -> Option<Millis> {
    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_millis())
}

/// Formats a time as the API does: RFC 3339, UTC, milliseconds, `Z`.
pub fn rfc3339(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at)
        .unwrap_or(DateTime::UNIX_EPOCH)
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Formats the UTC date in words: `1 December 2026`.
pub fn day_in_words(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH).format("%-d %B %Y").to_string()
}

/// Formats the UTC time to the minute in words: `1 December 2026, 14:05 UTC`.
pub fn minute_in_words(at: Millis) -> String {
    let time = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH);
    time.format("%-d %B %Y, %H:%M UTC").to_string()
}

/// Returns the starts of the same UTC day in the previous `years` years, the latest first. Years without this
/// day (29 February) are omitted.
pub fn same_day_of_previous_years(now: Millis, years: i32) -> Vec<Millis> {
    let today = DateTime::<Utc>::from_timestamp_millis(now).unwrap_or(DateTime::UNIX_EPOCH).date_naive();
    let starts = (1..=years).filter_map(|back| today.with_year(today.year() - back));
    starts.filter_map(|day| Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis())).collect()
}

/// Converts a source's timestamp to the API's format: UTC with milliseconds and `Z`. A date without a time, and any
/// text that is not in RFC 3339 format, is returned unchanged.
pub fn source_time(text: &str) -> String {
    match DateTime::parse_from_rfc3339(text) {
        Ok(at) => rfc3339(at.timestamp_millis()),
        Err(_) => text.to_owned(),
    }
}

//! Time as the product sees it. Everything below asks the [`Domain`](crate::Domain) handle, so that
//! a test can stand still or move a month ahead. Leases and the due times of jobs are the exceptions: they go
//! by the database's own clock, because several machines compare them.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, SecondsFormat, Utc};

/// Milliseconds since 1970-01-01T00:00:00Z, the form in which every time is stored.
pub type Millis = i64;

/// A second.
pub const SECOND: Millis = 1_000;
/// A minute.
pub const MINUTE: Millis = 60 * SECOND;
/// An hour.
pub const HOUR: Millis = 60 * MINUTE;
/// A day of 24 hours.
pub const DAY: Millis = 24 * HOUR;

/// Where the present comes from.
pub trait Clock: Send + Sync + 'static {
    /// The present, in milliseconds since the Unix epoch (UTC).
    fn now(&self) -> Millis;

    /// Whether this is the time that passes everywhere, as far as the machine knows it, and no time of its own.
    fn is_real(&self) -> bool {
        true
    }
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the one door to the system clock")]
    fn now(&self) -> Millis {
        Utc::now().timestamp_millis()
    }
}

/// A clock that stands still until it is moved. For tests and for simulated time.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// Starts at `now` milliseconds since the epoch.
    pub fn at(now: Millis) -> Self {
        Self(AtomicI64::new(now))
    }

    /// Moves ahead (or back, with a negative number) by `millis`.
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

/// Writes a time as contract texts show it: RFC 3339, UTC, milliseconds, `Z`.
pub fn rfc3339(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at)
        .unwrap_or(DateTime::UNIX_EPOCH)
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// The UTC day of a time as people write it: `1 December 2026`.
pub fn day_in_words(at: Millis) -> String {
    DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH).format("%-d %B %Y").to_string()
}

/// The UTC minute of a time as people write it: `1 December 2026, 14:05 UTC`.
pub fn minute_in_words(at: Millis) -> String {
    let time = DateTime::<Utc>::from_timestamp_millis(at).unwrap_or(DateTime::UNIX_EPOCH);
    time.format("%-d %B %Y, %H:%M UTC").to_string()
}

/// A source's own time in the contract's form: UTC with milliseconds and `Z`; a bare date stays one, and what
/// is neither stays as it stands.
pub fn source_time(text: &str) -> String {
    match DateTime::parse_from_rfc3339(text) {
        Ok(at) => rfc3339(at.timestamp_millis()),
        Err(_) => text.to_owned(),
    }
}

//! Durations for advancing the clock, in milliseconds.

pub(crate) const SECOND: i64 = 1_000;
pub(crate) const MINUTE: i64 = 60 * SECOND;
pub(crate) const HOUR: i64 = 3_600 * SECOND;
pub(crate) const DAY: i64 = 24 * HOUR;

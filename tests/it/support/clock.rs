//! Words for moving the clock.

/// One second in the clock's milliseconds.
pub(crate) const SECOND: i64 = 1_000;
/// One minute in the clock's milliseconds.
pub(crate) const MINUTE: i64 = 60 * SECOND;
/// One hour in the clock's milliseconds.
pub(crate) const HOUR: i64 = 3_600 * SECOND;
/// One day in the clock's milliseconds.
pub(crate) const DAY: i64 = 24 * HOUR;

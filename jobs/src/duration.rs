//! Conversion of milliseconds, as used in settings and rows, to a `Duration`.

use std::time::Duration;

use kernel::Millis;

/// Converts `number` milliseconds to a `Duration`. Returns zero if the number is negative.
pub(crate) fn millis(number: Millis) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

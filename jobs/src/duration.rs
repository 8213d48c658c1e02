//! Converts milliseconds, as in settings and rows, to a `Duration`.

use std::time::Duration;

use kernel::Millis;

/// Duration of `number` milliseconds. Zero if the number is negative.
pub(crate) fn millis(number: Millis) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

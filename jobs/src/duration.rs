//! Durations from the numbers of settings and rows.

use std::time::Duration;

use kernel::Millis;

/// Duration of this many milliseconds. Zero for a negative number.
pub(crate) fn millis(number: Millis) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

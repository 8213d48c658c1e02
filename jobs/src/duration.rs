//! Durations from the numbers of settings and rows.

use std::time::Duration;

use kernel::Millis;

/// So many milliseconds; none for a number below nothing.
pub(crate) fn millis(number: Millis) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

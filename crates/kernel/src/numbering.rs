//! Numbers of logs. They rise by at least one, are given under the lock that commits of the log go by, so that nothing
//! appears behind a number that was seen, and are microseconds: they rise over a restore from an older copy, too.

use crate::clock::Millis;

/// The number behind `last`, at the time `now`.
pub fn next(last: i64, now: Millis) -> i64 {
    last.saturating_add(1).max(now.saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn numbers_rise_whatever_the_clock_says() {
        assert_eq!((next(0, 5), next(5000, 5), next(9000, 5)), (5000, 5001, 9001));
    }
}

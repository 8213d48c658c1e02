//! Sequence numbers of logs. They increase by at least one and are assigned under the lock that also orders
//! the log's commits, so that no entry appears behind a number that was already read. They are microseconds,
//! so that they keep increasing after a restore from an older copy.

use crate::clock::Millis;

/// The sequence number after `last`, at time `now`.
pub fn next(last: i64, now: Millis) -> i64 {
    last.saturating_add(1).max(now.saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn sequence_increases_even_if_the_clock_goes_back() {
        assert_eq!((next(0, 5), next(5000, 5), next(9000, 5)), (5000, 5001, 9001));
    }
}

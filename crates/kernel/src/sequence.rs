//! Sequence numbers of logs. They are assigned under the lock that also orders the log's commits, and each is greater
//! than the previous one. Therefore no entry is committed with a lower number than an entry that was already read. They
//! are based on the time in microseconds, so that they continue to increase after a restore from an older copy.

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

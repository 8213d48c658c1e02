//! Fair share of workers among callers, including those without an account. Unlike [`fair_share`](super::fair_share),
//! it is computed from the submissions of this process and not from the waiting rows, so it needs no query.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::fair_share::{STEP, next_due};
use super::kind::{JobKind, Priority};
use kernel::Millis;

/// Maximum delay. It bounds the delay of a caller whose earlier jobs have all completed.
const MAX_DELAY: Millis = 60 * STEP;
/// Number of stored shares at which expired shares are removed. The next removal is due when the number has
/// doubled.
const PRUNE_AT: usize = 4096;

/// Key of a caller's share: kind, priority level, and caller.
type CallerKey = (JobKind, Priority, String);

/// Due time of the last job per caller.
#[derive(Debug, Default)]
pub(super) struct CallerShares(Mutex<ShareState>);

#[derive(Debug, Default)]
struct ShareState {
    last: HashMap<CallerKey, Millis>,
    /// Number of shares after the last removal.
    pruned: usize,
}

impl CallerShares {
    /// Returns the due time of the caller's next job, or `None` if the job is due now.
    pub(super) fn next(&self, key: CallerKey, now: Millis) -> Option<Millis> {
        let mut shares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shares.last.len() >= PRUNE_AT.max(2 * shares.pruned) {
            shares.last.retain(|_, last| *last > now - STEP);
            shares.pruned = shares.last.len();
        }
        // If the clock was set back, the recorded time may lie far ahead.
        let last = shares.last.get(&key).map(|last| (*last).min(now + MAX_DELAY - STEP));
        let due_at = next_due(last, now);
        shares.last.insert(key, due_at);
        (due_at > now).then_some(due_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(caller: &str) -> CallerKey {
        (JobKind::Extraction, Priority::Urgent, caller.to_owned())
    }

    #[test]
    fn jobs_of_a_caller_are_spread_over_time_up_to_the_maximum() {
        let (shares, now) = (CallerShares::default(), 1_000_000_000);
        let next: Vec<_> = (0..3).map(|_| shares.next(key("busy"), now)).collect();
        assert_eq!(next, [None, Some(now + STEP), Some(now + 2 * STEP)]);
        assert_eq!(shares.next(key("other"), now), None, "another caller is not delayed");
        for _ in 0..200 {
            shares.next(key("busy"), now);
        }
        assert_eq!(shares.next(key("busy"), now), Some(now + MAX_DELAY));
        let after_all = now + MAX_DELAY + STEP;
        assert_eq!(shares.next(key("busy"), after_all), None, "the share recovers");
    }

    #[test]
    fn expired_shares_are_removed() {
        let (shares, now) = (CallerShares::default(), 1_000_000_000);
        for number in 0..PRUNE_AT {
            shares.next(key(&number.to_string()), now);
        }
        shares.next(key("next"), now + STEP);
        assert_eq!(shares.0.lock().unwrap().last.len(), 1);
    }
}

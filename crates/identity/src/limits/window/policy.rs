//! Input and result of a rate-limit check: plain values that every counter store uses.

use kernel::Millis;
use kernel::clock::DAY;

/// Time span of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// Sliding window with a resolution of one millisecond.
    Sliding {
        /// Length of the window in seconds.
        seconds: u32,
    },
    /// The current UTC calendar day.
    Day {
        /// Today's usage according to a durable store. A counter that was lost in a restart, or because Redis was
        /// emptied, starts at this value.
        initial: u32,
    },
}

/// Limit that a request must satisfy, with the cost of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatePolicy {
    /// Name in the API (`burst`, `minute`, …) and of the counter; unique within one check.
    pub name: &'static str,
    /// Quota per span. 0 refuses every request with a cost.
    pub quota: u32,
    /// Time span of the policy.
    pub span: Span,
    /// Cost of this request; 0 checks without counting.
    pub cost: u32,
}

impl RatePolicy {
    /// Creates a policy of `quota` requests in the last `seconds`, with a cost of 1.
    pub const fn sliding(name: &'static str, quota: u32, seconds: u32) -> Self {
        Self { name, quota, span: Span::Sliding { seconds }, cost: 1 }
    }

    /// Creates a policy of `quota` requests in a UTC calendar day, of which at least `initial` are used, with
    /// a cost of 1.
    pub const fn day(name: &'static str, quota: u32, initial: u32) -> Self {
        Self { name, quota, span: Span::Day { initial }, cost: 1 }
    }

    /// The same policy with another cost.
    #[must_use]
    pub const fn with_cost(mut self, cost: u32) -> Self {
        self.cost = cost;
        self
    }

    /// The span in seconds, as in the `w` parameter of `RateLimit-Policy`.
    pub const fn window_s(&self) -> u32 {
        match self.span {
            Span::Sliding { seconds } => seconds,
            Span::Day { .. } => 86_400,
        }
    }
}

/// State of one policy after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    /// The policy's name.
    pub name: &'static str,
    /// The policy's quota.
    pub quota: u32,
    /// The policy's span in seconds.
    pub window_s: u32,
    /// Quota used in the window, including this request if it was allowed.
    pub used: u32,
    /// Remaining part of the quota.
    pub remaining: u32,
    /// Whole seconds, rounded up, until more of the quota is free: one unit, or as much as the request costs
    /// if this policy refused it. 0 if nothing is used.
    pub reset_s: u32,
    /// True if this policy refused the request.
    pub violated: bool,
}

/// Result of a check. If `allowed`, every policy was charged; otherwise none was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitDecision {
    pub allowed: bool,
    /// One state per policy, in the order of the policies.
    pub states: Vec<RateState>,
    /// Time of the charge, in milliseconds. With `day`, it identifies the charge for a refund.
    pub(super) at: Millis,
    /// UTC day in which the charge was counted.
    pub(super) day: i64,
}

impl LimitDecision {
    /// Names of the policies that refused the request.
    pub fn violated(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.states.iter().filter(|state| state.violated).map(|state| state.name)
    }

    /// Whole seconds until a retry may succeed, at least 1: the largest `reset_s` of the policies that
    /// refused the request.
    pub fn retry_after(&self) -> u32 {
        self.states.iter().filter(|state| state.violated).map(|state| state.reset_s).max().unwrap_or(0).max(1)
    }

    /// The policy with the smallest share of its quota left. On a tie, the first of them.
    pub fn tightest(&self) -> Option<&RateState> {
        let share = |state: &RateState| (u64::from(state.remaining), u64::from(state.quota.max(1)));
        self.states.iter().reduce(|best, state| {
            let ((left, quota), (best_left, best_quota)) = (share(state), share(best));
            if left * best_quota < best_left * quota { state } else { best }
        })
    }
}

/// Result of a store for one policy: usage, and milliseconds until more of the quota is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    pub(super) used: u32,
    pub(super) wait_ms: i64,
}

/// Result of a store for one check.
pub(super) struct CheckCounts {
    pub(super) allowed: bool,
    pub(super) at: Millis,
    pub(super) counts: Vec<Count>,
}

/// Clock of shared sliding windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockSource {
    /// The clock of Redis or PostgreSQL, so that processes on machines with different clocks agree on the
    /// windows.
    Server,
    /// The `now` of each call, for tests that set the clock.
    Caller,
}

/// Builds the decision from the counts of a store.
pub(super) fn decision(policies: &[RatePolicy], counted: &CheckCounts, now: Millis) -> LimitDecision {
    let states = policies.iter().zip(&counted.counts).map(|(policy, count)| {
        let remaining = policy.quota.saturating_sub(count.used);
        let violated = !counted.allowed && policy.cost > remaining;
        let wait_ms = match policy.span {
            Span::Sliding { .. } => count.wait_ms,
            Span::Day { .. } if count.used == 0 && !violated => 0,
            Span::Day { .. } => DAY - now.rem_euclid(DAY),
        };
        RateState {
            name: policy.name,
            quota: policy.quota,
            window_s: policy.window_s(),
            used: count.used,
            remaining,
            reset_s: whole_seconds(wait_ms),
            violated,
        }
    });
    LimitDecision { allowed: counted.allowed, states: states.collect(), at: counted.at, day: day_of(now) }
}

/// Converts milliseconds to whole seconds, rounded up, so that waiting this long is enough.
fn whole_seconds(millis: i64) -> u32 {
    u32::try_from(millis.max(0).saturating_add(999) / 1000).unwrap_or(u32::MAX)
}

/// The UTC calendar day of a time, counted from 1970-01-01.
pub fn day_of(now: Millis) -> i64 {
    now.div_euclid(DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(quota: u32, remaining: u32) -> RateState {
        let used = quota - remaining;
        RateState { name: "state", quota, window_s: 60, used, remaining, reset_s: 0, violated: false }
    }

    #[test]
    fn tightest_policy_has_the_smallest_share_left() {
        let tightest = |states: &[RateState]| {
            let decision = LimitDecision { allowed: true, states: states.to_vec(), at: 0, day: 0 };
            decision.tightest().map(|state| (state.quota, state.remaining))
        };
        assert_eq!(tightest(&[]), None);
        assert_eq!(tightest(&[state(1000, 500), state(10, 4)]), Some((10, 4)));
        assert_eq!(
            tightest(&[state(10, 4), state(1000, 300)]),
            Some((1000, 300)),
            "more units, but a smaller share"
        );
        assert_eq!(tightest(&[state(10, 6), state(1000, 500)]), Some((1000, 500)));
        assert_eq!(tightest(&[state(10, 5), state(1000, 500)]), Some((10, 5)), "the earlier one on a tie");
    }

    #[test]
    fn day_policy_resets_at_midnight_only_if_used_or_refused() {
        let now = 5 * DAY + 1_000;
        let reset = |quota: u32, cost: u32, used: u32, allowed: bool| {
            let counted = CheckCounts { allowed, at: now, counts: vec![Count { used, wait_ms: 0 }] };
            let decision = decision(&[RatePolicy::day("day", quota, 0).with_cost(cost)], &counted, now);
            (decision.states[0].reset_s, decision.states[0].violated)
        };
        let until_midnight = 86_400 - 1;
        assert_eq!(reset(5, 0, 0, true), (0, false));
        assert_eq!(reset(5, 1, 1, true), (until_midnight, false));
        assert_eq!(reset(0, 1, 0, false), (until_midnight, true), "refused without usage");
        assert_eq!(reset(5, 1, 0, false), (0, false), "another policy refused");
        assert!(!reset(5, 5, 0, false).1, "a cost equal to the remaining quota is not refused by it");
        assert!(reset(5, 6, 0, false).1);
    }
}

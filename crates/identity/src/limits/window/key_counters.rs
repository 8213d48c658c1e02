//! The counters of one key: sliding logs and day counts. They are the same in memory and in the database,
//! which stores them as JSON.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::policy::{CheckCounts, Count, RatePolicy, Span};
use kernel::Millis;
use kernel::clock::DAY;

/// Maximum tolerated backward step of the clock. After a larger step, a log is discarded and starts again.
const CLOCK_SLACK_MS: i64 = 1000;

/// The counters of one key.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct KeyCounters {
    logs: Vec<(Cow<'static, str>, SlidingLog)>,
    days: Vec<DayCounter>,
    /// Time from which all counters are expired.
    pub(super) dead_from: Millis,
}

#[derive(Serialize, Deserialize)]
struct DayCounter {
    name: Cow<'static, str>,
    number: i64,
    used: u32,
}

impl DayCounter {
    fn is(&self, policy: &RatePolicy, day: i64) -> bool {
        self.name == policy.name && self.number == day
    }
}

/// Log of a sliding window: amount charged per millisecond, oldest first.
#[derive(Default, Serialize, Deserialize)]
struct SlidingLog {
    charges: VecDeque<(Millis, u32)>,
    used: u32,
}

impl KeyCounters {
    /// Checks all policies at `now` on the day `today`, and charges either all of them or none.
    pub(super) fn check(&mut self, policies: &[RatePolicy], now: Millis, today: i64) -> CheckCounts {
        let mut at = now;
        let mut allowed = true;
        for policy in policies {
            let used = match policy.span {
                Span::Sliding { seconds } => {
                    let log = self.log(policy.name);
                    at = at.max(log.advance(now, i64::from(seconds) * 1000));
                    log.used
                }
                Span::Day { initial } => *self.day(policy.name, today, initial),
            };
            allowed &= fits(policy, used);
        }
        let counts = policies.iter().map(|policy| self.charge(policy, allowed, at, (now, today))).collect();
        CheckCounts { allowed, at, counts }
    }

    /// Refunds a charge made at time `at` on day `day`. Counters that no longer include the charge are not changed.
    pub(super) fn refund(&mut self, policies: &[RatePolicy], (at, day): (Millis, i64)) {
        for policy in policies {
            match policy.span {
                Span::Sliding { .. } => self.log(policy.name).refund(at, policy.cost),
                Span::Day { .. } => {
                    if let Some(counter) = self.days.iter_mut().find(|counter| counter.is(policy, day)) {
                        counter.used = counter.used.saturating_sub(policy.cost);
                    }
                }
            }
        }
    }

    /// Charges the cost if the request is allowed, and returns the resulting count.
    fn charge(
        &mut self,
        policy: &RatePolicy,
        allowed: bool,
        at: Millis,
        (now, today): (Millis, i64),
    ) -> Count {
        match policy.span {
            Span::Sliding { seconds } => {
                let span_ms = i64::from(seconds) * 1000;
                if allowed {
                    self.dead_from = self.dead_from.max(at + span_ms);
                    self.log(policy.name).add(at, policy.cost);
                }
                let log = self.log(policy.name);
                Count { used: log.used, wait_ms: log.wait_ms(policy, span_ms, allowed, now) }
            }
            Span::Day { initial } => {
                self.dead_from = self.dead_from.max((today + 1) * DAY);
                let used = self.day(policy.name, today, initial);
                if allowed {
                    *used = used.saturating_add(policy.cost);
                }
                Count { used: *used, wait_ms: 0 }
            }
        }
    }

    /// Empty counters that expire at `dead_from`.
    #[cfg(test)]
    pub(super) fn expiring_at(dead_from: Millis) -> Self {
        Self { dead_from, ..Self::default() }
    }

    fn log(&mut self, name: &'static str) -> &mut SlidingLog {
        let at = self.logs.iter().position(|(existing, _)| *existing == name).unwrap_or_else(|| {
            self.logs.push((Cow::Borrowed(name), SlidingLog::default()));
            self.logs.len() - 1
        });
        &mut self.logs[at].1
    }

    fn day(&mut self, name: &'static str, day: i64, initial: u32) -> &mut u32 {
        let at = self.days.iter().position(|counter| counter.name == name).unwrap_or_else(|| {
            self.days.push(DayCounter { name: Cow::Borrowed(name), number: day, used: initial });
            self.days.len() - 1
        });
        let counter = &mut self.days[at];
        if counter.number != day {
            (counter.number, counter.used) = (day, initial);
        }
        &mut counter.used
    }
}

impl SlidingLog {
    /// Drops charges that have left the window. Returns the time at which to log a new charge: the maximum of
    /// `now` and the time of the newest charge.
    fn advance(&mut self, now: Millis, span_ms: i64) -> Millis {
        let newest = self.charges.back().map_or(now, |(at, _)| *at);
        if newest > now + CLOCK_SLACK_MS {
            self.charges.clear();
            self.used = 0;
        }
        while let Some((at, cost)) = self.charges.front()
            && at + span_ms <= now
        {
            self.used -= cost;
            self.charges.pop_front();
        }
        self.charges.back().map_or(now, |(at, _)| now.max(*at))
    }

    fn add(&mut self, at: Millis, cost: u32) {
        self.used += cost;
        match self.charges.back_mut() {
            Some((newest, total)) if *newest == at => *total += cost,
            _ if cost > 0 => self.charges.push_back((at, cost)),
            _ => {}
        }
    }

    fn refund(&mut self, at: Millis, cost: u32) {
        let Some(index) = self.charges.iter().position(|(entered, _)| *entered == at) else { return };
        let back = cost.min(self.charges[index].1);
        self.used -= back;
        self.charges[index].1 -= back;
        if self.charges[index].1 == 0 {
            self.charges.remove(index);
        }
    }

    /// Milliseconds until more of the quota is free: one unit if the request was allowed, or as much as the
    /// refused request needs.
    fn wait_ms(&self, policy: &RatePolicy, span_ms: i64, allowed: bool, now: Millis) -> i64 {
        let is_refused = !allowed && !fits(policy, self.used);
        let missing = self.used.saturating_add(policy.cost).saturating_sub(policy.quota);
        let mut needed = if is_refused { missing } else { 1 };
        let freed = self.charges.iter().find(|(_, cost)| {
            let enough = needed <= *cost;
            needed = needed.saturating_sub(*cost);
            enough
        });
        match freed.or(self.charges.back()) {
            Some((at, _)) => at + span_ms - now,
            None if is_refused => span_ms,
            None => 0,
        }
    }
}

/// True if the remaining quota covers the policy's cost.
fn fits(policy: &RatePolicy, used: u32) -> bool {
    policy.cost == 0 || used.checked_add(policy.cost).is_some_and(|sum| sum <= policy.quota)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::window::policy::day_of;

    const NOON: Millis = 1_795_176_000_000;
    const MINUTE_MS: i64 = 60_000;

    #[test]
    fn key_expires_with_its_newest_charge_or_at_the_end_of_the_day() {
        let dead_from = |policy: RatePolicy| {
            let mut entry = KeyCounters::default();
            entry.check(&[policy], NOON, day_of(NOON));
            entry.dead_from
        };
        assert_eq!(dead_from(RatePolicy::sliding("minute", 5, 60)), NOON + MINUTE_MS);
        assert_eq!(dead_from(RatePolicy::day("day", 5, 0)), NOON + DAY / 2);
    }

    #[test]
    fn log_restarts_if_the_clock_goes_back_more_than_a_second() {
        let left = |back: Millis| {
            let mut log = SlidingLog::default();
            log.add(NOON, 2);
            log.advance(NOON - back, MINUTE_MS);
            log.used
        };
        assert_eq!((left(CLOCK_SLACK_MS), left(CLOCK_SLACK_MS + 1)), (2, 0));
    }

    #[test]
    fn charges_of_one_millisecond_merge_and_allow_partial_refunds() {
        let mut log = SlidingLog::default();
        log.add(NOON, 1);
        log.add(NOON, 2);
        log.refund(NOON, 2);
        assert_eq!((log.used, log.charges.len()), (1, 1));
        log.advance(NOON + MINUTE_MS - 1, MINUTE_MS);
        assert_eq!(log.used, 1);
        log.advance(NOON + MINUTE_MS, MINUTE_MS);
        assert_eq!(log.used, 0, "the remaining charge leaves the window on time");
    }

    #[test]
    fn wait_covers_one_unit_if_allowed_and_the_full_cost_if_refused() {
        let mut entry = KeyCounters::default();
        let mut check = |cost: u32, at: Millis| {
            let counted =
                entry.check(&[RatePolicy::sliding("minute", 10, 60).with_cost(cost)], at, day_of(at));
            (counted.allowed, counted.counts[0].wait_ms)
        };
        assert_eq!(check(1, NOON), (true, MINUTE_MS));
        assert_eq!(check(9, NOON + 10_000), (true, MINUTE_MS - 10_000));
        assert_eq!(check(9, NOON + 10_000), (false, MINUTE_MS));
    }
}

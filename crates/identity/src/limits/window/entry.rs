//! What is counted under one key: logs of the last seconds and counts of days. The same in memory and in the database,
//! where it stands as JSON.

use std::borrow::Cow;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::policy::{Count, Counted, DAY_MS, RatePolicy, Span};
use kernel::clock::Millis;

/// A clock that goes back further than this makes a log worthless; it is started anew.
const CLOCK_SLACK_MS: i64 = 1000;

/// The counters of one key.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Entry {
    logs: Vec<(Cow<'static, str>, Log)>,
    days: Vec<Day>,
    /// Nothing in here counts any longer from this instant on.
    pub(super) dead_from: Millis,
}

#[derive(Serialize, Deserialize)]
struct Day {
    name: Cow<'static, str>,
    number: i64,
    used: u32,
}

impl Day {
    fn is(&self, policy: &RatePolicy, day: i64) -> bool {
        self.name == policy.name && self.number == day
    }
}

/// A sliding log: how much was charged at which millisecond, oldest first.
#[derive(Default, Serialize, Deserialize)]
struct Log {
    charges: VecDeque<(Millis, u32)>,
    used: u32,
}

impl Entry {
    /// Checks all policies at `now` on the day `today`, and charges either all of them or none.
    pub(super) fn check(&mut self, policies: &[RatePolicy], now: Millis, today: i64) -> Counted {
        let mut at = now;
        let mut allowed = true;
        for policy in policies {
            let used = match policy.span {
                Span::Sliding { seconds } => {
                    let log = self.log(policy.name);
                    at = at.max(log.advance(now, i64::from(seconds) * 1000));
                    log.used
                }
                Span::Day { known } => *self.day(policy.name, today, known),
            };
            allowed &= fits(policy, used);
        }
        let counts = policies.iter().map(|policy| self.charge(policy, allowed, at, (now, today))).collect();
        Counted { allowed, at, counts }
    }

    /// Takes back what was charged at `at` on the day `day`, as far as it is still counted.
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

    /// Enters the cost when the request is allowed, and says where the policy stands then.
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
            Span::Day { known } => {
                self.dead_from = self.dead_from.max((today + 1) * DAY_MS);
                let used = self.day(policy.name, today, known);
                if allowed {
                    *used = used.saturating_add(policy.cost);
                }
                Count { used: *used, wait_ms: 0 }
            }
        }
    }

    /// Nothing, which is kept until then.
    #[cfg(test)]
    pub(super) fn counting_until(dead_from: Millis) -> Self {
        Self { dead_from, ..Self::default() }
    }

    fn log(&mut self, name: &'static str) -> &mut Log {
        let at = self.logs.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.logs.push((Cow::Borrowed(name), Log::default()));
            self.logs.len() - 1
        });
        &mut self.logs[at].1
    }

    fn day(&mut self, name: &'static str, day: i64, known: u32) -> &mut u32 {
        let at = self.days.iter().position(|counter| counter.name == name).unwrap_or_else(|| {
            self.days.push(Day { name: Cow::Borrowed(name), number: day, used: known });
            self.days.len() - 1
        });
        let counter = &mut self.days[at];
        if counter.number != day {
            (counter.number, counter.used) = (day, known);
        }
        &mut counter.used
    }
}

impl Log {
    /// Drops what has left the window; returns the instant to enter a charge under, which never lies
    /// before the newest one.
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

    /// How long until more is left: the next unit, or as much as a refused request needs.
    fn wait_ms(&self, policy: &RatePolicy, span_ms: i64, allowed: bool, now: Millis) -> i64 {
        let refused = !allowed && !fits(policy, self.used);
        let missing = self.used.saturating_add(policy.cost).saturating_sub(policy.quota);
        let mut needed = if refused { missing } else { 1 };
        let freed = self.charges.iter().find(|(_, cost)| {
            let enough = needed <= *cost;
            needed = needed.saturating_sub(*cost);
            enough
        });
        match freed.or(self.charges.back()) {
            Some((at, _)) => at + span_ms - now,
            None if refused => span_ms,
            None => 0,
        }
    }
}

/// Whether the policy has room for its cost beside what is used.
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
    fn a_key_counts_until_its_newest_charge_leaves_the_window_or_the_day_is_over() {
        let dead_from = |policy: RatePolicy| {
            let mut entry = Entry::default();
            entry.check(&[policy], NOON, day_of(NOON));
            entry.dead_from
        };
        assert_eq!(dead_from(RatePolicy::sliding("minute", 5, 60)), NOON + MINUTE_MS);
        assert_eq!(dead_from(RatePolicy::day("day", 5, 0)), NOON + DAY_MS / 2);
    }

    #[test]
    fn a_log_begins_anew_when_the_clock_went_back_by_more_than_a_second() {
        let left = |back: Millis| {
            let mut log = Log::default();
            log.add(NOON, 2);
            log.advance(NOON - back, MINUTE_MS);
            log.used
        };
        assert_eq!((left(CLOCK_SLACK_MS), left(CLOCK_SLACK_MS + 1)), (2, 0));
    }

    #[test]
    fn what_was_charged_in_one_millisecond_is_one_charge_of_which_a_part_may_be_given_back() {
        let mut log = Log::default();
        log.add(NOON, 1);
        log.add(NOON, 2);
        log.refund(NOON, 2);
        assert_eq!((log.used, log.charges.len()), (1, 1));
        log.advance(NOON + MINUTE_MS - 1, MINUTE_MS);
        assert_eq!(log.used, 1);
        log.advance(NOON + MINUTE_MS, MINUTE_MS);
        assert_eq!(log.used, 0, "what was kept leaves the window with its time");
    }

    #[test]
    fn what_was_allowed_waits_for_the_next_unit_and_what_was_refused_for_all_that_it_costs() {
        let mut entry = Entry::default();
        let mut asks = |cost: u32, at: Millis| {
            let counted = entry.check(&[RatePolicy::sliding("minute", 10, 60).costing(cost)], at, day_of(at));
            (counted.allowed, counted.counts[0].wait_ms)
        };
        assert_eq!(asks(1, NOON), (true, MINUTE_MS));
        assert_eq!(asks(9, NOON + 10_000), (true, MINUTE_MS - 10_000));
        assert_eq!(asks(9, NOON + 10_000), (false, MINUTE_MS));
    }
}

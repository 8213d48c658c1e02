//! The counters of one process. Bounded: past [`MAX_KEYS`] keys the one idle longest of a few is
//! forgotten, so that a flood of addresses costs memory up to a limit and then only itself.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use super::policy::{Count, Counted, DAY_MS, Decision, RatePolicy, Span, day_of};
use crate::clock::Millis;

const SHARDS: usize = 32;
/// Keys kept at most; about 0.6 KB each under the reader's policies.
const MAX_KEYS: usize = 65_536;
/// A clock that goes back further than this makes a log worthless; it is started anew.
const CLOCK_SLACK_MS: i64 = 1000;
/// How many keys of a full shard are looked at to find one to forget.
const SAMPLE: usize = 16;

/// Counters by key, in shards of their own lock.
pub(super) struct Memory {
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
}

#[derive(Default)]
struct Shard {
    entries: HashMap<Box<str>, Entry>,
    swept_at: Millis,
}

#[derive(Default)]
struct Entry {
    logs: Vec<(&'static str, Log)>,
    days: Vec<Day>,
    /// Nothing in here counts any longer from this instant on.
    dead_from: Millis,
}

struct Day {
    name: &'static str,
    number: i64,
    used: u32,
}

impl Day {
    fn is(&self, policy: &RatePolicy, day: i64) -> bool {
        self.name == policy.name && self.number == day
    }
}

/// A sliding log: how much was charged at which millisecond, oldest first.
#[derive(Default)]
struct Log {
    charges: VecDeque<(Millis, u32)>,
    used: u32,
}

impl Default for Memory {
    fn default() -> Self {
        let shards = std::iter::repeat_with(Mutex::default).take(SHARDS).collect();
        Self { hasher: RandomState::new(), shards }
    }
}

impl Memory {
    pub(super) fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Counted {
        self.with_entry(key, now, |entry| entry.check(policies, now))
    }

    pub(super) fn refund(&self, key: &str, policies: &[RatePolicy], charged: &Decision) {
        self.with_entry(key, charged.at, |entry| {
            for policy in policies {
                match policy.span {
                    Span::Sliding { .. } => entry.log(policy.name).refund(charged.at, policy.cost),
                    Span::Day { .. } => {
                        if let Some(counter) = entry.days.iter_mut().find(|day| day.is(policy, charged.day)) {
                            counter.used = counter.used.saturating_sub(policy.cost);
                        }
                    }
                }
            }
        });
    }

    fn with_entry<T>(&self, key: &str, now: Millis, act: impl FnOnce(&mut Entry) -> T) -> T {
        let hash = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        let mut shard = self.shards[hash].lock().unwrap_or_else(PoisonError::into_inner);
        if !shard.entries.contains_key(key) {
            shard.make_room(now);
            shard.entries.insert(key.into(), Entry::default());
        }
        match shard.entries.get_mut(key) {
            Some(entry) => act(entry),
            // Cannot be: it was inserted above, under the same lock.
            None => act(&mut Entry::default()),
        }
    }

    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap().entries.len()).sum()
    }
}

impl Shard {
    fn make_room(&mut self, now: Millis) {
        if self.entries.len() < MAX_KEYS / SHARDS {
            return;
        }
        if (now - self.swept_at).abs() >= 1000 {
            self.swept_at = now;
            self.entries.retain(|_, entry| entry.dead_from > now);
        }
        if self.entries.len() >= MAX_KEYS / SHARDS {
            let idlest = self.entries.iter().take(SAMPLE).min_by_key(|(_, entry)| entry.dead_from);
            if let Some(key) = idlest.map(|(key, _)| key.clone()) {
                self.entries.remove(&key);
            }
        }
    }
}

impl Entry {
    fn check(&mut self, policies: &[RatePolicy], now: Millis) -> Counted {
        let mut at = now;
        let mut allowed = true;
        for policy in policies {
            let used = match policy.span {
                Span::Sliding { seconds } => {
                    let log = self.log(policy.name);
                    at = at.max(log.advance(now, i64::from(seconds) * 1000));
                    log.used
                }
                Span::Day { known } => *self.day(policy.name, day_of(now), known),
            };
            allowed &= fits(policy, used);
        }
        let counts = policies.iter().map(|policy| self.charge(policy, allowed, at, now)).collect();
        Counted { allowed, at, counts }
    }

    /// Enters the cost when the request is allowed, and says where the policy stands then.
    fn charge(&mut self, policy: &RatePolicy, allowed: bool, at: Millis, now: Millis) -> Count {
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
                self.dead_from = self.dead_from.max((day_of(now) + 1) * DAY_MS);
                let used = self.day(policy.name, day_of(now), known);
                if allowed {
                    *used = used.saturating_add(policy.cost);
                }
                Count { used: *used, wait_ms: 0 }
            }
        }
    }

    fn log(&mut self, name: &'static str) -> &mut Log {
        let at = self.logs.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            self.logs.push((name, Log::default()));
            self.logs.len() - 1
        });
        &mut self.logs[at].1
    }

    fn day(&mut self, name: &'static str, day: i64, known: u32) -> &mut u32 {
        let at = self.days.iter().position(|counter| counter.name == name).unwrap_or_else(|| {
            self.days.push(Day { name, number: day, used: known });
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

    const FULL: usize = MAX_KEYS / SHARDS;
    const NOON: Millis = 1_795_176_000_000;
    const MINUTE_MS: i64 = 60_000;

    fn fill(shard: &mut Shard, from: usize, dead_from: Millis) {
        for number in from..FULL {
            let entry = Entry { dead_from, ..Entry::default() };
            shard.entries.insert(number.to_string().into(), entry);
        }
    }

    #[test]
    fn a_full_shard_forgets_what_counts_no_longer_and_looks_for_it_once_a_second() {
        let mut shard = Shard::default();
        fill(&mut shard, 0, 5000);
        for number in 0..100_usize {
            shard.entries.get_mut(number.to_string().as_str()).unwrap().dead_from = 1000;
        }
        shard.make_room(1000);
        assert_eq!(shard.entries.len(), FULL - 100);
        // Within the same second one that is idle goes, whatever it is.
        let more = shard.entries.len();
        for number in 0..100_usize {
            shard
                .entries
                .insert(format!("more {number}").into(), Entry { dead_from: 1500, ..Entry::default() });
        }
        assert_eq!(shard.entries.len(), more + 100);
        shard.make_room(1999);
        assert_eq!(shard.entries.len(), FULL - 1);
        shard.make_room(2000);
        assert_eq!(shard.entries.len(), FULL - 1, "there is room");
        shard.entries.insert("last".into(), Entry { dead_from: 1500, ..Entry::default() });
        shard.make_room(2000);
        assert!(shard.entries.values().all(|entry| entry.dead_from == 5000));
    }

    #[test]
    fn a_key_counts_until_its_newest_charge_leaves_the_window_or_the_day_is_over() {
        let dead_from = |policy: RatePolicy| {
            let mut entry = Entry::default();
            entry.check(&[policy], NOON);
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
            let counted = entry.check(&[RatePolicy::sliding("minute", 10, 60).costing(cost)], at);
            (counted.allowed, counted.counts[0].wait_ms)
        };
        assert_eq!(asks(1, NOON), (true, MINUTE_MS));
        assert_eq!(asks(9, NOON + 10_000), (true, MINUTE_MS - 10_000));
        assert_eq!(asks(9, NOON + 10_000), (false, MINUTE_MS));
    }
}

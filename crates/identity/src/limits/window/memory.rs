//! The counters of one process, in bounded memory. A full shard takes a small sample of its keys and evicts the one
//! that expires first, so that a flood of addresses uses a bounded amount of memory.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use super::key_counters::KeyCounters;
use super::policy::{CheckCounts, LimitDecision, RatePolicy, day_of};
use kernel::Millis;

const SHARDS: usize = 32;
/// Maximum number of keys in memory. A key takes about 0.6 KB with the policies of the public reader.
const MAX_KEYS: usize = 65_536;
/// Number of keys of a full shard that are compared to choose one to evict.
const SAMPLE: usize = 16;

/// Counters by key, in shards that each have a lock.
pub(super) struct MemoryStore {
    hasher: RandomState,
    shards: Vec<Mutex<Shard>>,
}

#[derive(Default)]
struct Shard {
    entries: HashMap<Box<str>, KeyCounters>,
    swept_at: Millis,
}

impl Default for MemoryStore {
    fn default() -> Self {
        let shards = std::iter::repeat_with(Mutex::default).take(SHARDS).collect();
        Self { hasher: RandomState::new(), shards }
    }
}

impl MemoryStore {
    pub(super) fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> CheckCounts {
        self.with_entry(key, now, |entry| entry.check(policies, now, day_of(now)))
    }

    pub(super) fn refund(&self, key: &str, policies: &[RatePolicy], charged: &LimitDecision) {
        self.with_entry(key, charged.at, |entry| entry.refund(policies, (charged.at, charged.day)));
    }

    fn with_entry<T>(&self, key: &str, now: Millis, action: impl FnOnce(&mut KeyCounters) -> T) -> T {
        let hash = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        let mut shard = self.shards[hash].lock().unwrap_or_else(PoisonError::into_inner);
        if !shard.entries.contains_key(key) {
            shard.evict(now);
            shard.entries.insert(key.into(), KeyCounters::default());
        }
        match shard.entries.get_mut(key) {
            Some(entry) => action(entry),
            // Unreachable: the key was inserted above, under the same lock.
            None => action(&mut KeyCounters::default()),
        }
    }

    #[cfg(test)]
    pub(super) fn keys(&self) -> usize {
        self.shards.iter().map(|shard| shard.lock().unwrap().entries.len()).sum()
    }
}

impl Shard {
    fn evict(&mut self, now: Millis) {
        if self.entries.len() < MAX_KEYS / SHARDS {
            return;
        }
        if (now - self.swept_at).abs() >= 1000 {
            self.swept_at = now;
            self.entries.retain(|_, entry| entry.dead_from > now);
        }
        if self.entries.len() >= MAX_KEYS / SHARDS {
            let longest_idle = self.entries.iter().take(SAMPLE).min_by_key(|(_, entry)| entry.dead_from);
            if let Some(key) = longest_idle.map(|(key, _)| key.clone()) {
                self.entries.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: usize = MAX_KEYS / SHARDS;

    fn fill(shard: &mut Shard, from: usize, dead_from: Millis) {
        for number in from..FULL {
            shard.entries.insert(number.to_string().into(), KeyCounters::expiring_at(dead_from));
        }
    }

    #[test]
    fn full_shard_evicts_expired_keys_at_most_every_second() {
        let mut shard = Shard::default();
        fill(&mut shard, 0, 5000);
        for number in 0..100_usize {
            shard.entries.get_mut(number.to_string().as_str()).unwrap().dead_from = 1000;
        }
        shard.evict(1000);
        assert_eq!(shard.entries.len(), FULL - 100);
        // Within the same second, expired keys are not searched: the key that expires first is evicted.
        let more = shard.entries.len();
        for number in 0..100_usize {
            shard.entries.insert(format!("more {number}").into(), KeyCounters::expiring_at(1500));
        }
        assert_eq!(shard.entries.len(), more + 100);
        shard.evict(1999);
        assert_eq!(shard.entries.len(), FULL - 1);
        shard.evict(2000);
        assert_eq!(shard.entries.len(), FULL - 1, "the shard has capacity");
        shard.entries.insert("last".into(), KeyCounters::expiring_at(1500));
        shard.evict(2000);
        assert!(shard.entries.values().all(|entry| entry.dead_from == 5000));
    }
}

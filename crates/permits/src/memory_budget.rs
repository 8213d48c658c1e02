//! Budget of memory that is shared between keys, for example networks: no key can use all of it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// A key may use at most this fraction of the budget: one in four.
const KEY_SHARE: usize = 4;

/// Memory budget of a process, in bytes. Clones share it.
#[derive(Clone, Debug)]
pub struct MemoryBudget<K> {
    bytes: usize,
    usage: Arc<Mutex<MemoryUsage<K>>>,
}

#[derive(Debug)]
struct MemoryUsage<K> {
    total: usize,
    /// Keys with a current reservation only.
    by_key: HashMap<K, usize>,
}

/// Reserved memory, released on drop.
#[derive(Debug)]
pub struct MemoryPermit<K: Clone + Eq + Hash> {
    budget: MemoryBudget<K>,
    key: K,
    bytes: usize,
}

impl<K: Clone + Eq + Hash> MemoryBudget<K> {
    /// Creates a budget of `bytes`.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, usage: Arc::new(Mutex::new(MemoryUsage { total: 0, by_key: HashMap::new() })) }
    }

    /// Reserves memory for `key`, or returns `None` if the share of the key or the budget is used up. A
    /// reservation of any size is granted while nothing else is reserved.
    pub fn try_reserve(&self, key: K, bytes: usize) -> Option<MemoryPermit<K>> {
        let mut permit = MemoryPermit { budget: self.clone(), key, bytes: 0 };
        permit.try_grow(bytes).then_some(permit)
    }
}

impl<K: Clone + Eq + Hash> MemoryPermit<K> {
    /// Reserves `more` bytes in addition, or returns false if the share of the key or the budget is used up.
    #[must_use]
    pub fn try_grow(&mut self, more: usize) -> bool {
        let mut usage = self.budget.usage.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = usage.by_key.get(&self.key).copied().unwrap_or_default();
        let fits = |used: usize, most: usize| used == self.bytes || used.saturating_add(more) <= most;
        if !fits(of_key, self.budget.bytes / KEY_SHARE) || !fits(usage.total, self.budget.bytes) {
            return false;
        }
        usage.total += more;
        usage.by_key.insert(self.key.clone(), of_key + more);
        self.bytes += more;
        true
    }
}

impl<K: Clone + Eq + Hash> Drop for MemoryPermit<K> {
    fn drop(&mut self) {
        let mut usage = self.budget.usage.lock().unwrap_or_else(PoisonError::into_inner);
        usage.total = usage.total.saturating_sub(self.bytes);
        if let Some(of_key) = usage.by_key.get_mut(&self.key) {
            *of_key = of_key.saturating_sub(self.bytes);
            if *of_key == 0 {
                usage.by_key.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_per_key_and_in_total() {
        let budget = MemoryBudget::new(16);
        let mut first = budget.try_reserve("one", 2).unwrap();
        assert!(first.try_grow(2));
        assert!(budget.try_reserve("one", 1).is_none(), "one key may use a quarter of the budget");
        let others = ["two", "three", "four"].map(|key| budget.try_reserve(key, 4).unwrap());
        assert!(budget.try_reserve("five", 1).is_none(), "the budget is used up");
        drop((first, others));
        let usage = budget.usage.lock().unwrap();
        assert_eq!((usage.total, usage.by_key.len()), (0, 0), "dropped permits release everything");
    }

    #[test]
    fn reservation_of_any_size_is_granted_while_nothing_else_is_reserved() {
        let budget = MemoryBudget::new(16);
        let large = budget.try_reserve("one", 40).unwrap();
        assert!(budget.try_reserve("two", 1).is_none());
        drop(large);
        assert!(budget.try_reserve("two", 4).is_some());
    }
}

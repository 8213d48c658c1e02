//! Limit of concurrent operations per key, for example per account or per address.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts running operations per key. Clones share the counts.
#[derive(Clone, Debug)]
pub struct KeyedLimit<K> {
    most: usize,
    counts: Arc<Mutex<HashMap<K, usize>>>,
}

/// Permit for one operation, released on drop.
#[derive(Debug)]
pub struct KeyedPermit<K: Copy + Eq + Hash> {
    limit: KeyedLimit<K>,
    key: K,
}

impl<K: Copy + Eq + Hash> KeyedLimit<K> {
    /// Creates a limit of `most` concurrent operations per key.
    pub fn new(most: usize) -> Self {
        Self { most, counts: Arc::default() }
    }

    /// Returns a permit, or `None` if the key has used all of them.
    pub fn try_acquire(&self, key: K) -> Option<KeyedPermit<K>> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.get(&key).copied().unwrap_or_default();
        if count >= self.most {
            return None;
        }
        counts.insert(key, count + 1);
        Some(KeyedPermit { limit: self.clone(), key })
    }
}

impl<K: Copy + Eq + Hash> Drop for KeyedPermit<K> {
    fn drop(&mut self) {
        let mut counts = self.limit.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_limited_per_key_and_released_on_drop() {
        let (limit, one) = (KeyedLimit::new(4), 1);
        let permits: Vec<KeyedPermit<i32>> = (0..4).filter_map(|_| limit.try_acquire(one)).collect();
        assert_eq!(permits.len(), 4);
        assert!(limit.try_acquire(one).is_none() && limit.try_acquire(2).is_some());
        drop(permits);
        assert!(limit.counts.lock().unwrap().is_empty(), "keys without operations are forgotten");
        assert!(limit.try_acquire(one).is_some());
    }
}

//! Semaphore per key: further operations of a key wait in order of arrival.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Keys without operations are removed when more than this many keys are recorded.
const PRUNE_AT: usize = 256;

/// Allows a number of concurrent operations per key. Clones share the counts.
#[derive(Clone, Debug)]
pub struct KeyedSemaphore {
    most: usize,
    by_key: Arc<Mutex<HashMap<String, Arc<Semaphore>>>>,
}

impl KeyedSemaphore {
    /// Creates a semaphore of `most` concurrent operations per key, at least one.
    pub fn new(most: usize) -> Self {
        Self { most: most.clamp(1, Semaphore::MAX_PERMITS), by_key: Arc::default() }
    }

    /// Returns a permit immediately, or `None` if the key has used all of them.
    pub fn try_acquire(&self, key: &str) -> Option<OwnedSemaphorePermit> {
        self.semaphore(key).try_acquire_owned().ok()
    }

    /// Waits for a permit. `None` never occurs, because the semaphores are not closed.
    pub async fn acquire(&self, key: &str) -> Option<OwnedSemaphorePermit> {
        self.semaphore(key).acquire_owned().await.ok()
    }

    fn semaphore(&self, key: &str) -> Arc<Semaphore> {
        let mut by_key = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(semaphore) = by_key.get(key) {
            return Arc::clone(semaphore);
        }
        if by_key.len() >= PRUNE_AT {
            // Permits and waiting operations each hold a reference to the semaphore.
            by_key.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        }
        let semaphore = Arc::new(Semaphore::new(self.most));
        by_key.insert(key.to_owned(), Arc::clone(&semaphore));
        semaphore
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use std::pin::pin;

    use super::*;

    #[tokio::test]
    async fn operations_beyond_the_limit_of_a_key_wait_and_other_keys_do_not() {
        let limit = KeyedSemaphore::new(1);
        let first = limit.try_acquire("busy").unwrap();
        assert!(limit.try_acquire("busy").is_none() && limit.try_acquire("other").is_some());
        let mut second = pin!(limit.acquire("busy"));
        assert!(poll!(&mut second).is_pending());
        drop(first);
        assert!(second.await.is_some());
    }

    #[test]
    fn keys_without_operations_are_removed() {
        let limit = KeyedSemaphore::new(1);
        let permit = limit.try_acquire("busy").unwrap();
        for number in 0..PRUNE_AT {
            drop(limit.try_acquire(&number.to_string()));
        }
        assert!(limit.by_key.lock().unwrap().len() < PRUNE_AT);
        assert!(limit.try_acquire("busy").is_none(), "a key with a permit is retained");
        drop(permit);
    }
}

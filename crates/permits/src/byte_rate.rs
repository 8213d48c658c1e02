//! Rate at which bytes are received or sent per key, for example per account.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Keys whose bytes are all paid for are removed when more than this many keys are recorded.
const PRUNE_AT: usize = 256;

/// Delays the bytes of a key that exceed a rate, after a burst without delay (generic cell rate algorithm,
/// ITU-T I.371). Clones share the state.
#[derive(Clone, Debug)]
pub struct KeyedByteRate<K> {
    bytes_per_second: f64,
    burst: Duration,
    /// Per key, the time at which all its bytes are paid for at the rate.
    paid_at: Arc<Mutex<HashMap<K, Instant>>>,
}

/// Pending charge. Dropping it before it is due refunds the bytes; otherwise cancelled requests would delay
/// the key's subsequent requests.
struct PendingCharge<'r, K: Eq + Hash> {
    rate: &'r KeyedByteRate<K>,
    key: K,
    cost: Duration,
    /// Time from which the bytes may be processed.
    due: Instant,
    is_due: bool,
}

impl<K: Eq + Hash> Drop for PendingCharge<'_, K> {
    fn drop(&mut self) {
        if self.is_due {
            return;
        }
        let mut paid_at = self.rate.paid_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(time) = paid_at.get_mut(&self.key) {
            *time = time.checked_sub(self.cost).unwrap_or(*time);
        }
    }
}

impl<K: Clone + Eq + Hash> KeyedByteRate<K> {
    /// Creates a rate of `bytes_per_second`, after `burst` bytes.
    pub fn new(bytes_per_second: u32, burst: u32) -> Self {
        let bytes_per_second = f64::from(bytes_per_second.max(1));
        let burst = Duration::from_secs_f64(f64::from(burst) / bytes_per_second);
        Self { bytes_per_second, burst, paid_at: Arc::default() }
    }

    /// Waits until the key may process `bytes` bytes. A cancelled wait charges nothing.
    pub async fn wait(&self, key: K, bytes: usize) {
        let mut charge = self.charge(key, bytes);
        if charge.due > Instant::now() {
            tokio::time::sleep_until(charge.due).await;
        }
        charge.is_due = true;
    }

    fn charge(&self, key: K, bytes: usize) -> PendingCharge<'_, K> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let cost = Duration::from_secs_f64(f64::from(bytes) / self.bytes_per_second);
        let now = Instant::now();
        let mut paid_at = self.paid_at.lock().unwrap_or_else(PoisonError::into_inner);
        if paid_at.len() > PRUNE_AT {
            paid_at.retain(|_, paid_at| *paid_at > now);
        }
        let time = paid_at.entry(key.clone()).or_insert(now);
        *time = (*time).max(now) + cost;
        let due = time.checked_sub(self.burst).unwrap_or(now);
        PendingCharge { rate: self, key, cost, due, is_due: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bytes_beyond_the_burst_are_delayed_per_key() {
        let rate = KeyedByteRate::new(1_000, 2_000);
        let start = Instant::now();
        rate.wait("one", 2_000).await;
        assert_eq!(start.elapsed(), Duration::ZERO, "the burst is not delayed");
        rate.wait("one", 3_000).await;
        let elapsed = start.elapsed();
        assert!((Duration::from_secs(3)..Duration::from_millis(3_010)).contains(&elapsed), "{elapsed:?}");
        rate.wait("other", 2_000).await;
        assert_eq!(start.elapsed(), elapsed, "another key is not delayed");
        tokio::time::advance(Duration::from_mins(1)).await;
        let restart = Instant::now();
        rate.wait("one", 2_000).await;
        assert_eq!(restart.elapsed(), Duration::ZERO, "the burst is available again");
    }

    #[tokio::test(start_paused = true)]
    async fn cancelled_wait_charges_nothing() {
        let rate = KeyedByteRate::new(1_000, 2_000);
        rate.wait("one", 2_000).await;
        for _ in 0..100 {
            let wait = rate.wait("one", 50_000);
            assert!(tokio::time::timeout(Duration::from_millis(1), wait).await.is_err());
        }
        let start = Instant::now();
        rate.wait("one", 2_000).await;
        assert!(start.elapsed() <= Duration::from_secs(2), "{:?}", start.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn keys_without_debt_are_removed() {
        let rate = KeyedByteRate::new(1_000, 0);
        for key in 0..=PRUNE_AT {
            rate.wait(key, 1).await;
        }
        tokio::time::advance(Duration::from_secs(1)).await;
        rate.wait(PRUNE_AT + 1, 1).await;
        assert_eq!(rate.paid_at.lock().unwrap().len(), 1);
    }
}

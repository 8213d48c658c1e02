//! Slots for connections, counted per network and in total. If all slots are in use, the connection that has
//! been idle longest is closed, so that idle connections of some clients do not block other clients.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};
use std::time::Duration;

use futures_util::task::AtomicWaker;
use identity::limits::Network;
use tokio::time::Instant;

/// Slots of a listener.
pub(super) struct ConnectionSlots {
    total: usize,
    per_network: usize,
    start: Instant,
    taken: Mutex<SlotUsage>,
}

#[derive(Default)]
struct SlotUsage {
    next_id: u64,
    by_id: HashMap<u64, Arc<Activity>>,
    /// Number of connections by network and by its wider networks.
    by_network: HashMap<String, usize>,
}

/// Activity of a connection.
#[derive(Default)]
struct Activity {
    /// Time of the last byte, in milliseconds since the start of the listener.
    last_byte: AtomicU64,
    /// True while a request waits for its response.
    is_answering: AtomicBool,
    is_evicted: AtomicBool,
    waker: AtomicWaker,
}

/// Slot of one connection, released on drop.
pub(super) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    id: u64,
    network: Option<Network>,
    activity: Arc<Activity>,
}

impl ConnectionSlots {
    /// Creates `total` slots. A network may use `per_network` slots, and a wider network a multiple of that
    /// number.
    pub(super) fn new(total: usize, per_network: usize) -> Arc<Self> {
        Arc::new(Self { total, per_network, start: Instant::now(), taken: Mutex::default() })
    }

    /// Acquires a slot. Returns `None` if `network` uses all of its slots. If all slots are in use, the
    /// connection that has been idle longest is closed. If `network` is `None`, only the total is limited.
    pub(super) fn take(self: &Arc<Self>, network: Option<Network>) -> Option<ConnectionSlot> {
        let mut taken = self.taken();
        for (name, times) in network.iter().flat_map(Network::names) {
            let most = self.per_network.saturating_mul(times);
            if taken.by_network.get(name).is_some_and(|count| *count >= most) {
                return None;
            }
        }
        if taken.by_id.len() >= self.total {
            taken.evict_longest_idle();
        }
        for (name, _) in network.iter().flat_map(Network::names) {
            *taken.by_network.entry(name.to_owned()).or_default() += 1;
        }
        let (id, activity) = (taken.next_id, Arc::new(Activity::default()));
        taken.next_id += 1;
        taken.by_id.insert(id, Arc::clone(&activity));
        drop(taken);
        let slot = ConnectionSlot { slots: Arc::clone(self), id, network, activity };
        slot.record_byte(false);
        Some(slot)
    }

    fn taken(&self) -> MutexGuard<'_, SlotUsage> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SlotUsage {
    fn evict_longest_idle(&mut self) {
        // A connection whose request waits for its response is closed only if every connection has such a
        // request.
        let idleness = |activity: &Activity| {
            (activity.is_answering.load(Ordering::Relaxed), activity.last_byte.load(Ordering::Relaxed))
        };
        let idle = self.by_id.iter().min_by_key(|(_, activity)| idleness(activity));
        if let Some(id) = idle.map(|(id, _)| *id)
            && let Some(activity) = self.by_id.remove(&id)
        {
            activity.is_evicted.store(true, Ordering::Release);
            activity.waker.wake();
        }
    }
}

impl ConnectionSlot {
    /// Records a byte in either direction, and whether a request now waits for its response.
    pub(super) fn record_byte(&self, is_answering: bool) {
        self.activity.is_answering.store(is_answering, Ordering::Relaxed);
        let elapsed: Duration = self.slots.start.elapsed();
        let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.activity.last_byte.store(millis, Ordering::Relaxed);
    }

    /// Returns true if the connection must be closed because another connection needs its slot. Otherwise,
    /// the task of `context` is woken when that happens.
    pub(super) fn is_evicted(&self, context: &Context<'_>) -> bool {
        let waker: &Waker = context.waker();
        self.activity.waker.register(waker);
        self.activity.is_evicted.load(Ordering::Acquire)
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut taken = self.slots.taken();
        taken.by_id.remove(&self.id);
        for (name, _) in self.network.iter().flat_map(Network::names) {
            if let Some(count) = taken.by_network.get_mut(name) {
                *count -= 1;
                if *count == 0 {
                    taken.by_network.remove(name);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(address: &str) -> Network {
        Network::of(address.parse().unwrap())
    }

    fn evicted(slot: &ConnectionSlot) -> bool {
        slot.is_evicted(&Context::from_waker(Waker::noop()))
    }

    #[test]
    fn slots_are_limited_per_network_and_its_wider_networks() {
        let slots = ConnectionSlots::new(1000, 2);
        let _first = [
            slots.take(Some(network("192.0.2.1"))).unwrap(),
            slots.take(Some(network("192.0.2.1"))).unwrap(),
        ];
        assert!(slots.take(Some(network("192.0.2.1"))).is_none());
        assert!(slots.take(Some(network("192.0.2.2"))).is_some());
        assert!(slots.take(None).is_some(), "a trusted proxy is not counted");
        // A /64 has two slots, a /56 has eight, and a /48 has thirty-two.
        let many: Vec<ConnectionSlot> = (0..0x100)
            .filter_map(|net| slots.take(Some(network(&format!("2001:db8:1:{net:x}::{net:x}")))))
            .collect();
        assert_eq!(many.len(), 8);
        assert!(slots.take(Some(network("2001:db8:1:100::1"))).is_some());
        drop(many);
        assert!(slots.take(Some(network("2001:db8:1:1::9"))).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn longest_idle_connection_loses_its_slot() {
        let slots = ConnectionSlots::new(3, 10);
        let mut open = Vec::new();
        for last in 1..=3 {
            open.push(slots.take(Some(network(&format!("192.0.2.{last}")))).unwrap());
            tokio::time::advance(Duration::from_secs(1)).await;
        }
        open[0].record_byte(false);
        let other = slots.take(Some(network("198.51.100.1"))).unwrap();
        assert_eq!(open.iter().map(evicted).collect::<Vec<_>>(), [false, true, false]);
        assert!(!evicted(&other));
        open[2].record_byte(true);
        open[0].record_byte(false);
        tokio::time::advance(Duration::from_secs(1)).await;
        other.record_byte(false);
        let next = slots.take(Some(network("198.51.100.2"))).unwrap();
        assert_eq!(
            open.iter().map(evicted).collect::<Vec<_>>(),
            [true, true, false],
            "a request that waits is spared"
        );
        drop((open, other, next));
        let taken = slots.taken();
        assert_eq!((taken.by_id.len(), taken.by_network.len()), (0, 0));
    }
}

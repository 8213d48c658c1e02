//! In-memory queue of one process: an ordered set of ids for each kind.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rows::JobKind;
use kernel::JobId;

use super::queue_item::QueueItem;
use super::wakeups::Wakeups;

/// Queues in memory. They are lost with the process, and refilled by the sweep at the next start.
pub(crate) struct MemoryTransport {
    queues: Mutex<HashMap<JobKind, Queue>>,
    limit: usize,
    pub(super) wakeups: Wakeups,
}

#[derive(Default)]
struct Queue {
    order: BTreeSet<QueueItem>,
    by_id: HashMap<JobId, QueueItem>,
}

impl MemoryTransport {
    /// Creates queues with at most `limit` ids each.
    pub(crate) fn new(limit: usize) -> Self {
        Self { queues: Mutex::default(), limit, wakeups: Wakeups::default() }
    }

    pub(super) fn push(&self, kind: JobKind, items: &[QueueItem]) -> Vec<JobId> {
        let mut rejected_ids = Vec::new();
        {
            let mut queues = self.lock();
            let queue = queues.entry(kind).or_default();
            for item in items {
                rejected_ids.extend(queue.put(*item, self.limit));
            }
        }
        self.wakeups.notify(kind);
        rejected_ids
    }

    pub(super) fn pop(&self, kind: JobKind, most: usize) -> Vec<QueueItem> {
        let mut queues = self.lock();
        let Some(queue) = queues.get_mut(&kind) else { return Vec::new() };
        let mut items = Vec::new();
        while items.len() < most
            && let Some(item) = queue.order.pop_first()
        {
            queue.by_id.remove(&item.id);
            items.push(item);
        }
        items
    }

    pub(super) fn depth(&self, kind: JobKind) -> u64 {
        self.lock().get(&kind).map_or(0, |queue| queue.order.len() as u64)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<JobKind, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Inserts the item, or raises the priority of the queued item with the same id. Returns the id that was
    /// refused or evicted, if any.
    fn put(&mut self, item: QueueItem, limit: usize) -> Option<JobId> {
        if let Some(queued) = self.by_id.get(&item.id).copied() {
            if item.score < queued.score {
                self.order.remove(&queued);
                self.insert(item);
            }
            return None;
        }
        if self.order.len() < limit {
            self.insert(item);
            return None;
        }
        match self.order.last().copied() {
            Some(last) if last.score > item.score => {
                self.order.remove(&last);
                self.by_id.remove(&last.id);
                self.insert(item);
                Some(last.id)
            }
            _ => Some(item.id),
        }
    }

    fn insert(&mut self, item: QueueItem) {
        self.order.insert(item);
        self.by_id.insert(item.id, item);
    }
}

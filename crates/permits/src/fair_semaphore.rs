//! Semaphore with priorities that is fair to keys. However many requests of one key wait, a request of
//! another key waits for at most one of them. One permit can be reserved, so that an interactive request of
//! another key need not wait at all. Interactive requests precede background requests; while both
//! wait, every fourth permit goes to the background, so that it is never starved.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

/// While both wait, one of this many permits goes to the background.
const BACKGROUND_INTERVAL: u32 = 4;

/// Priority of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// A caller waits for it.
    #[default]
    Interactive,
    /// No caller waits for it.
    Background,
}

/// Bounded number of permits, given to the waiting keys in rotation.
#[derive(Debug)]
pub struct FairSemaphore {
    total: usize,
    /// Maximum permits of one key, and maximum permits of all background requests.
    most: usize,
    state: Mutex<FairState>,
    all_released: Notify,
}

#[derive(Debug)]
struct FairState {
    /// Free permits. If there are any, no waiting request may take one.
    free: usize,
    /// Permits in use by each key that has any.
    in_use: HashMap<String, usize>,
    /// Permits in use by background requests.
    background_in_use: usize,
    is_closed: bool,
    interactive: Waiters,
    background: Waiters,
    /// Permits that went to interactive requests since the last background one, while a background request
    /// waited.
    interactive_streak: u32,
}

/// Keys with waiting requests, the next one first.
#[derive(Debug, Default)]
struct Waiters(VecDeque<KeyQueue>);

/// Waiting requests of one key, in order of arrival.
#[derive(Debug)]
struct KeyQueue {
    key: String,
    waiting: VecDeque<oneshot::Sender<FairPermit>>,
}

/// Permit of a key. Dropping it passes it on.
#[derive(Debug)]
pub struct FairPermit(Option<(Arc<FairSemaphore>, Share)>);

/// Key and priority for which a permit is in use.
#[derive(Debug, Clone)]
struct Share {
    key: String,
    pace: Pace,
}

impl FairSemaphore {
    /// Creates a semaphore with this many permits, at least one. One key can use all of them.
    pub fn new(total: usize) -> Arc<Self> {
        Self::with_limit(total, total)
    }

    /// Creates a semaphore with this many permits, of which neither one key nor the background uses the last
    /// one. If it has only one permit, all can use it.
    pub fn reserving_one(total: usize) -> Arc<Self> {
        Self::with_limit(total, total.saturating_sub(1))
    }

    fn with_limit(total: usize, most: usize) -> Arc<Self> {
        let (total, most) = (total.max(1), most.max(1));
        let state = FairState {
            free: total,
            in_use: HashMap::new(),
            background_in_use: 0,
            is_closed: false,
            interactive: Waiters::default(),
            background: Waiters::default(),
            interactive_streak: 0,
        };
        Arc::new(Self { total, most, state: Mutex::new(state), all_released: Notify::new() })
    }

    /// Waits for a permit for `key`; `None` if the semaphore is closed. Requests of one key are served in
    /// order of arrival.
    pub async fn acquire(self: &Arc<Self>, pace: Pace, key: &str) -> Option<FairPermit> {
        let receiver = {
            let mut state = self.state();
            if state.is_closed {
                return None;
            }
            if state.free > 0 && state.is_allowed(key, pace, self.most) {
                let share = Share { key: key.to_owned(), pace };
                state.take(&share);
                return Some(FairPermit(Some((Arc::clone(self), share))));
            }
            let (sender, receiver) = oneshot::channel();
            match pace {
                Pace::Interactive => state.interactive.push(key, sender),
                Pace::Background => state.background.push(key, sender),
            }
            receiver
        };
        receiver.await.ok()
    }

    /// Total permits, permits in use, and waiting requests.
    pub fn usage(&self) -> (usize, usize, usize) {
        let mut state = self.state();
        state.remove_cancelled();
        let waiting = state.interactive.len() + state.background.len();
        (self.total, self.total - state.free, waiting)
    }

    /// Refuses new requests, and waits until all accepted ones have released their permits.
    pub async fn close(&self) {
        self.state().is_closed = true;
        loop {
            let back = self.all_released.notified();
            if self.state().free == self.total {
                return;
            }
            back.await;
        }
    }

    /// Takes back a permit, and gives free permits to the next requests that still wait.
    fn release(self: &Arc<Self>, share: &Share) {
        self.state().give_back(share);
        loop {
            let next_waiter = {
                let mut state = self.state();
                let next_waiter = if state.free > 0 { state.next_waiter(self.most) } else { None };
                if let Some((share, _)) = &next_waiter {
                    state.take(share);
                } else if state.free == self.total {
                    self.all_released.notify_waiters();
                }
                next_waiter
            };
            let Some((share, next_waiter)) = next_waiter else { return };
            if let Err(mut permit) = next_waiter.send(FairPermit(Some((Arc::clone(self), share.clone())))) {
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                drop(permit.0.take());
                self.state().give_back(&share);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, FairState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FairState {
    fn take(&mut self, share: &Share) {
        self.free -= 1;
        *self.in_use.entry(share.key.clone()).or_default() += 1;
        self.background_in_use += usize::from(share.pace == Pace::Background);
    }

    fn give_back(&mut self, share: &Share) {
        self.free += 1;
        self.background_in_use -= usize::from(share.pace == Pace::Background);
        if let Some(count) = self.in_use.get_mut(&share.key) {
            *count -= 1;
            if *count == 0 {
                self.in_use.remove(&share.key);
            }
        }
    }

    /// True if a request may take a free permit: its key uses fewer than `most`, and so do all background
    /// requests if it is one.
    fn is_allowed(&self, key: &str, pace: Pace, most: usize) -> bool {
        let is_background_allowed = pace == Pace::Interactive || self.background_in_use < most;
        is_background_allowed && is_below_limit(&self.in_use, key, most)
    }

    /// Next request that may take a free permit.
    fn next_waiter(&mut self, most: usize) -> Option<(Share, oneshot::Sender<FairPermit>)> {
        self.remove_cancelled();
        let is_background_due =
            self.interactive.is_empty() || self.interactive_streak + 1 >= BACKGROUND_INTERVAL;
        if is_background_due && let Some(next_waiter) = self.pop(Pace::Background, most) {
            self.interactive_streak = 0;
            return Some(next_waiter);
        }
        if let Some(next_waiter) = self.pop(Pace::Interactive, most) {
            self.interactive_streak += u32::from(!self.background.is_empty());
            return Some(next_waiter);
        }
        // All interactive requests are at the limit of their keys.
        self.pop(Pace::Background, most)
    }

    fn pop(&mut self, pace: Pace, most: usize) -> Option<(Share, oneshot::Sender<FairPermit>)> {
        let in_use = &self.in_use;
        let is_allowed = |key: &str| is_below_limit(in_use, key, most);
        let (key, next_waiter) = match pace {
            Pace::Interactive => self.interactive.pop(is_allowed)?,
            Pace::Background if self.background_in_use >= most => return None,
            Pace::Background => self.background.pop(is_allowed)?,
        };
        Some((Share { key, pace }, next_waiter))
    }

    fn remove_cancelled(&mut self) {
        self.interactive.remove_cancelled();
        self.background.remove_cancelled();
    }
}

fn is_below_limit(in_use: &HashMap<String, usize>, key: &str, most: usize) -> bool {
    in_use.get(key).is_none_or(|count| *count < most)
}

impl Waiters {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> usize {
        self.0.iter().map(|queue| queue.waiting.len()).sum()
    }

    fn remove_cancelled(&mut self) {
        self.0.retain_mut(|queue| {
            queue.waiting.retain(|waiting| !waiting.is_closed());
            !queue.waiting.is_empty()
        });
    }

    fn push(&mut self, key: &str, sender: oneshot::Sender<FairPermit>) {
        // Cancelled waiters must not accumulate.
        self.remove_cancelled();
        if let Some(queue) = self.0.iter_mut().find(|queue| queue.key == key) {
            queue.waiting.push_back(sender);
        } else {
            self.0.push_back(KeyQueue { key: key.to_owned(), waiting: VecDeque::from([sender]) });
        }
    }

    /// First waiter of the next allowed key. The key moves to the end if more of its requests wait.
    fn pop(&mut self, is_allowed: impl Fn(&str) -> bool) -> Option<(String, oneshot::Sender<FairPermit>)> {
        let index = self.0.iter().position(|queue| is_allowed(&queue.key))?;
        let mut queue = self.0.remove(index)?;
        let next_waiter = queue.waiting.pop_front()?;
        let key = queue.key.clone();
        if !queue.waiting.is_empty() {
            self.0.push_back(queue);
        }
        Some((key, next_waiter))
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        if let Some((semaphore, share)) = self.0.take() {
            semaphore.release(&share);
        }
    }
}

#[cfg(test)]
mod tests;

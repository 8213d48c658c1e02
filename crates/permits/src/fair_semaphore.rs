//! Semaphore with priorities that is fair to keys. However many requests of one key wait, a request of
//! another key waits for at most one of them. One permit can be reserved, so that an interactive request of
//! another key need not wait at all. Interactive requests precede background requests; while both wait and no
//! background request has a permit, every fourth permit goes to a background request, so that background work is
//! never starved.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

/// While requests of both priorities wait and no background request has a permit, one of this many permits goes to
/// a background request.
const BACKGROUND_INTERVAL: u32 = 4;

/// Priority of a permit request.
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
    /// True if the last permit is reserved.
    reserves_one: bool,
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
    /// Permits that went to interactive requests since the last permit for a background request, while a
    /// background request waited.
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

/// Waiting request that gets the next permit.
#[derive(Debug)]
struct NextWaiter {
    key: String,
    pace: Pace,
    sender: oneshot::Sender<FairPermit>,
}

/// Permit of a key. Dropping it gives the permit to the next waiting request.
#[derive(Debug)]
pub struct FairPermit(Option<GivenPermit>);

/// Resource that a permit releases.
#[derive(Debug)]
struct GivenPermit {
    semaphore: Arc<FairSemaphore>,
    key: String,
    pace: Pace,
}

impl FairSemaphore {
    /// Creates a semaphore with this many permits, at least one. One key can use all of them.
    pub fn new(total: usize) -> Arc<Self> {
        Self::with_reserve(total, false)
    }

    /// Creates a semaphore with this many permits, whose last free permit goes only to an interactive request
    /// of a key that uses no permit, or to a background request that is due. If it has only one permit, any
    /// request gets it.
    pub fn reserving_one(total: usize) -> Arc<Self> {
        Self::with_reserve(total, total > 1)
    }

    fn with_reserve(total: usize, reserves_one: bool) -> Arc<Self> {
        let total = total.max(1);
        let state = FairState {
            free: total,
            in_use: HashMap::new(),
            background_in_use: 0,
            is_closed: false,
            interactive: Waiters::default(),
            background: Waiters::default(),
            interactive_streak: 0,
        };
        Arc::new(Self { total, reserves_one, state: Mutex::new(state), all_released: Notify::new() })
    }

    /// Waits for a permit for `key`; `None` if the semaphore is closed. Requests of one key are served in
    /// order of arrival.
    pub async fn acquire(self: &Arc<Self>, pace: Pace, key: &str) -> Option<FairPermit> {
        let receiver = {
            let mut state = self.state();
            if state.is_closed {
                return None;
            }
            if state.is_allowed(key, pace, self.reserves_one) {
                state.count(pace);
                state.take(key, pace);
                return Some(self.permit(key, pace));
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

    /// True if a request for `key` would get a permit without waiting.
    pub fn has_permit_for(&self, pace: Pace, key: &str) -> bool {
        self.state().is_allowed(key, pace, self.reserves_one)
    }

    /// True if a request for `key` waits.
    pub fn is_waiting(&self, key: &str) -> bool {
        let mut state = self.state();
        state.remove_cancelled();
        [&state.interactive, &state.background].iter().any(|waiters| waiters.has(key))
    }

    /// Total permits, permits in use, and waiting requests.
    pub fn usage(&self) -> (usize, usize, usize) {
        let mut state = self.state();
        state.remove_cancelled();
        let waiting = state.interactive.len() + state.background.len();
        (self.total, self.total - state.free, waiting)
    }

    /// Refuses new requests, and waits until all accepted requests have released their permits.
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

    fn permit(self: &Arc<Self>, key: &str, pace: Pace) -> FairPermit {
        FairPermit(Some(GivenPermit { semaphore: Arc::clone(self), key: key.to_owned(), pace }))
    }

    /// Takes back a permit, and gives free permits to the next requests that still wait.
    fn release(self: &Arc<Self>, key: &str, pace: Pace) {
        self.state().give_back(key, pace);
        loop {
            let next_waiter = {
                let mut state = self.state();
                let next_waiter = state.next_waiter(self.reserves_one);
                if let Some(NextWaiter { key, pace, .. }) = &next_waiter {
                    state.take(key, *pace);
                } else if state.free == self.total {
                    self.all_released.notify_waiters();
                }
                next_waiter
            };
            let Some(NextWaiter { key, pace, sender }) = next_waiter else { return };
            if let Err(mut permit) = sender.send(self.permit(&key, pace)) {
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                drop(permit.0.take());
                self.state().give_back(&key, pace);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, FairState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FairState {
    fn take(&mut self, key: &str, pace: Pace) {
        self.free -= 1;
        self.background_in_use += usize::from(pace == Pace::Background);
        *self.in_use.entry(key.to_owned()).or_default() += 1;
    }

    fn give_back(&mut self, key: &str, pace: Pace) {
        self.free += 1;
        self.background_in_use -= usize::from(pace == Pace::Background);
        if let Some(count) = self.in_use.get_mut(key) {
            *count -= 1;
            if *count == 0 {
                self.in_use.remove(key);
            }
        }
    }

    /// Counts consecutive permits of interactive requests while a background request waits.
    fn count(&mut self, pace: Pace) {
        match pace {
            Pace::Interactive => self.interactive_streak += u32::from(!self.background.is_empty()),
            Pace::Background => self.interactive_streak = 0,
        }
    }

    /// True if a request may take a permit now.
    fn is_allowed(&self, key: &str, pace: Pace, reserves_one: bool) -> bool {
        match self.free {
            0 => false,
            1 if reserves_one => pace == Pace::Interactive && !self.in_use.contains_key(key),
            _ => true,
        }
    }

    /// Next request that may take a permit now.
    fn next_waiter(&mut self, reserves_one: bool) -> Option<NextWaiter> {
        self.remove_cancelled();
        let is_background_due =
            self.background_in_use == 0 && self.interactive_streak + 1 >= BACKGROUND_INTERVAL;
        let is_background_next = is_background_due || self.interactive.is_empty();
        let reserves_from_background = reserves_one && !is_background_due;
        if is_background_next && let Some(next_waiter) = self.pop(Pace::Background, reserves_from_background)
        {
            self.count(Pace::Background);
            return Some(next_waiter);
        }
        if let Some(next_waiter) = self.pop(Pace::Interactive, reserves_one) {
            self.count(Pace::Interactive);
            return Some(next_waiter);
        }
        // No interactive request may take the permit.
        self.pop(Pace::Background, reserves_one)
    }

    fn pop(&mut self, pace: Pace, reserves_one: bool) -> Option<NextWaiter> {
        let waiters = match pace {
            Pace::Interactive => &self.interactive,
            Pace::Background => &self.background,
        };
        let index = waiters.0.iter().position(|queue| self.is_allowed(&queue.key, pace, reserves_one))?;
        let (key, sender) = match pace {
            Pace::Interactive => self.interactive.pop(index),
            Pace::Background => self.background.pop(index),
        }?;
        Some(NextWaiter { key, pace, sender })
    }

    fn remove_cancelled(&mut self) {
        self.interactive.remove_cancelled();
        self.background.remove_cancelled();
    }
}

impl Waiters {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn len(&self) -> usize {
        self.0.iter().map(|queue| queue.waiting.len()).sum()
    }

    fn has(&self, key: &str) -> bool {
        self.0.iter().any(|queue| queue.key == key)
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

    /// First waiter of the key at `index`. The key moves to the end if more of its requests wait.
    fn pop(&mut self, index: usize) -> Option<(String, oneshot::Sender<FairPermit>)> {
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
        if let Some(GivenPermit { semaphore, key, pace }) = self.0.take() {
            semaphore.release(&key, pace);
        }
    }
}

#[cfg(test)]
mod tests;

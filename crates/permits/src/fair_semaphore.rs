//! Semaphore with priorities that is fair to keys. However many requests of one key wait, a request of
//! another key waits for at most one of them. Interactive requests precede background requests; while both
//! wait, every fourth permit goes to the background, so that it is never starved.

use std::{
    collections::VecDeque,
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
    state: Mutex<FairState>,
    all_released: Notify,
}

#[derive(Debug)]
struct FairState {
    /// Free permits. If there are any, no request waits.
    free: usize,
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

/// Permit. Dropping it passes it on.
#[derive(Debug)]
pub struct FairPermit(Option<Arc<FairSemaphore>>);

impl FairSemaphore {
    /// Creates a semaphore with this many permits, at least one.
    pub fn new(total: usize) -> Arc<Self> {
        let total = total.max(1);
        let (interactive, background) = (Waiters::default(), Waiters::default());
        let state =
            FairState { free: total, is_closed: false, interactive, background, interactive_streak: 0 };
        Arc::new(Self { total, state: Mutex::new(state), all_released: Notify::new() })
    }

    /// Waits for a permit for `key`; `None` if the semaphore is closed. Requests of one key are served in
    /// order of arrival.
    pub async fn acquire(self: &Arc<Self>, pace: Pace, key: &str) -> Option<FairPermit> {
        let receiver = {
            let mut state = self.state();
            if state.is_closed {
                return None;
            }
            if state.free > 0 {
                state.free -= 1;
                return Some(FairPermit(Some(Arc::clone(self))));
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

    /// Gives the permit to the next request that still waits.
    fn release(self: &Arc<Self>) {
        loop {
            let next_waiter = {
                let mut state = self.state();
                let next_waiter = state.next_waiter();
                if next_waiter.is_none() {
                    state.free += 1;
                    if state.free == self.total {
                        self.all_released.notify_waiters();
                    }
                }
                next_waiter
            };
            let Some(next_waiter) = next_waiter else { return };
            match next_waiter.send(FairPermit(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                Err(mut permit) => drop(permit.0.take()),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, FairState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FairState {
    fn next_waiter(&mut self) -> Option<oneshot::Sender<FairPermit>> {
        self.remove_cancelled();
        let is_background_due =
            self.interactive.is_empty() || self.interactive_streak + 1 >= BACKGROUND_INTERVAL;
        if is_background_due && let Some(next_waiter) = self.background.pop() {
            self.interactive_streak = 0;
            return Some(next_waiter);
        }
        let next_waiter = self.interactive.pop()?;
        self.interactive_streak += u32::from(!self.background.is_empty());
        Some(next_waiter)
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

    /// First waiter of the next key. The key moves to the end if more of its requests wait.
    fn pop(&mut self) -> Option<oneshot::Sender<FairPermit>> {
        let mut queue = self.0.pop_front()?;
        let next_waiter = queue.waiting.pop_front();
        if !queue.waiting.is_empty() {
            self.0.push_back(queue);
        }
        next_waiter
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.0.take() {
            semaphore.release();
        }
    }
}

#[cfg(test)]
mod tests;

//! Semaphore for child processes that is fair to sites. However many pages of one site wait, and however
//! expensive they are, a page of another site waits for at most one of them. Interactive requests precede
//! background requests; while both wait, every fourth permit goes to the background.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

/// While both wait, one of this many permits goes to the background.
const BACKGROUND_INTERVAL: u32 = 4;

/// Priority class of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A caller waits.
    Interactive,
    /// No caller waits.
    Background,
}

/// Bounded number of permits, given to the waiting sites in turn.
#[derive(Debug)]
pub(super) struct FairSemaphore {
    total: usize,
    state: Mutex<FairState>,
    all_released: Notify,
}

#[derive(Debug)]
struct FairState {
    /// Free permits. If there are any, no request waits.
    free: usize,
    is_closed: bool,
    /// Sites with waiting interactive requests, the next one first.
    interactive: Sites,
    /// Sites with waiting background requests.
    background: Sites,
    /// Permits that went to interactive requests since the last background one, while a background request
    /// waited.
    interactive_streak: u32,
}

#[derive(Debug, Default)]
struct Sites(VecDeque<SiteQueue>);

/// Waiting requests of one site, in order of arrival.
#[derive(Debug)]
struct SiteQueue {
    site: String,
    waiting: VecDeque<oneshot::Sender<FairPermit>>,
}

/// Permit. Dropping it passes it on.
#[derive(Debug)]
pub(super) struct FairPermit(Option<Arc<FairSemaphore>>);

impl FairSemaphore {
    /// Creates a semaphore with this many permits, at least one.
    pub(super) fn new(total: usize) -> Arc<Self> {
        let total = total.max(1);
        let (interactive, background) = (Sites::default(), Sites::default());
        let state =
            FairState { free: total, is_closed: false, interactive, background, interactive_streak: 0 };
        Arc::new(Self { total, state: Mutex::new(state), all_released: Notify::new() })
    }

    /// Waits for a permit for `site`; `None` if the semaphore is closed.
    pub(super) async fn acquire(self: &Arc<Self>, lane: Lane, site: &str) -> Option<FairPermit> {
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
            match lane {
                Lane::Interactive => state.interactive.wait(site, sender),
                Lane::Background => state.background.wait(site, sender),
            }
            receiver
        };
        receiver.await.ok()
    }

    /// Total permits, permits in use, and waiting requests.
    pub(super) fn usage(&self) -> (usize, usize, usize) {
        let state = self.state();
        let waiting = state.interactive.waiting() + state.background.waiting();
        (self.total, self.total - state.free, waiting)
    }

    /// Refuses new requests, and waits until all accepted ones have released their permits.
    pub(super) async fn close(&self) {
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
    /// Next waiter.
    fn next_waiter(&mut self) -> Option<oneshot::Sender<FairPermit>> {
        let background_waits = self.background.waiting() > 0;
        if background_waits && self.interactive_streak + 1 >= BACKGROUND_INTERVAL {
            self.interactive_streak = 0;
            return self.background.next_waiter();
        }
        if let Some(next_waiter) = self.interactive.next_waiter() {
            self.interactive_streak += u32::from(background_waits);
            return Some(next_waiter);
        }
        self.interactive_streak = 0;
        self.background.next_waiter()
    }
}

impl Sites {
    /// Number of waiters that were not cancelled.
    fn waiting(&self) -> usize {
        self.0.iter().flat_map(|queue| &queue.waiting).filter(|one| !one.is_closed()).count()
    }

    fn wait(&mut self, site: &str, sender: oneshot::Sender<FairPermit>) {
        if let Some(queue) = self.0.iter_mut().find(|queue| queue.site == site) {
            // Cancelled waiters must not accumulate.
            queue.waiting.retain(|waiting| !waiting.is_closed());
            queue.waiting.push_back(sender);
        } else {
            self.0.push_back(SiteQueue { site: site.to_owned(), waiting: VecDeque::from([sender]) });
        }
    }

    /// First waiter of the next site. The site moves to the end if more of its requests wait.
    fn next_waiter(&mut self) -> Option<oneshot::Sender<FairPermit>> {
        loop {
            let mut queue = self.0.pop_front()?;
            let next_waiter = queue.waiting.pop_front();
            if !queue.waiting.is_empty() {
                self.0.push_back(queue);
            }
            if next_waiter.is_some() {
                return next_waiter;
            }
        }
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

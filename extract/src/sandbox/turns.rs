//! Semaphore for child processes that is fair to sites. However many pages of one site wait, and however
//! expensive they are, a page of another site waits for at most one of them. Interactive requests precede
//! background requests; while both wait, every fourth permit goes to the background.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

/// While both wait, one of this many permits goes to the background.
const SHARE: u32 = 4;

/// Priority class of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A caller waits.
    People,
    /// No caller waits.
    Background,
}

/// Bounded number of permits, given to the waiting sites in turn.
#[derive(Debug)]
pub(super) struct Turns {
    total: usize,
    state: Mutex<State>,
    all_are_back: Notify,
}

#[derive(Debug)]
struct State {
    /// Free permits. If there are any, no request waits.
    free: usize,
    is_closed: bool,
    /// Sites with waiting interactive requests, the next one first.
    people: Sites,
    /// Sites with waiting background requests.
    background: Sites,
    /// Permits that went to interactive requests since the last background one, while a background request
    /// waited.
    passed: u32,
}

#[derive(Debug, Default)]
struct Sites(VecDeque<Queue>);

/// Waiting requests of one site, in order of arrival.
#[derive(Debug)]
struct Queue {
    site: String,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

/// Permit. Dropping it passes it on.
#[derive(Debug)]
pub(super) struct Turn(Option<Arc<Turns>>);

impl Turns {
    /// Creates a semaphore with this many permits, at least one.
    pub(super) fn new(total: usize) -> Arc<Self> {
        let total = total.max(1);
        let (people, background) = (Sites::default(), Sites::default());
        let state = State { free: total, is_closed: false, people, background, passed: 0 };
        Arc::new(Self { total, state: Mutex::new(state), all_are_back: Notify::new() })
    }

    /// Waits for a permit for `site`; `None` if the semaphore is closed.
    pub(super) async fn take(self: &Arc<Self>, lane: Lane, site: &str) -> Option<Turn> {
        let receiver = {
            let mut state = self.state();
            if state.is_closed {
                return None;
            }
            if state.free > 0 {
                state.free -= 1;
                return Some(Turn(Some(Arc::clone(self))));
            }
            let (sender, receiver) = oneshot::channel();
            match lane {
                Lane::People => state.people.wait(site, sender),
                Lane::Background => state.background.wait(site, sender),
            }
            receiver
        };
        receiver.await.ok()
    }

    /// Total permits, permits in use, and waiting requests.
    pub(super) fn usage(&self) -> (usize, usize, usize) {
        let state = self.state();
        let waiting = state.people.waiting() + state.background.waiting();
        (self.total, self.total - state.free, waiting)
    }

    /// Refuses new requests, and waits until all accepted ones have released their permits.
    pub(super) async fn close(&self) {
        self.state().is_closed = true;
        loop {
            let back = self.all_are_back.notified();
            if self.state().free == self.total {
                return;
            }
            back.await;
        }
    }

    /// Gives the permit to the next request that still waits.
    fn pass_on(self: &Arc<Self>) {
        loop {
            let next = {
                let mut state = self.state();
                let next = state.next();
                if next.is_none() {
                    state.free += 1;
                    if state.free == self.total {
                        self.all_are_back.notify_waiters();
                    }
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(Turn(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                Err(mut turn) => drop(turn.0.take()),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Next waiter.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        let background_waits = self.background.waiting() > 0;
        if background_waits && self.passed + 1 >= SHARE {
            self.passed = 0;
            return self.background.next();
        }
        if let Some(next) = self.people.next() {
            self.passed += u32::from(background_waits);
            return Some(next);
        }
        self.passed = 0;
        self.background.next()
    }
}

impl Sites {
    /// Number of waiters that were not cancelled.
    fn waiting(&self) -> usize {
        self.0.iter().flat_map(|queue| &queue.waiting).filter(|one| !one.is_closed()).count()
    }

    fn wait(&mut self, site: &str, sender: oneshot::Sender<Turn>) {
        if let Some(queue) = self.0.iter_mut().find(|queue| queue.site == site) {
            // Cancelled waiters must not accumulate.
            queue.waiting.retain(|waiting| !waiting.is_closed());
            queue.waiting.push_back(sender);
        } else {
            self.0.push_back(Queue { site: site.to_owned(), waiting: VecDeque::from([sender]) });
        }
    }

    /// First waiter of the next site. The site moves to the end if more of its requests wait.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        loop {
            let mut queue = self.0.pop_front()?;
            let next = queue.waiting.pop_front();
            if !queue.waiting.is_empty() {
                self.0.push_back(queue);
            }
            if next.is_some() {
                return next;
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests;

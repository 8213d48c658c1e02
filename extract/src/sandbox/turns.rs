//! Who gets the next child: sites take turns. However many pages of one site wait, and however dear they are, a page of
//! another site waits for one of them at most. What somebody waits for goes before what nobody waits for; where both wait,
//! every fourth turn is one of the latter.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

/// Of so many turns given while both wait, one is for what nobody waits for.
const SHARE: u32 = 4;

/// Whether somebody waits for what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Somebody does.
    People,
    /// It is read ahead of time.
    Background,
}

/// A bounded number of turns, given to the sites that ask for them one after the other.
#[derive(Debug)]
pub(super) struct Turns {
    total: usize,
    state: Mutex<State>,
    all_are_back: Notify,
}

#[derive(Debug)]
struct State {
    /// Turns that nobody has; while there are some nobody waits.
    free: usize,
    is_closed: bool,
    /// The sites of which something waits that somebody waits for, the next one first.
    people: Sites,
    /// The same of what nobody waits for.
    background: Sites,
    /// How many turns people had since the background had one, while it waited.
    passed: u32,
}

#[derive(Debug, Default)]
struct Sites(VecDeque<Queue>);

/// Who waits for one site, in the order of asking.
#[derive(Debug)]
struct Queue {
    site: String,
    waiting: VecDeque<oneshot::Sender<Turn>>,
}

/// A turn. Dropping it passes it on.
#[derive(Debug)]
pub(super) struct Turn(Option<Arc<Turns>>);

impl Turns {
    /// So many turns, at least one.
    pub(super) fn new(total: usize) -> Arc<Self> {
        let total = total.max(1);
        let (people, background) = (Sites::default(), Sites::default());
        let state = State { free: total, is_closed: false, people, background, passed: 0 };
        Arc::new(Self { total, state: Mutex::new(state), all_are_back: Notify::new() })
    }

    /// Waits for a turn of `site`; `None` once there are no more.
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

    /// How many turns there are, how many somebody has, and how many are waited for.
    pub(super) fn usage(&self) -> (usize, usize, usize) {
        let state = self.state();
        let waiting = state.people.waiting() + state.background.waiting();
        (self.total, self.total - state.free, waiting)
    }

    /// Gives no further turns, and waits until those that were asked for are over.
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

    /// Gives a turn to whoever is next and still waits.
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
                // Whoever waited has left: the turn is still here.
                Err(mut turn) => drop(turn.0.take()),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Who is next.
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
    /// How many wait, and have not left.
    fn waiting(&self) -> usize {
        self.0.iter().flat_map(|queue| &queue.waiting).filter(|one| !one.is_closed()).count()
    }

    fn wait(&mut self, site: &str, sender: oneshot::Sender<Turn>) {
        if let Some(queue) = self.0.iter_mut().find(|queue| queue.site == site) {
            // Those who left do not pile up.
            queue.waiting.retain(|waiting| !waiting.is_closed());
            queue.waiting.push_back(sender);
        } else {
            self.0.push_back(Queue { site: site.to_owned(), waiting: VecDeque::from([sender]) });
        }
    }

    /// The first of the site whose turn it is; the site goes to the end when more of it wait.
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

//! Priority semaphore for the running requests of this process. Interactive requests, for which a caller
//! waits, precede background requests. While both wait, every fourth permit goes to the background, so that
//! it is never starved.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::request::Pace;

/// While both wait, one of this many permits goes to the background.
const SHARE: u32 = 4;

/// Bounded number of permits.
pub(crate) struct Lanes(Mutex<State>);

struct State {
    /// Free permits. If there are any, no request waits.
    free: usize,
    interactive: VecDeque<oneshot::Sender<LanePermit>>,
    background: VecDeque<oneshot::Sender<LanePermit>>,
    /// Permits that went to interactive requests since the last background one, while a background request
    /// waited.
    passed: u32,
}

/// Permit. Dropping it passes it on.
pub(crate) struct LanePermit(Option<Arc<Lanes>>);

impl Lanes {
    /// Creates a semaphore with this many permits, at least one.
    pub(crate) fn new(permits: usize) -> Arc<Self> {
        let (interactive, background) = (VecDeque::new(), VecDeque::new());
        Arc::new(Self(Mutex::new(State { free: permits.max(1), interactive, background, passed: 0 })))
    }

    /// Waits for a permit.
    pub(crate) async fn take(self: &Arc<Self>, pace: Pace) -> LanePermit {
        let receiver = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return LanePermit(Some(Arc::clone(self)));
            }
            let (sender, receiver) = oneshot::channel();
            let lane = match pace {
                Pace::Interactive => &mut state.interactive,
                Pace::Background => &mut state.background,
            };
            // Cancelled waiters must not accumulate.
            lane.retain(|waiting| !waiting.is_closed());
            lane.push_back(sender);
            receiver
        };
        // No waiter's sender is dropped unserved while a permit is in use.
        receiver.await.unwrap_or(LanePermit(None))
    }

    fn pass_on(self: &Arc<Self>) {
        loop {
            let Some(next) = self.state().next() else { return };
            match next.send(LanePermit(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                Err(mut permit) => drop(permit.0.take()),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Next waiter. If there is none, the permit becomes free.
    fn next(&mut self) -> Option<oneshot::Sender<LanePermit>> {
        self.interactive.retain(|waiting| !waiting.is_closed());
        self.background.retain(|waiting| !waiting.is_closed());
        let is_backgrounds = self.interactive.is_empty() || self.passed + 1 >= SHARE;
        if is_backgrounds && let Some(next) = self.background.pop_front() {
            self.passed = 0;
            return Some(next);
        }
        let next = self.interactive.pop_front();
        match &next {
            Some(_) if !self.background.is_empty() => self.passed += 1,
            Some(_) => {}
            None => self.free += 1,
        }
        next
    }
}

impl Drop for LanePermit {
    fn drop(&mut self) {
        if let Some(lanes) = self.0.take() {
            lanes.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;

    /// Order in which waiters get a permit while the only permit is in use at first. `i` is interactive, `b`
    /// is background.
    async fn order(interactive: usize, background: usize) -> String {
        let lanes = Lanes::new(1);
        let held = lanes.take(Pace::Interactive).await;
        let (tell, mut told) = mpsc::unbounded_channel();
        let background = std::iter::repeat_n((Pace::Background, 'b'), background);
        for (pace, letter) in background.chain(std::iter::repeat_n((Pace::Interactive, 'i'), interactive)) {
            let (lanes, tell) = (lanes.clone(), tell.clone());
            tokio::spawn(async move {
                let _permit = lanes.take(pace).await;
                tell.send(letter).unwrap();
            });
            tokio::task::yield_now().await;
        }
        drop((held, tell));
        let mut order = String::new();
        while let Some(letter) = told.recv().await {
            order.push(letter);
        }
        order
    }

    #[tokio::test]
    async fn interactive_goes_first_and_every_fourth_permit_goes_to_background() {
        assert_eq!(order(7, 4).await, "iiibiiibibb");
        assert_eq!(order(3, 0).await, "iii");
        assert_eq!(order(0, 3).await, "bbb");
    }

    #[tokio::test]
    async fn permit_of_cancelled_waiter_goes_to_next() {
        let lanes = Lanes::new(1);
        let held = lanes.take(Pace::Background).await;
        let leaves = tokio::spawn({
            let lanes = lanes.clone();
            async move { drop(lanes.take(Pace::Interactive).await) }
        });
        tokio::task::yield_now().await;
        leaves.abort();
        let stays = tokio::spawn({
            let lanes = lanes.clone();
            async move { lanes.take(Pace::Background).await }
        });
        tokio::task::yield_now().await;
        drop(held);
        drop(stays.await.unwrap());
        assert_eq!(lanes.state().free, 1);
    }
}

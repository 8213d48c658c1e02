//! Priority semaphore for the running requests of this process. Interactive requests, for which a caller
//! waits, precede background requests. While both wait, every fourth permit goes to the background, so that
//! it is never starved.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::request::Pace;

/// While both wait, one of this many permits goes to the background.
const BACKGROUND_INTERVAL: u32 = 4;

/// Bounded number of permits.
pub(crate) struct PrioritySemaphore(Mutex<SemaphoreState>);

struct SemaphoreState {
    /// Free permits. If there are any, no request waits.
    free: usize,
    interactive: VecDeque<oneshot::Sender<PriorityPermit>>,
    background: VecDeque<oneshot::Sender<PriorityPermit>>,
    /// Permits that went to interactive requests since the last background one, while a background request
    /// waited.
    interactive_streak: u32,
}

/// Permit. Dropping it passes it on.
pub(crate) struct PriorityPermit(Option<Arc<PrioritySemaphore>>);

impl PrioritySemaphore {
    /// Creates a semaphore with this many permits, at least one.
    pub(crate) fn new(permits: usize) -> Arc<Self> {
        let (interactive, background) = (VecDeque::new(), VecDeque::new());
        Arc::new(Self(Mutex::new(SemaphoreState {
            free: permits.max(1),
            interactive,
            background,
            interactive_streak: 0,
        })))
    }

    /// Waits for a permit.
    pub(crate) async fn acquire(self: &Arc<Self>, pace: Pace) -> PriorityPermit {
        let receiver = {
            let mut state = self.state();
            if state.free > 0 {
                state.free -= 1;
                return PriorityPermit(Some(Arc::clone(self)));
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
        receiver.await.unwrap_or(PriorityPermit(None))
    }

    fn release(self: &Arc<Self>) {
        loop {
            let Some(next_waiter) = self.state().next_waiter() else { return };
            match next_waiter.send(PriorityPermit(Some(Arc::clone(self)))) {
                Ok(()) => return,
                // The waiter was cancelled. Disarms the returned permit; the loop offers it to the next
                // waiter.
                Err(mut permit) => drop(permit.0.take()),
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, SemaphoreState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SemaphoreState {
    /// Next waiter. If there is none, the permit becomes free.
    fn next_waiter(&mut self) -> Option<oneshot::Sender<PriorityPermit>> {
        self.interactive.retain(|waiting| !waiting.is_closed());
        self.background.retain(|waiting| !waiting.is_closed());
        let is_background_due =
            self.interactive.is_empty() || self.interactive_streak + 1 >= BACKGROUND_INTERVAL;
        if is_background_due && let Some(next_waiter) = self.background.pop_front() {
            self.interactive_streak = 0;
            return Some(next_waiter);
        }
        let next_waiter = self.interactive.pop_front();
        match &next_waiter {
            Some(_) if !self.background.is_empty() => self.interactive_streak += 1,
            Some(_) => {}
            None => self.free += 1,
        }
        next_waiter
    }
}

impl Drop for PriorityPermit {
    fn drop(&mut self) {
        if let Some(semaphore) = self.0.take() {
            semaphore.release();
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
        let semaphore = PrioritySemaphore::new(1);
        let first_permit = semaphore.acquire(Pace::Interactive).await;
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let background = std::iter::repeat_n((Pace::Background, 'b'), background);
        for (pace, letter) in background.chain(std::iter::repeat_n((Pace::Interactive, 'i'), interactive)) {
            let (semaphore, sender) = (semaphore.clone(), sender.clone());
            tokio::spawn(async move {
                let _permit = semaphore.acquire(pace).await;
                sender.send(letter).unwrap();
            });
            tokio::task::yield_now().await;
        }
        drop((first_permit, sender));
        let mut order = String::new();
        while let Some(letter) = receiver.recv().await {
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
        let semaphore = PrioritySemaphore::new(1);
        let first_permit = semaphore.acquire(Pace::Background).await;
        let cancelled = tokio::spawn({
            let semaphore = semaphore.clone();
            async move { drop(semaphore.acquire(Pace::Interactive).await) }
        });
        tokio::task::yield_now().await;
        cancelled.abort();
        let waiting = tokio::spawn({
            let semaphore = semaphore.clone();
            async move { semaphore.acquire(Pace::Background).await }
        });
        tokio::task::yield_now().await;
        drop(first_permit);
        drop(waiting.await.unwrap());
        assert_eq!(semaphore.state().free, 1);
    }
}

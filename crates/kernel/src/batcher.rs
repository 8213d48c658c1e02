//! Batcher (group commit): collects calls that arrive while a batch runs and executes them with the next
//! batch.
//!
//! There is no timer: a call is executed immediately if no batch is running. A batch runs in a task of its
//! own, so that a cancelled caller does not affect the results of others.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

/// Executes a batch of items. Returns one result per item, in order.
pub type ExecuteBatch<C, M, A> = fn(C, Vec<M>) -> BoxFuture<'static, Vec<A>>;

/// Receiver of the result of one item. Closed without a result if the process exits or the batch panics.
pub type BatchAnswer<A> = oneshot::Receiver<A>;

/// Queue of items that wait for the next batch, in order of arrival.
pub struct Batcher<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    max_batch: usize,
}

struct State<M, A> {
    waiting: VecDeque<(M, oneshot::Sender<A>)>,
    is_running: bool,
}

impl<M: Send + 'static, A: Send + 'static> Batcher<M, A> {
    /// Creates a batcher with at most `max_batch` items per batch.
    pub fn new(max_batch: usize) -> Self {
        let state = State { waiting: VecDeque::new(), is_running: false };
        Self { state: Arc::new(Mutex::new(state)), max_batch }
    }

    /// Adds an item to the next batch; it is queued when this returns.
    pub fn add<C: Clone + Send + 'static>(
        &self,
        context: &C,
        item: M,
        execute: ExecuteBatch<C, M, A>,
    ) -> BatchAnswer<A> {
        let (sender, answer) = oneshot::channel();
        let starts_run = {
            let mut state = lock(&self.state);
            state.waiting.push_back((item, sender));
            !std::mem::replace(&mut state.is_running, true)
        };
        if starts_run {
            let running = RunGuard { state: Arc::clone(&self.state), is_done: false };
            tokio::spawn(run_batches(running, self.max_batch, context.clone(), execute));
        }
        answer
    }
}

/// Guard of the single task that runs batches.
struct RunGuard<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    is_done: bool,
}

impl<M, A> RunGuard<M, A> {
    /// Takes the next batch. `None` if no items wait; the next call then starts a new task.
    fn next(&mut self, max_batch: usize) -> Option<Vec<(M, oneshot::Sender<A>)>> {
        let mut state = lock(&self.state);
        if state.waiting.is_empty() {
            state.is_running = false;
            self.is_done = true;
            return None;
        }
        let count = state.waiting.len().min(max_batch);
        Some(state.waiting.drain(..count).collect())
    }
}

/// If a batch panics, the waiting callers get a closed receiver instead of waiting forever.
impl<M, A> Drop for RunGuard<M, A> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut state = lock(&self.state);
            state.is_running = false;
            state.waiting.clear();
        }
    }
}

async fn run_batches<C: Clone, M, A>(
    mut running: RunGuard<M, A>,
    max_batch: usize,
    context: C,
    execute: ExecuteBatch<C, M, A>,
) {
    while let Some(group) = running.next(max_batch) {
        let (items, callers): (Vec<M>, Vec<oneshot::Sender<A>>) = group.into_iter().unzip();
        let answers = execute(context.clone(), items).await;
        for (caller, answer) in callers.into_iter().zip(answers) {
            // Fails if the caller was cancelled.
            let _ = caller.send(answer);
        }
    }
}

fn lock<M, A>(state: &Mutex<State<M, A>>) -> MutexGuard<'_, State<M, A>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = Arc<Mutex<Vec<usize>>>;

    fn execute_batch(seen: Seen, items: Vec<u32>) -> BoxFuture<'static, Vec<u32>> {
        Box::pin(async move {
            assert!(!items.contains(&13), "this batch must panic");
            seen.lock().unwrap().push(items.len());
            tokio::task::yield_now().await;
            items.iter().map(|item| item * 2).collect()
        })
    }

    #[tokio::test]
    async fn calls_during_a_batch_are_executed_with_the_next() {
        let (groups, seen) = (Batcher::new(256), Seen::default());
        let first = groups.add(&seen, 1, execute_batch);
        tokio::task::yield_now().await;
        let rest: Vec<_> = (2..=10).map(|item| groups.add(&seen, item, execute_batch)).collect();
        assert_eq!(first.await, Ok(2));
        for (answer, item) in rest.into_iter().zip(2..) {
            assert_eq!(answer.await, Ok(item * 2));
        }
        assert_eq!(*seen.lock().unwrap(), [1, 9]);
    }

    #[tokio::test]
    async fn batch_size_is_bounded() {
        let (groups, seen) = (Batcher::new(4), Seen::default());
        let answers: Vec<_> = (0..10).map(|item| groups.add(&seen, item, execute_batch)).collect();
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(*seen.lock().unwrap(), [4, 4, 2]);
    }

    #[tokio::test]
    async fn panicking_batch_closes_its_receivers_and_the_next_succeeds() {
        let (groups, seen) = (Batcher::new(256), Seen::default());
        assert!(groups.add(&seen, 13, execute_batch).await.is_err());
        assert_eq!(groups.add(&seen, 4, execute_batch).await, Ok(8));
    }

    #[tokio::test]
    async fn cancelled_caller_does_not_affect_others() {
        let (groups, seen) = (Batcher::new(256), Seen::default());
        drop(groups.add(&seen, 1, execute_batch));
        assert_eq!(groups.add(&seen, 2, execute_batch).await, Ok(4));
        assert_eq!(*seen.lock().unwrap(), [2]);
    }
}

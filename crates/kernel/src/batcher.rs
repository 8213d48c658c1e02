//! Batcher (group commit): collects calls that arrive while a batch runs and executes them with the next
//! batch.
//!
//! There is no timer: a call is executed immediately if no batch is running. A batch runs in a task of its
//! own, so that a cancelled caller does not affect the results of others.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

/// Executes a batch of items. Returns one result per item, in order.
pub type ExecuteBatch<C, M, A> = fn(C, Vec<M>) -> BoxFuture<'static, Vec<A>>;

/// Receiver of the result of one item. It is closed without a result if the process exits or the batch panics.
pub type BatchAnswer<A> = oneshot::Receiver<A>;

/// Keys without items are removed when more than this many keys are recorded.
const PRUNE_AT: usize = 256;

/// Queue of items that are waiting for the next batch, in order of arrival.
pub struct Batcher<M, A> {
    state: Arc<Mutex<BatcherState<M, A>>>,
    max_batch: usize,
}

struct BatcherState<M, A> {
    waiting: VecDeque<(M, oneshot::Sender<A>)>,
    is_running: bool,
}

impl<M: Send + 'static, A: Send + 'static> Batcher<M, A> {
    /// Creates a batcher with at most `max_batch` items per batch.
    pub fn new(max_batch: usize) -> Self {
        let state = BatcherState { waiting: VecDeque::new(), is_running: false };
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

/// Batchers by key, for example by account. Batches of different keys run at the same time, so that a key with
/// many items does not delay the others.
pub struct KeyedBatcher<K, M, A> {
    states: Mutex<HashMap<K, WeakState<M, A>>>,
    max_batch: usize,
}

/// State of a batcher, which exists as long as the task that runs its batches.
type WeakState<M, A> = Weak<Mutex<BatcherState<M, A>>>;

impl<K: Eq + Hash, M: Send + 'static, A: Send + 'static> KeyedBatcher<K, M, A> {
    /// Creates batchers with at most `max_batch` items per batch.
    pub fn new(max_batch: usize) -> Self {
        Self { states: Mutex::default(), max_batch }
    }

    /// Adds an item to the next batch of `key`; it is queued when this returns.
    pub fn add<C: Clone + Send + 'static>(
        &self,
        key: K,
        context: &C,
        item: M,
        execute: ExecuteBatch<C, M, A>,
    ) -> BatchAnswer<A> {
        self.batcher(key).add(context, item, execute)
    }

    fn batcher(&self, key: K) -> Batcher<M, A> {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = states.get(&key).and_then(Weak::upgrade) {
            return Batcher { state, max_batch: self.max_batch };
        }
        if states.len() >= PRUNE_AT {
            states.retain(|_, state| state.strong_count() > 0);
        }
        let batcher = Batcher::new(self.max_batch);
        states.insert(key, Arc::downgrade(&batcher.state));
        batcher
    }
}

/// Guard of the single task that runs batches.
struct RunGuard<M, A> {
    state: Arc<Mutex<BatcherState<M, A>>>,
    is_done: bool,
}

impl<M, A> RunGuard<M, A> {
    /// Takes the next batch. `None` if no items are waiting; the next call of `add` then starts a new task.
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

fn lock<M, A>(state: &Mutex<BatcherState<M, A>>) -> MutexGuard<'_, BatcherState<M, A>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::sync::Notify;

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

    fn execute_when_open(gate: Arc<Notify>, items: Vec<u32>) -> BoxFuture<'static, Vec<u32>> {
        Box::pin(async move {
            if items.contains(&1) {
                gate.notified().await;
            }
            items
        })
    }

    #[tokio::test]
    async fn items_of_a_key_do_not_wait_for_a_batch_of_another_key() {
        let (groups, gate) = (KeyedBatcher::new(1), Arc::new(Notify::new()));
        let first = groups.add("busy", &gate, 1, execute_when_open);
        let mut second = groups.add("busy", &gate, 2, execute_when_open);
        assert_eq!(groups.add("other", &gate, 3, execute_when_open).await, Ok(3));
        assert!(second.try_recv().is_err(), "the batch of the first item runs");
        gate.notify_one();
        assert_eq!((first.await, second.await), (Ok(1), Ok(2)));
    }

    #[tokio::test]
    async fn keys_without_items_are_removed() {
        let (groups, gate) = (KeyedBatcher::new(4), Arc::new(Notify::new()));
        let busy = groups.add(0, &gate, 1, execute_when_open);
        for key in 1..=PRUNE_AT {
            assert_eq!(groups.add(key, &gate, 2, execute_when_open).await, Ok(2));
        }
        assert_eq!(groups.states.lock().unwrap().len(), 2, "the busy and the newest key");
        gate.notify_one();
        assert_eq!(busy.await, Ok(1));
    }
}

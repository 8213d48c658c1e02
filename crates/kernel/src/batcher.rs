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
pub type Carry<C, M, A> = fn(C, Vec<M>) -> BoxFuture<'static, Vec<A>>;

/// Receiver of the result of one item. Closed without a result if the process ends or the batch panics.
pub type Answer<A> = oneshot::Receiver<A>;

/// Queue of items that wait for the next batch, in order of arrival.
pub struct Groups<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    most: usize,
}

struct State<M, A> {
    waiting: VecDeque<(M, oneshot::Sender<A>)>,
    is_running: bool,
}

impl<M: Send + 'static, A: Send + 'static> Groups<M, A> {
    /// Creates a batcher with at most `most` items per batch.
    pub fn of_at_most(most: usize) -> Self {
        let state = State { waiting: VecDeque::new(), is_running: false };
        Self { state: Arc::new(Mutex::new(state)), most }
    }

    /// Adds an item to the next batch; it is queued when this returns.
    pub fn join<C: Clone + Send + 'static>(
        &self,
        context: &C,
        member: M,
        carry: Carry<C, M, A>,
    ) -> Answer<A> {
        let (tell, answer) = oneshot::channel();
        let begins = {
            let mut state = lock(&self.state);
            state.waiting.push_back((member, tell));
            !std::mem::replace(&mut state.is_running, true)
        };
        if begins {
            let running = Running { state: Arc::clone(&self.state), is_done: false };
            tokio::spawn(carry_all(running, self.most, context.clone(), carry));
        }
        answer
    }
}

/// Guard of the single task that runs batches.
struct Running<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    is_done: bool,
}

impl<M, A> Running<M, A> {
    /// Takes the next batch. `None` if no items wait; the next call then starts a new task.
    fn next(&mut self, most: usize) -> Option<Vec<(M, oneshot::Sender<A>)>> {
        let mut state = lock(&self.state);
        if state.waiting.is_empty() {
            state.is_running = false;
            self.is_done = true;
            return None;
        }
        let count = state.waiting.len().min(most);
        Some(state.waiting.drain(..count).collect())
    }
}

/// If a batch panics, the waiting callers get a closed receiver instead of waiting forever.
impl<M, A> Drop for Running<M, A> {
    fn drop(&mut self) {
        if !self.is_done {
            let mut state = lock(&self.state);
            state.is_running = false;
            state.waiting.clear();
        }
    }
}

async fn carry_all<C: Clone, M, A>(
    mut running: Running<M, A>,
    most: usize,
    context: C,
    carry: Carry<C, M, A>,
) {
    while let Some(group) = running.next(most) {
        let (members, callers): (Vec<M>, Vec<oneshot::Sender<A>>) = group.into_iter().unzip();
        let answers = carry(context.clone(), members).await;
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

    fn carry(seen: Seen, members: Vec<u32>) -> BoxFuture<'static, Vec<u32>> {
        Box::pin(async move {
            assert!(!members.contains(&13), "a batch that panics");
            seen.lock().unwrap().push(members.len());
            tokio::task::yield_now().await;
            members.iter().map(|member| member * 2).collect()
        })
    }

    #[tokio::test]
    async fn calls_during_a_batch_are_executed_with_the_next() {
        let (groups, seen) = (Groups::of_at_most(256), Seen::default());
        let first = groups.join(&seen, 1, carry);
        tokio::task::yield_now().await;
        let rest: Vec<_> = (2..=10).map(|member| groups.join(&seen, member, carry)).collect();
        assert_eq!(first.await, Ok(2));
        for (answer, member) in rest.into_iter().zip(2..) {
            assert_eq!(answer.await, Ok(member * 2));
        }
        assert_eq!(*seen.lock().unwrap(), [1, 9]);
    }

    #[tokio::test]
    async fn batch_size_is_bounded() {
        let (groups, seen) = (Groups::of_at_most(4), Seen::default());
        let answers: Vec<_> = (0..10).map(|member| groups.join(&seen, member, carry)).collect();
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(*seen.lock().unwrap(), [4, 4, 2]);
    }

    #[tokio::test]
    async fn panicking_batch_closes_its_receivers_and_the_next_succeeds() {
        let (groups, seen) = (Groups::of_at_most(256), Seen::default());
        assert!(groups.join(&seen, 13, carry).await.is_err());
        assert_eq!(groups.join(&seen, 4, carry).await, Ok(8));
    }

    #[tokio::test]
    async fn cancelled_caller_does_not_affect_others() {
        let (groups, seen) = (Groups::of_at_most(256), Seen::default());
        drop(groups.join(&seen, 1, carry));
        assert_eq!(groups.join(&seen, 2, carry).await, Ok(4));
        assert_eq!(*seen.lock().unwrap(), [2]);
    }
}

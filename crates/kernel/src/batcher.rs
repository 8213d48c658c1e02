//! Calls that come while the last statement runs are carried together by the next one.
//!
//! There is no timer: a call that finds nothing under way goes at once, and whoever comes meanwhile goes with the next
//! group. A group runs in a task of its own, so that a caller who goes away takes nobody's answer with them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;
use tokio::sync::oneshot;

/// Carries members out together; as many answers as members, in their order.
pub type Carry<C, M, A> = fn(C, Vec<M>) -> BoxFuture<'static, Vec<A>>;

/// What one caller will hear. Nothing is heard when the process ends, or the carrier panicked.
pub type Answer<A> = oneshot::Receiver<A>;

/// Members that wait to be carried, in the order in which they came.
pub struct Groups<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    most: usize,
}

struct State<M, A> {
    waiting: VecDeque<(M, oneshot::Sender<A>)>,
    is_running: bool,
}

impl<M: Send + 'static, A: Send + 'static> Groups<M, A> {
    /// Groups of at most so many members.
    pub fn of_at_most(most: usize) -> Self {
        let state = State { waiting: VecDeque::new(), is_running: false };
        Self { state: Arc::new(Mutex::new(state)), most }
    }

    /// Puts one more member into the next group. It counts as queued when this returns.
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

/// The right to carry, which one task has at a time.
struct Running<M, A> {
    state: Arc<Mutex<State<M, A>>>,
    is_done: bool,
}

impl<M, A> Running<M, A> {
    /// The next group; none when nobody waits, and then somebody else may begin.
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

/// A carrier that ends early leaves nobody waiting for ever.
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
            // A caller who went away needs no answer.
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
            assert!(!members.contains(&13), "a carrier that breaks");
            seen.lock().unwrap().push(members.len());
            tokio::task::yield_now().await;
            members.iter().map(|member| member * 2).collect()
        })
    }

    #[tokio::test]
    async fn what_comes_while_a_group_runs_goes_together_and_each_hears_its_own() {
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
    async fn a_group_is_bounded() {
        let (groups, seen) = (Groups::of_at_most(4), Seen::default());
        let answers: Vec<_> = (0..10).map(|member| groups.join(&seen, member, carry)).collect();
        for answer in answers {
            answer.await.unwrap();
        }
        assert_eq!(*seen.lock().unwrap(), [4, 4, 2]);
    }

    #[tokio::test]
    async fn a_carrier_that_breaks_keeps_nobody_waiting_and_the_next_goes_well() {
        let (groups, seen) = (Groups::of_at_most(256), Seen::default());
        assert!(groups.join(&seen, 13, carry).await.is_err());
        assert_eq!(groups.join(&seen, 4, carry).await, Ok(8));
    }

    #[tokio::test]
    async fn a_caller_who_goes_away_takes_nobody_elses_answer() {
        let (groups, seen) = (Groups::of_at_most(256), Seen::default());
        drop(groups.join(&seen, 1, carry));
        assert_eq!(groups.join(&seen, 2, carry).await, Ok(4));
        assert_eq!(*seen.lock().unwrap(), [2]);
    }
}

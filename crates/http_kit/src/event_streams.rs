//! Limits of open event streams of pages, per account and in total. A stream occupies a connection until it closes.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use kernel::AccountId;
use permits::{KeyedLimit, KeyedPermit};
use tokio::sync::oneshot;

/// Maximum number of open streams of an account in one process. Without HTTP/2, a browser opens at most six connections
/// to a server, and pages need some of them.
const MAX_PER_ACCOUNT: usize = 4;
/// Maximum number of open streams in one process.
const MAX_TOTAL: usize = 1_000;

/// Open event streams of a process.
pub struct EventStreams {
    open: Arc<Mutex<OpenStreams>>,
    total: KeyedLimit<()>,
}

#[derive(Default)]
struct OpenStreams {
    /// Number of the stream that was opened last.
    last: u64,
    /// Streams of each account, oldest first. Dropping a sender signals that its stream was replaced.
    by_account: HashMap<AccountId, VecDeque<(u64, oneshot::Sender<()>)>>,
}

/// Permit for one stream, released on drop.
pub struct EventStreamPermit {
    open: Arc<Mutex<OpenStreams>>,
    account_id: AccountId,
    number: u64,
    replaced: oneshot::Receiver<()>,
    _total: KeyedPermit<()>,
}

impl Default for EventStreams {
    fn default() -> Self {
        Self { open: Arc::default(), total: KeyedLimit::new(MAX_TOTAL) }
    }
}

impl EventStreams {
    /// Returns a permit for a stream of an account. `None` if the process has the maximum number of streams. If the
    /// account has its maximum, its oldest stream is replaced, because the process notices that a page was closed
    /// only when it next writes to its stream.
    #[must_use]
    pub fn try_acquire(&self, account_id: AccountId) -> Option<EventStreamPermit> {
        let total = self.total.try_acquire(())?;
        let (sender, replaced) = oneshot::channel();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.last += 1;
        let number = open.last;
        let streams = open.by_account.entry(account_id).or_default();
        if streams.len() >= MAX_PER_ACCOUNT {
            streams.pop_front();
        }
        streams.push_back((number, sender));
        Some(EventStreamPermit { open: Arc::clone(&self.open), account_id, number, replaced, _total: total })
    }
}

impl EventStreamPermit {
    /// Waits until a newer stream of the account replaces this one. The caller must then close this one.
    pub async fn replaced(&mut self) {
        // The sender never sends a value: dropping it is the signal.
        let _ = (&mut self.replaced).await;
    }
}

impl Drop for EventStreamPermit {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(streams) = open.by_account.get_mut(&self.account_id) {
            streams.retain(|(number, _)| *number != self.number);
            if streams.is_empty() {
                open.by_account.remove(&self.account_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn streams_are_limited_in_total() {
        let streams = EventStreams::default();
        let open = |number: u128| streams.try_acquire(AccountId::from_u128(number));
        let others: Vec<_> = (1..=2_000).filter_map(open).collect();
        assert_eq!(others.len(), MAX_TOTAL);
        drop(others);
        assert!(open(0).is_some());
        assert!(streams.open.lock().unwrap().by_account.is_empty());
    }

    #[test]
    fn oldest_stream_of_an_account_is_replaced_if_the_limit_is_reached() {
        let streams = EventStreams::default();
        let open = |number: u128| streams.try_acquire(AccountId::from_u128(number)).unwrap();
        let mut of_other = open(1);
        let mut own: Vec<_> = (0..=MAX_PER_ACCOUNT).map(|_| open(0)).collect();
        let is_replaced: Vec<_> =
            own.iter_mut().map(|stream| stream.replaced().now_or_never().is_some()).collect();
        assert_eq!(is_replaced, [true, false, false, false, false]);
        assert!(of_other.replaced().now_or_never().is_none());
        own.pop();
        let _next = open(0);
        assert!(own[1].replaced().now_or_never().is_none(), "a closed stream makes room");
    }
}

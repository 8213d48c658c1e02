//! Limits of open event streams of pages, per account and in total. A stream occupies a connection until it closes.

use kernel::AccountId;
use permits::{KeyedLimit, KeyedPermit};

/// Maximum number of open streams of an account in one process. Without HTTP/2, a browser opens at most six connections
/// to a server, and pages need some of them.
const MAX_PER_ACCOUNT: usize = 4;
/// Maximum number of open streams in one process.
const MAX_TOTAL: usize = 1_000;

/// Open event streams of a process.
pub struct EventStreams {
    by_account: KeyedLimit<AccountId>,
    total: KeyedLimit<()>,
}

/// Permit for one stream, released on drop.
pub struct EventStreamPermit {
    _account: KeyedPermit<AccountId>,
    _total: KeyedPermit<()>,
}

impl Default for EventStreams {
    fn default() -> Self {
        Self { by_account: KeyedLimit::new(MAX_PER_ACCOUNT), total: KeyedLimit::new(MAX_TOTAL) }
    }
}

impl EventStreams {
    /// Returns a permit for a stream of an account. `None` if the account or the process has no stream left.
    #[must_use]
    pub fn try_acquire(&self, account_id: AccountId) -> Option<EventStreamPermit> {
        let account = self.by_account.try_acquire(account_id)?;
        Some(EventStreamPermit { _account: account, _total: self.total.try_acquire(())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_limited_per_account_and_in_total() {
        let streams = EventStreams::default();
        let open = |number: u128| streams.try_acquire(AccountId::from_u128(number));
        let first: Vec<_> = (0..MAX_PER_ACCOUNT).filter_map(|_| open(0)).collect();
        assert_eq!(first.len(), MAX_PER_ACCOUNT);
        assert!(open(0).is_none());
        let others: Vec<_> = (1..=2_000).filter_map(open).collect();
        assert_eq!(others.len(), MAX_TOTAL - MAX_PER_ACCOUNT);
        drop(first);
        assert!(open(0).is_some());
    }
}

//! Limits how many operations of one kind an account runs at the same time in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use entities::ids::AccountId;
use kernel::Domain;

/// Saves of one account that wait for their texts; further ones are answered without their texts.
const WAITING_SAVES: usize = 4;
/// Uploads of import files of one account.
const IMPORT_UPLOADS: usize = 1;

struct Saves(AccountConcurrency);

struct Imports(AccountConcurrency);

/// The saves of this process that wait for their texts.
pub(crate) fn saves(domain: &Domain) -> AccountConcurrency {
    domain.shared(|| Saves(AccountConcurrency::of(WAITING_SAVES))).0.clone()
}

/// The import uploads of this process.
pub(crate) fn imports(domain: &Domain) -> AccountConcurrency {
    domain.shared(|| Imports(AccountConcurrency::of(IMPORT_UPLOADS))).0.clone()
}

/// Counts running operations per account. Cheap to clone; all clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct AccountConcurrency {
    most: usize,
    counts: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// Permit for one operation, released on drop.
#[derive(Debug)]
pub(crate) struct AccountPermit {
    all: AccountConcurrency,
    account_id: AccountId,
}

impl AccountConcurrency {
    /// Allows `most` operations per account.
    pub(crate) fn of(most: usize) -> Self {
        Self { most, counts: Arc::default() }
    }

    /// Returns a permit, or `None` if the account has used all of them.
    pub(crate) fn try_acquire(&self, account_id: AccountId) -> Option<AccountPermit> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(account_id).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(AccountPermit { all: self.clone(), account_id })
    }
}

impl Drop for AccountPermit {
    fn drop(&mut self) {
        let mut counts = self.all.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.account_id) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.account_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_are_limited_per_account_and_released_on_drop() {
        let (concurrency, one) = (AccountConcurrency::of(4), AccountId::from_u128(1));
        let permits: Vec<AccountPermit> = (0..4).filter_map(|_| concurrency.try_acquire(one)).collect();
        assert_eq!(permits.len(), 4);
        assert!(
            concurrency.try_acquire(one).is_none()
                && concurrency.try_acquire(AccountId::from_u128(2)).is_some()
        );
        drop(permits);
        assert!(concurrency.try_acquire(one).is_some());
    }
}

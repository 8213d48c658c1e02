//! Limits how many operations of one kind an account runs at the same time in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use entities::ids::AccountId;
use kernel::Domain;

/// Saves of one account that wait for their texts; further ones are answered without their texts.
const WAITING_SAVES: usize = 4;
/// Uploads of import files of one account.
const IMPORT_UPLOADS: usize = 1;

struct Saves(AtOnce);

struct Imports(AtOnce);

/// The saves of this process that wait for their texts.
pub(crate) fn saves(domain: &Domain) -> AtOnce {
    domain.shared(|| Saves(AtOnce::of(WAITING_SAVES))).0.clone()
}

/// The import uploads of this process.
pub(crate) fn imports(domain: &Domain) -> AtOnce {
    domain.shared(|| Imports(AtOnce::of(IMPORT_UPLOADS))).0.clone()
}

/// Counts running operations per account. Cheap to clone; all clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct AtOnce {
    most: usize,
    counts: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// Permit for one operation, released on drop.
#[derive(Debug)]
pub(crate) struct Place {
    all: AtOnce,
    account_id: AccountId,
}

impl AtOnce {
    /// Allows `most` operations per account.
    pub(crate) fn of(most: usize) -> Self {
        Self { most, counts: Arc::default() }
    }

    /// Returns a permit, or `None` if the account has used all of them.
    pub(crate) fn begin(&self, account_id: AccountId) -> Option<Place> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(account_id).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { all: self.clone(), account_id })
    }
}

impl Drop for Place {
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
        let (places, one) = (AtOnce::of(4), AccountId::from_u128(1));
        let held: Vec<Place> = (0..4).filter_map(|_| places.begin(one)).collect();
        assert_eq!(held.len(), 4);
        assert!(places.begin(one).is_none() && places.begin(AccountId::from_u128(2)).is_some());
        drop(held);
        assert!(places.begin(one).is_some());
    }
}

//! How many saves of one account wait for their texts at once, in this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use entities::ids::AccountId;

/// Saves of one account that wait; further ones are answered at once, with their texts to come.
const AT_ONCE: usize = 4;

/// Counts them. Cheap to clone; all clones count together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits(Arc<Mutex<HashMap<AccountId, usize>>>);

/// A save that waits, until this is dropped.
#[derive(Debug)]
pub(crate) struct Wait {
    waits: Waits,
    account_id: AccountId,
}

impl Waits {
    /// A place among those that wait, when one is free.
    pub(crate) fn begin(&self, account_id: AccountId) -> Option<Wait> {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(account_id).or_default();
        if *count >= AT_ONCE {
            return None;
        }
        *count += 1;
        Some(Wait { waits: self.clone(), account_id })
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut counts = self.waits.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn four_wait_and_the_fifth_is_told() {
        let (waits, one) = (Waits::default(), AccountId::from_u128(1));
        let held: Vec<Wait> = (0..4).filter_map(|_| waits.begin(one)).collect();
        assert_eq!(held.len(), 4);
        assert!(waits.begin(one).is_none() && waits.begin(AccountId::from_u128(2)).is_some());
        drop(held);
        assert!(waits.begin(one).is_some());
    }
}

//! Choice of a browser to store texts for reading without a connection. It is a cookie with a key of the
//! account, so that texts of one account are never read by another account that uses the same browser.

use data_encoding::HEXLOWER;
use kernel::AccountId;
use sha2::{Digest, Sha256};

/// Length of an account's key, in bytes before its encoding.
const KEY_BYTES: usize = 16;

/// Returns the key of an account in browsers that store its texts. It does not reveal the account's id.
pub(crate) fn account_key(account_id: AccountId) -> String {
    let hash = Sha256::digest(format!("texts for offline reading of account {account_id}"));
    HEXLOWER.encode(&hash[..KEY_BYTES])
}

/// State of a browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OfflineState {
    /// The browser stores no texts.
    Off,
    /// The browser stores texts of the signed-in account.
    On,
    /// The browser may have texts of an account that is not signed in.
    OtherAccount,
}

impl OfflineState {
    /// Returns the state for the key in the browser's cookie and the signed-in account.
    pub(crate) fn of(key: Option<&str>, account_id: Option<AccountId>) -> Self {
        match (key, account_id) {
            (None, _) => Self::Off,
            (Some(key), Some(account_id)) if key == account_key(account_id) => Self::On,
            (Some(_), _) => Self::OtherAccount,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_belongs_to_one_account() {
        let (first, second) = (AccountId::from_u128(1), AccountId::from_u128(2));
        let key = account_key(first);
        assert_eq!(key.len(), 2 * KEY_BYTES);
        assert_eq!(OfflineState::of(Some(&key), Some(first)), OfflineState::On);
        assert_eq!(OfflineState::of(Some(&key), Some(second)), OfflineState::OtherAccount);
        assert_eq!(OfflineState::of(Some(&key), None), OfflineState::OtherAccount);
        assert_eq!(OfflineState::of(None, Some(first)), OfflineState::Off);
    }
}

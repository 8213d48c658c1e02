//! A person's choice to store texts in a browser for offline reading, and the maximum number and size of the texts.
//! The choice is a cookie with a key of the account, so that another account in the same browser never reads these
//! texts.

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

/// Number and size of the texts that a browser stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum OfflineSize {
    #[default]
    Small,
    Medium,
    Large,
}

impl OfflineSize {
    /// All sizes, from the smallest to the largest.
    pub(crate) const ALL: [Self; 3] = [Self::Small, Self::Medium, Self::Large];

    /// Returns the value of this size in forms and in the cookie.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Small => "s",
            Self::Medium => "m",
            Self::Large => "l",
        }
    }

    /// Returns the maximum number of texts.
    pub(crate) const fn texts(self) -> u32 {
        match self {
            Self::Small => 50,
            Self::Medium => 200,
            Self::Large => 500,
        }
    }

    /// Returns the maximum size of all texts, in MiB.
    pub(crate) const fn text_mib(self) -> u32 {
        match self {
            Self::Small => 12,
            Self::Medium => 48,
            Self::Large => 120,
        }
    }

    /// Returns the maximum size of all pictures, in MiB.
    pub(crate) const fn picture_mib(self) -> u32 {
        match self {
            Self::Small => 8,
            Self::Medium => 32,
            Self::Large => 80,
        }
    }
}

/// A person's choice of the texts that a browser stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OfflineChoice {
    pub(crate) size: OfflineSize,
    /// True if pictures are stored before the person has seen them.
    pub(crate) has_all_pictures: bool,
}

impl OfflineChoice {
    /// Value of the cookie and of forms that selects all pictures.
    pub(crate) const ALL_PICTURES: &'static str = "all";

    /// Parses the values of a form. Unknown values select the smallest size and no additional pictures.
    pub(crate) fn parse(size: &str, pictures: &str) -> Self {
        let size = OfflineSize::ALL.into_iter().find(|known| known.as_str() == size).unwrap_or_default();
        Self { size, has_all_pictures: pictures == Self::ALL_PICTURES }
    }

    /// Parses the choice in a browser's cookie.
    pub(crate) fn of_cookie(cookie: Option<&str>) -> Self {
        let mut parts = cookie.unwrap_or_default().split('.').skip(1);
        let (size, pictures) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        Self::parse(size, pictures)
    }

    /// Returns the value of the cookie that makes a browser store texts of an account.
    pub(crate) fn cookie(self, account_id: AccountId) -> String {
        let key = account_key(account_id);
        match self {
            Self { size: OfflineSize::Small, has_all_pictures: false } => key,
            Self { size, has_all_pictures: false } => format!("{key}.{}", size.as_str()),
            Self { size, has_all_pictures: true } => {
                format!("{key}.{}.{}", size.as_str(), Self::ALL_PICTURES)
            }
        }
    }
}

/// State of offline reading in a browser.
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
    /// Derives the state from the browser's cookie and the signed-in account.
    pub(crate) fn of(cookie: Option<&str>, account_id: Option<AccountId>) -> Self {
        let key = cookie.and_then(|cookie| cookie.split('.').next());
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
    fn offline_choice_round_trips_through_the_cookie() {
        let account_id = AccountId::from_u128(1);
        for size in OfflineSize::ALL {
            for has_all_pictures in [false, true] {
                let choice = OfflineChoice { size, has_all_pictures };
                let cookie = choice.cookie(account_id);
                assert_eq!(OfflineChoice::of_cookie(Some(&cookie)), choice, "{cookie}");
                assert_eq!(OfflineState::of(Some(&cookie), Some(account_id)), OfflineState::On);
            }
        }
        assert_eq!(OfflineChoice::default().cookie(account_id), account_key(account_id));
        assert_eq!(OfflineChoice::of_cookie(Some("x.huge.none")), OfflineChoice::default());
        assert_eq!(OfflineChoice::of_cookie(None), OfflineChoice::default());
    }

    #[test]
    fn offline_key_is_valid_for_one_account_only() {
        let (first, second) = (AccountId::from_u128(1), AccountId::from_u128(2));
        let key = account_key(first);
        assert_eq!(key.len(), 2 * KEY_BYTES);
        assert_eq!(OfflineState::of(Some(&key), Some(first)), OfflineState::On);
        assert_eq!(OfflineState::of(Some(&key), Some(second)), OfflineState::OtherAccount);
        assert_eq!(OfflineState::of(Some(&key), None), OfflineState::OtherAccount);
        assert_eq!(OfflineState::of(None, Some(first)), OfflineState::Off);
    }
}

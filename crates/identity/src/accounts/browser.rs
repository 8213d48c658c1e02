//! Tokens that identify browsers that have signed in to an account before. A token outlives its session, so that the
//! browser is recognised at the next sign-in. Other people who exhaust the account's limit on failed sign-ins then
//! cannot lock the owner out.

use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;

use super::sessions::SessionSecret;
use kernel::{Domain, Millis, Result};

/// Secrets that a browser stores after signing in.
#[derive(Debug)]
pub struct SignedIn {
    pub session: SessionSecret,
    /// Token that identifies the browser at the next sign-in.
    pub browser: BrowserToken,
}

/// Identifies a browser: 128 random bits, signed for one account and its current password. It grants no
/// access. `Debug` does not print it.
pub struct BrowserToken(String);

impl BrowserToken {
    /// Issues a token for an account whose password was set at `password_changed_at`. Must not be called
    /// within a transaction, because the signing key may have to be created.
    pub(super) async fn issue(
        domain: &Domain,
        account_id: AccountId,
        password_changed_at: Millis,
    ) -> Result<Self> {
        let name = domain.random::<16>();
        let key = domain.cursor_key().await?;
        Ok(Self(key.seal(&binding(account_id, password_changed_at), &name)))
    }

    /// Returns the name of the browser that sent `token`. `None` if the token was issued for another account
    /// or before the last password change: a browser that knew an earlier password is not trusted.
    pub(super) async fn name_of(
        domain: &Domain,
        account_id: AccountId,
        password_changed_at: Millis,
        token: &str,
    ) -> Result<Option<String>> {
        let key = domain.cursor_key().await?;
        let name = key.open(&binding(account_id, password_changed_at), token);
        Ok(name.map(|name| BASE64URL_NOPAD.encode(&name)))
    }

    /// Text of the token, for the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for BrowserToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("BrowserToken")
    }
}

fn binding(account_id: AccountId, password_changed_at: Millis) -> String {
    format!("browser\0{account_id}\0{password_changed_at}")
}

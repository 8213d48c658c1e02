//! Browsers that were signed in to an account before. Each keeps a token that outlives its session, so that it is
//! known again when it signs in: strangers who use up the account's limit do not keep its owner out.

use data_encoding::BASE64URL_NOPAD;
use entities::ids::AccountId;

use super::SessionSecret;
use kernel::clock::Millis;
use kernel::error::Result;
use kernel::handle::Domain;

/// What a browser keeps after signing in.
#[derive(Debug)]
pub struct SignedIn {
    /// The session that was opened.
    pub session: SessionSecret,
    /// What the browser is known by the next time.
    pub browser: BrowserToken,
}

/// What a browser is known by: 128 random bits, signed for one account and its present password. It opens
/// nothing. It never prints itself.
pub struct BrowserToken(String);

impl BrowserToken {
    /// A new token for an account whose password was set at `password_changed_at`. It must not be called within a
    /// transaction: the key that signs it may have to be made.
    pub(super) async fn issue(
        domain: &Domain,
        account_id: AccountId,
        password_changed_at: Millis,
    ) -> Result<Self> {
        let name = domain.random::<16>();
        let key = domain.cursor_key().await?;
        Ok(Self(key.seal(&binding(account_id, password_changed_at), &name)))
    }

    /// The name of the browser that keeps `token`; `None` when the token is not for this account, or for a
    /// password that it had before: whoever knew that one is not trusted for it.
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

    /// The text for the cookie.
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

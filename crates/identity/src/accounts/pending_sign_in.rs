//! State of a sign-in between its first step (password, single sign-on, or header of a trusted proxy) and the code of
//! the second factor.

use entities::account;
use entities::ids::AccountId;
use sea_orm::EntityTrait;

use kernel::clock::MINUTE;
use kernel::{Domain, Millis, Result};

/// Time within which the code must be entered.
const LIFETIME_MS: Millis = 10 * MINUTE;
/// Context string bound into the signature of the state.
const BINDING: &str = "sign-in with a second factor";

/// Signed state that proves the first step of a sign-in to an account. It grants no access without a code,
/// expires after ten minutes, and is void after a change of the password. `Debug` does not print it.
pub struct PendingSignIn(String);

impl PendingSignIn {
    /// Issues the state for an account whose first step was verified.
    pub(super) async fn issue(domain: &Domain, owner: &account::Model) -> Result<Self> {
        let expires_at = domain.now() + LIFETIME_MS;
        let payload = [
            owner.id.as_bytes().as_slice(),
            &expires_at.to_be_bytes(),
            &owner.password_changed_at.to_be_bytes(),
        ]
        .concat();
        Ok(Self(domain.cursor_key().await?.seal(BINDING, &payload)))
    }

    /// Returns the account for which the state was issued. `None` if the state is invalid or has expired.
    pub(super) async fn owner_of(domain: &Domain, state: &str) -> Result<Option<account::Model>> {
        let Some(payload) = domain.cursor_key().await?.open(BINDING, state) else { return Ok(None) };
        let Some((id, rest)) = payload.split_at_checked(16) else { return Ok(None) };
        let Some((expires_at, changed_at)) = rest.split_at_checked(8) else { return Ok(None) };
        let (Some(id), Some(expires_at), Some(changed_at)) =
            (AccountId::from_slice(id), time(expires_at), time(changed_at))
        else {
            return Ok(None);
        };
        if expires_at <= domain.now() {
            return Ok(None);
        }
        let row = account::Entity::find_by_id(id).one(domain.db().read()).await?;
        Ok(row.filter(|row| row.password_changed_at == changed_at && row.disabled_at.is_none()))
    }

    /// Returns the text of the state, for the cookie.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

fn time(bytes: &[u8]) -> Option<Millis> {
    bytes.try_into().ok().map(Millis::from_be_bytes)
}

impl std::fmt::Debug for PendingSignIn {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("PendingSignIn")
    }
}

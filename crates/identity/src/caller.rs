//! The caller of a request: one type for API keys, access tokens, and browser sessions, so that no rule
//! treats them differently by accident.

use sha2::{Digest, Sha256};

use entities::ids::{AccountId, GrantId, KeyId};
use kernel::tiers::Tier;
use kernel::{Code, Error, Result, Scope, Scopes};

/// Credential by which a caller was authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// Personal API key.
    Key(KeyId),
    /// Access token of an OAuth app.
    Token {
        /// Grant that the person gave to the app.
        grant: GrantId,
        client: ClientHash,
    },
    /// Browser session of a signed-in person.
    Session,
}

/// SHA-256 of an app's client id. The id itself may be long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientHash([u8; 32]);

impl ClientHash {
    /// Hashes a client id.
    pub fn of(client_id: &str) -> Self {
        Self(Sha256::digest(client_id.as_bytes()).into())
    }

    /// Parses a database value; `None` if it has the wrong length.
    pub fn of_row(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Database value.
    pub fn to_vec(self) -> Vec<u8> {
        self.0.to_vec()
    }
}

/// Account that sends a request, with the permissions of its credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub account_id: AccountId,
    pub tier: Tier,
    /// Scopes of the credential.
    pub scopes: Scopes,
    pub credential: Credential,
}

impl Caller {
    /// Checks that the credential has `scope`.
    ///
    /// # Errors
    /// `insufficient_scope`, with the required scope in its details.
    pub fn require(&self, scope: Scope) -> Result<()> {
        if self.scopes.allow(scope) {
            return Ok(());
        }
        let message = format!("This credential does not hold the scope {}.", scope.as_str());
        Err(Error::new(Code::InsufficientScope, message).scope(scope))
    }

    /// Checks that the caller is not an app to which a person gave access.
    ///
    /// # Errors
    /// `owner_required`.
    pub fn require_own_credential(&self) -> Result<()> {
        match self.credential {
            Credential::Session | Credential::Key(_) => Ok(()),
            Credential::Token { .. } => Err(Error::new(
                Code::OwnerRequired,
                "Connected apps may not do this. Sign in with a browser, or use an API key.",
            )),
        }
    }

    /// Checks that the caller is a signed-in person.
    ///
    /// # Errors
    /// `owner_required`.
    pub fn require_session(&self) -> Result<()> {
        match self.credential {
            Credential::Session => Ok(()),
            Credential::Key(_) | Credential::Token { .. } => Err(Error::new(
                Code::OwnerRequired,
                "Only the signed-in person may do this, in a browser. API keys and tokens may not.",
            )),
        }
    }
}

#[cfg(test)]
mod tests;

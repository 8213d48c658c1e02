//! Who asks: one type for keys, access tokens and browser sessions, so that no rule behind it can tell
//! them apart by accident.

use sha2::{Digest, Sha256};

use entities::ids::{AccountId, GrantId, KeyId};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::scope::{Scope, Scopes};
use kernel::tiers::Tier;

/// By what a caller was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A personal API key.
    Key(KeyId),
    /// An access token, which an app holds.
    Token {
        /// What the person allowed the app.
        grant: GrantId,
        /// The app.
        client: ClientHash,
    },
    /// The session of a signed-in person.
    Session,
}

/// An app by the hash of its id, which may be long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientHash([u8; 32]);

impl ClientHash {
    /// The hash of an app's id.
    pub fn of(client_id: &str) -> Self {
        Self(Sha256::digest(client_id.as_bytes()).into())
    }

    /// As a row has it; nothing when it is none.
    pub fn of_row(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// For a row.
    pub fn to_vec(self) -> Vec<u8> {
        self.0.to_vec()
    }
}

/// An account that asks for something, and how it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose request this is.
    pub account_id: AccountId,
    /// Under which plan.
    pub tier: Tier,
    /// What the credential may be used for.
    pub scopes: Scopes,
    /// By what the caller was known.
    pub credential: Credential,
}

impl Caller {
    /// Refuses a credential that does not hold `scope`.
    ///
    /// # Errors
    /// `insufficient_scope`, with the scope that is needed in its details.
    pub fn require(&self, scope: Scope) -> Result<()> {
        if self.scopes.allow(scope) {
            return Ok(());
        }
        let message = format!("This credential does not hold the scope {}.", scope.as_str());
        Err(Error::new(Code::InsufficientScope, message).scope(scope))
    }

    /// Refuses everybody but the signed-in person.
    ///
    /// # Errors
    /// `owner_required`.
    pub fn require_session(&self) -> Result<()> {
        match self.credential {
            Credential::Session => Ok(()),
            Credential::Key(_) | Credential::Token { .. } => Err(Error::new(
                Code::OwnerRequired,
                "Only the signed-in person may do this, in a browser. A key or token may not.",
            )),
        }
    }
}

#[cfg(test)]
mod tests;

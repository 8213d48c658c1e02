//! Who asks: one type for keys, access tokens and browser sessions, so that no rule behind it can tell
//! them apart by accident.

use uuid::Uuid;

use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::keys;
use crate::limits::Tier;

/// What a credential may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// `svc:read`: read library and source content.
    Read,
    /// `svc:write`: read and change library, feeds, files, monitors, reading state.
    Write,
}

impl Scope {
    /// The scope's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "svc:read",
            Self::Write => "svc:write",
        }
    }

    /// The scope of a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Read, Self::Write].into_iter().find(|scope| scope.as_str() == name)
    }
}

/// A set of scopes. Write holds read: who may change something may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scopes {
    read: bool,
    write: bool,
}

impl Scopes {
    /// Both scopes.
    pub const ALL: Self = Self { read: true, write: true };
    /// `svc:read` alone.
    pub const READ: Self = Self { read: true, write: false };
    /// `svc:write` alone.
    pub const WRITE: Self = Self { read: false, write: true };

    /// The set of these names; `None` for an unknown name or none at all.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut scopes = Self { read: false, write: false };
        for name in names {
            match Scope::parse(name)? {
                Scope::Read => scopes.read = true,
                Scope::Write => scopes.write = true,
            }
        }
        (scopes.read || scopes.write).then_some(scopes)
    }

    /// Whether something that needs `scope` may be done.
    pub const fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => self.read || self.write,
            Scope::Write => self.write,
        }
    }

    /// Names of the scopes, read first.
    pub fn names(self) -> Vec<&'static str> {
        let named = [(self.read, Scope::Read), (self.write, Scope::Write)];
        named.into_iter().filter(|(held, _)| *held).map(|(_, scope)| scope.as_str()).collect()
    }
}

/// By what a caller was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A personal API key.
    Key(Uuid),
    /// The session of a signed-in person.
    Session,
}

/// An account that asks for something, and how it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Whose request this is.
    pub account_id: Uuid,
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
        Err(Error::Forbidden {
            code: "insufficient_scope",
            message: format!("This credential does not hold the scope {}.", scope.as_str()),
            details: Some(format!("scope={}", scope.as_str())),
        })
    }

    /// Refuses everybody but the signed-in person.
    ///
    /// # Errors
    /// `owner_required`.
    pub fn require_person(&self) -> Result<()> {
        match self.credential {
            Credential::Session => Ok(()),
            Credential::Key(_) => Err(Error::Forbidden {
                code: "owner_required",
                message: "Only the signed-in person may do this, in a browser. A key or token may not."
                    .into(),
                details: None,
            }),
        }
    }
}

/// The credentials that came with a request to the Developer API.
#[derive(Clone, Copy, Default)]
pub struct Presented<'a> {
    /// What followed `Bearer` in `Authorization`.
    pub bearer: Option<&'a str>,
    /// `X-API-Key`.
    pub api_key: Option<&'a str>,
}

/// Finds out who presents these credentials.
///
/// # Errors
/// `missing_credential`, `conflicting_credentials`, `invalid_credential`, `expired_credential` or
/// `revoked_credential`; `Unavailable` when the database cannot tell.
pub async fn identify(domain: &Domain, presented: Presented<'_>) -> Result<Caller> {
    let credential = match (presented.bearer, presented.api_key) {
        (None, None) => {
            return Err(unauthenticated("missing_credential", "Send an API key or an access token."));
        }
        (Some(bearer), Some(key)) if bearer != key => {
            let message = "Two different credentials were sent. Send one.";
            return Err(unauthenticated("conflicting_credentials", message));
        }
        (Some(credential), _) | (None, Some(credential)) => credential,
    };
    keys::authenticate(domain, credential).await
}

/// An error for a caller who is not known.
pub(crate) fn unauthenticated(code: &'static str, message: &str) -> Error {
    Error::Unauthenticated { code, message: message.to_owned() }
}

#[cfg(test)]
mod tests;

//! Name of an agent's connection, derived from the credential that the agent uses.

use std::fmt::{self, Display, Formatter};

use entities::ids::{GrantId, KeyId};

use crate::caller::{Caller, Credential};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionName(String);

impl ConnectionName {
    /// Connection of a caller; `None` for a browser session.
    pub fn of(caller: &Caller) -> Option<Self> {
        match caller.credential {
            Credential::Key(id) => Some(Self::key(id)),
            Credential::Token { grant, client: _ } => Some(Self::grant(grant)),
            Credential::Session => None,
        }
    }

    /// Connection of an API key.
    pub fn key(id: KeyId) -> Self {
        Self(format!("key:{id}"))
    }

    /// Connection of an app.
    pub fn grant(id: GrantId) -> Self {
        Self(format!("grant:{id}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for ConnectionName {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

//! Settings of `carrel mcp`: the service that it connects a program to.

use super::sources::{Faults, Variables};
use super::values::Secret;

/// Where the service is, and a key for it.
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// `CARREL_URL`.
    pub url: Option<String>,
    /// `CARREL_API_KEY`.
    pub key: Option<Secret>,
}

impl AgentSettings {
    /// Reads them from the environment of this process and a `.env` file; no other setting matters here.
    pub fn from_environment() -> Result<Self, Faults> {
        Ok(Self::read(&mut Variables::of_process(&[])?))
    }

    /// Reads them. A service has no use for them and knows them all the same: they may stand in its environment, and are
    /// no misspelt settings there.
    pub(super) fn read(variables: &mut Variables) -> Self {
        Self { url: variables.optional("CARREL_URL"), key: variables.optional("CARREL_API_KEY") }
    }
}

//! Settings of `carrel mcp` and `carrel notes`: the service to connect to.

use super::sources::{Faults, Variables};
use super::values::SecretSetting;

/// Address of the service and an API key for it.
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// `CARREL_URL`.
    pub url: Option<String>,
    /// `CARREL_API_KEY`.
    pub key: Option<SecretSetting>,
}

impl AgentSettings {
    /// Reads the settings from the environment and the files of settings. Other settings are ignored.
    pub fn from_environment() -> Result<Self, Faults> {
        Ok(Self::read(&mut Variables::of_process(&[])?))
    }

    /// Reads the settings from `variables`. A service also calls this and ignores the result, so that these
    /// names count as known in its environment.
    pub(super) fn read(variables: &mut Variables) -> Self {
        Self { url: variables.optional("CARREL_URL"), key: variables.optional("CARREL_API_KEY") }
    }
}

//! Settings of `carrel import-server`: the credential for the server of another service.

use super::sources::{Faults, Variables};
use super::values::SecretSetting;

/// Credential for a server of another service. Each service uses some of the fields.
#[derive(Clone, Debug)]
pub struct ImportCredentialSettings {
    /// `CARREL_IMPORT_TOKEN`.
    pub token: Option<SecretSetting>,
    /// `CARREL_IMPORT_USERNAME`.
    pub username: Option<SecretSetting>,
    /// `CARREL_IMPORT_PASSWORD`.
    pub password: Option<SecretSetting>,
    /// `CARREL_IMPORT_CLIENT_ID`.
    pub client_id: Option<SecretSetting>,
    /// `CARREL_IMPORT_CLIENT_SECRET`.
    pub client_secret: Option<SecretSetting>,
}

impl ImportCredentialSettings {
    /// Reads the settings from the environment and the files of settings. Other settings are ignored.
    pub fn from_environment() -> Result<Self, Faults> {
        Ok(Self::read(&mut Variables::of_process(&[])?))
    }

    /// Reads the settings. A service also reads and ignores them, so that they count as known names in its
    /// environment.
    pub(super) fn read(variables: &mut Variables) -> Self {
        Self {
            token: variables.optional("CARREL_IMPORT_TOKEN"),
            username: variables.optional("CARREL_IMPORT_USERNAME"),
            password: variables.optional("CARREL_IMPORT_PASSWORD"),
            client_id: variables.optional("CARREL_IMPORT_CLIENT_ID"),
            client_secret: variables.optional("CARREL_IMPORT_CLIENT_SECRET"),
        }
    }
}

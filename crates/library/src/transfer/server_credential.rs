//! Credentials of import servers. They are stored encrypted, and bound to the address of their server.

use entities::ids::ImportServerId;
use entities::library_server;
use extract::imports::ImportService;
use kernel::vault::Vault;
use kernel::{Code, Domain, Error, Result};
use serde::{Deserialize, Serialize};

/// Name of the vault whose key encrypts credentials.
const VAULT: &str = "import_servers";
/// Maximum length of a field, in code points.
const MAX_CHARS: usize = 1000;

/// Credential of an import server. The service determines which fields are set. `Debug` does not print the
/// fields.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServerCredential {
    /// API token.
    pub token: Option<String>,
    pub username: Option<String>,
    pub password: Option<String>,
    /// Id of the client that the person registered at the server.
    pub client_id: Option<String>,
    pub client_secret: Option<String>,
}

impl std::fmt::Debug for ServerCredential {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ServerCredential")
    }
}

/// Returns the names of the fields that the credential of a service must have.
pub fn credential_fields(service: ImportService) -> &'static [&'static str] {
    match service {
        ImportService::Wallabag => &["username", "password", "client_id", "client_secret"],
        ImportService::FreshRss => &["username", "password"],
        ImportService::Karakeep
        | ImportService::Linkding
        | ImportService::Readeck
        | ImportService::Miniflux
        | ImportService::Readwise
        | ImportService::ReadwiseReader
        | ImportService::Raindrop
        | ImportService::Pinboard => &["token"],
    }
}

impl ServerCredential {
    /// Checks that the credential has the fields of the service and no other fields.
    ///
    /// # Errors
    /// `conflicting_changes` if a field is missing or superfluous; `invalid_request` if a field has invalid
    /// characters or an invalid length.
    pub(super) fn check(&self, service: ImportService) -> Result<()> {
        let fields = credential_fields(service);
        let given = [
            ("token", &self.token),
            ("username", &self.username),
            ("password", &self.password),
            ("client_id", &self.client_id),
            ("client_secret", &self.client_secret),
        ];
        for (name, value) in given {
            let (code, reason) = match value {
                None if fields.contains(&name) => (Code::ConflictingChanges, "is needed by this service"),
                Some(_) if !fields.contains(&name) => {
                    (Code::ConflictingChanges, "is not used by this service")
                }
                Some(value) if !is_valid(name, value) => {
                    (Code::InvalidRequest, "must have 1 to 1000 printable characters")
                }
                _ => continue,
            };
            let message = format!("The credential does not fit: {} {reason}.", name.replace('_', " "));
            return Err(Error::new(code, message).at(name, reason));
        }
        Ok(())
    }

    /// Encrypts the credential for a server.
    ///
    /// # Errors
    /// Returns an error if the key of the vault cannot be loaded.
    pub(super) async fn seal(&self, domain: &Domain, id: ImportServerId, address: &str) -> Result<Vec<u8>> {
        let vault = Vault::of(domain, VAULT).await?;
        let plain = serde_json::to_vec(self).map_err(Error::internal)?;
        vault.seal(domain, binding(id, address).as_bytes(), plain)
    }

    /// Decrypts the credential of a server.
    ///
    /// # Errors
    /// `Internal` if the credential was encrypted for another server or address.
    pub(super) async fn open(domain: &Domain, server: &library_server::Model) -> Result<Self> {
        let vault = Vault::of(domain, VAULT).await?;
        let plain = vault.open(binding(server.id, &server.address).as_bytes(), &server.sealed)?;
        // The cause is dropped, because it may contain a part of the credential.
        serde_json::from_slice(&plain).map_err(|_| Error::internal("the credential cannot be read"))
    }
}

fn binding(id: ImportServerId, address: &str) -> String {
    format!("{id}@{address}")
}

/// Returns true if a field has a valid length, and only characters that a header or a form can contain.
fn is_valid(name: &str, value: &str) -> bool {
    let is_printable = if name == "token" {
        value.bytes().all(|byte| byte.is_ascii_graphic())
    } else {
        !value.chars().any(char::is_control)
    };
    (1..=MAX_CHARS).contains(&value.chars().count()) && is_printable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credential_with_missing_or_additional_fields_is_refused() {
        let token = ServerCredential { token: Some("s3cret".to_owned()), ..ServerCredential::default() };
        let login = ServerCredential {
            username: Some("ada".to_owned()),
            password: Some("p\u{e4}ss word".to_owned()),
            ..ServerCredential::default()
        };
        assert!(token.check(ImportService::Karakeep).is_ok() && login.check(ImportService::FreshRss).is_ok());
        assert!(
            token.check(ImportService::FreshRss).is_err() && login.check(ImportService::Karakeep).is_err()
        );
        assert!(login.check(ImportService::Wallabag).is_err(), "the client is missing");
        for wrong in ["", "two words", "line\nbreak", &"x".repeat(1001)] {
            let token = ServerCredential { token: Some(wrong.to_owned()), ..ServerCredential::default() };
            assert!(token.check(ImportService::Linkding).is_err(), "{wrong}");
        }
        assert_eq!(format!("{token:?}"), "ServerCredential");
    }
}

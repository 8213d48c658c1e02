//! Apps (OAuth clients) and their client ids. A registered app has no row: its id contains its registration,
//! sealed with a key of this deployment (RFC 7591, A.5.2), so that the registration never expires and uses no
//! storage.

use async_recursion::async_recursion as boxed;
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::oauth_error::{OAuthCode, OAuthError};
use super::redirect::{matches, without_port};
use kernel::{Domain, Result, secrets};

/// Prefix of client ids.
const PREFIX: &str = "cli_";
/// Maximum length of a client id, in characters.
pub(super) const MAX_ID_CHARS: usize = 900;
/// Length of a seal, in bytes.
const SEAL: usize = 32;

/// Client authentication at the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClientAuth {
    /// No authentication: PKCE binds a code to the app.
    #[serde(rename = "n")]
    Public,
    /// Client secret.
    #[serde(rename = "s")]
    Secret,
    /// Assertion signed with the app's key; for apps with a client metadata document.
    #[serde(rename = "k")]
    Key,
    /// Signed assertion or no authentication.
    #[serde(rename = "o")]
    KeyOrNone,
}

/// An app (OAuth client).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    pub id: String,
    /// Name given by the app.
    pub name: String,
    /// Registered redirect URIs. Loopback URIs are stored without their port.
    pub redirect_uris: Vec<String>,
    /// Authentication at the token endpoint.
    pub auth: ClientAuth,
    /// True if the app gets refresh tokens.
    pub may_refresh: bool,
    /// Host of the client metadata document, if the client id is its URL.
    pub document_host: Option<String>,
}

/// Credentials that an app sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClientCredentials<'a> {
    pub client_id: &'a str,
    pub secret: Option<&'a str>,
    /// Signed assertion (`client_assertion`).
    pub assertion: Option<&'a str>,
}

/// Registration data sealed into a client id.
#[derive(Serialize, Deserialize)]
struct SealedClient {
    #[serde(rename = "n")]
    name: String,
    #[serde(rename = "r")]
    redirect_uris: Vec<String>,
    #[serde(rename = "a")]
    auth: ClientAuth,
    #[serde(rename = "f")]
    may_refresh: bool,
    /// Random text in the id of an app with a secret. Without it, anyone who knows the id could register the same app
    /// again and receive the same secret.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    nonce: Option<String>,
}

/// Creates and parses the client ids of this deployment.
#[derive(Clone)]
pub struct Clients([u8; 32]);

impl Clients {
    /// Loads the key of this deployment.
    ///
    /// # Errors
    /// `service_unavailable` if the database does not answer.
    #[boxed]
    pub async fn of(domain: &Domain) -> Result<Self> {
        Ok(Self(secrets::load(domain, "oauth clients").await?))
    }

    /// Creates an app with these properties. `None` if its client id would be too long. Equal properties result in
    /// equal ids, except that apps with a secret have unique ids (RFC 7591, section 3.2.1).
    pub(super) fn seal(
        &self,
        name: String,
        redirect_uris: &[String],
        auth: ClientAuth,
        may_refresh: bool,
    ) -> Option<Client> {
        let bare = |uri: &String| {
            without_port(uri).map_or_else(|| uri.clone(), |(host, rest)| format!("{host}{rest}"))
        };
        let mut unique_uris: Vec<String> = Vec::new();
        for uri in redirect_uris.iter().map(bare) {
            if !unique_uris.contains(&uri) {
                unique_uris.push(uri);
            }
        }
        let redirect_uris = unique_uris;
        let nonce = match auth {
            ClientAuth::Secret => {
                let random = ring::rand::generate::<[u8; 16]>(&ring::rand::SystemRandom::new()).ok()?;
                Some(BASE64URL_NOPAD.encode(&random.expose()))
            }
            ClientAuth::Public | ClientAuth::Key | ClientAuth::KeyOrNone => None,
        };
        let sealed = SealedClient { name, redirect_uris, auth, may_refresh, nonce };
        let mut bytes = serde_json::to_vec(&sealed).ok()?;
        let seal = self.mac(b"id", &bytes);
        bytes.extend_from_slice(&seal);
        let id = format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&bytes));
        let SealedClient { name, redirect_uris, auth, may_refresh, .. } = sealed;
        let client = Client { id, name, redirect_uris, auth, may_refresh, document_host: None };
        (client.id.len() <= MAX_ID_CHARS).then_some(client)
    }

    /// Returns the app of a client id. `None` if the id was not issued by this deployment.
    pub fn find(&self, id: &str) -> Option<Client> {
        let bytes = BASE64URL_NOPAD.decode(id.strip_prefix(PREFIX)?.as_bytes()).ok()?;
        let (payload, seal) = bytes.split_at(bytes.len().checked_sub(SEAL)?);
        if !bool::from(self.mac(b"id", payload).ct_eq(seal)) {
            return None;
        }
        let SealedClient { name, redirect_uris, auth, may_refresh, .. } =
            serde_json::from_slice(payload).ok()?;
        Some(Client { id: id.to_owned(), name, redirect_uris, auth, may_refresh, document_host: None })
    }

    /// Returns the secret of an app. It is derived from the client id and not stored.
    pub(super) fn secret(&self, id: &str) -> String {
        BASE64URL_NOPAD.encode(&self.mac(b"secret", id.as_bytes()))
    }

    /// Authenticates an app.
    ///
    /// # Errors
    /// `invalid_client` for an unknown client id, a wrong or missing secret, or a secret sent by a public
    /// app.
    pub fn authenticate(&self, presented: ClientCredentials<'_>) -> Result<Client, OAuthError> {
        let unknown_client =
            || OAuthError::new(OAuthCode::InvalidClient, "Unknown client. Register it again.");
        let client = self.find(presented.client_id).ok_or_else(unknown_client)?;
        let is_authenticated = match (client.auth, presented.secret) {
            (ClientAuth::Public, None) => true,
            (ClientAuth::Secret, Some(secret)) => {
                self.secret(&client.id).as_bytes().ct_eq(secret.as_bytes()).into()
            }
            // Client ids issued by this server never belong to apps with keys.
            (ClientAuth::Public, Some(_))
            | (ClientAuth::Secret, None)
            | (ClientAuth::Key | ClientAuth::KeyOrNone, _) => false,
        };
        if is_authenticated {
            return Ok(client);
        }
        Err(OAuthError::new(OAuthCode::InvalidClient, "Client authentication failed."))
    }

    /// Client ids with a fixed key, for tests.
    #[cfg(test)]
    pub(super) fn for_tests() -> Self {
        Self([1; 32])
    }

    fn mac(&self, purpose: &[u8], bytes: &[u8]) -> [u8; SEAL] {
        #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&[u8::try_from(purpose.len()).unwrap_or_default()]);
        mac.update(purpose);
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }
}

impl Client {
    /// Returns whether the app registered the redirect URI `uri`.
    pub fn may_redirect_to(&self, uri: &str) -> bool {
        self.redirect_uris.iter().any(|registered| matches(registered, uri))
    }
}

impl std::fmt::Debug for Clients {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Clients")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registered(clients: &Clients, auth: ClientAuth) -> Client {
        let uris = ["http://localhost:8787/callback".to_owned(), "https://example.org/back".to_owned()];
        clients.seal("Reader".to_owned(), &uris, auth, true).unwrap()
    }

    #[test]
    fn client_id_round_trips_and_cannot_be_forged() {
        let clients = Clients::for_tests();
        let client = registered(&clients, ClientAuth::Public);
        assert_eq!(clients.find(&client.id), Some(client.clone()));
        assert_eq!(registered(&clients, ClientAuth::Public), client, "the same app has the same id");
        assert!(
            client.may_redirect_to("http://localhost:1/callback")
                && client.may_redirect_to("https://example.org/back")
        );
        assert_eq!(Clients([2; 32]).find(&client.id), None);
        for at in PREFIX.len()..client.id.len() {
            let mut other = client.id.clone().into_bytes();
            other[at] = if other[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(clients.find(&String::from_utf8(other).unwrap()), None, "{at}");
        }
        for invalid in ["", "cli_", "cli_AAAA", "https://example.org/client.json"] {
            assert_eq!(clients.find(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn app_with_a_secret_has_a_unique_id_and_secret() {
        let clients = Clients::for_tests();
        let (first, second) =
            (registered(&clients, ClientAuth::Secret), registered(&clients, ClientAuth::Secret));
        assert_ne!(first.id, second.id);
        assert_ne!(clients.secret(&first.id), clients.secret(&second.id));
        assert_eq!(clients.find(&first.id), Some(first));
    }

    #[test]
    fn app_authenticates_by_its_registered_method() {
        let clients = Clients::for_tests();
        let (public, confidential) =
            (registered(&clients, ClientAuth::Public), registered(&clients, ClientAuth::Secret));
        let secret = clients.secret(&confidential.id);
        let accepts = |client: &Client, secret: Option<&str>| {
            clients
                .authenticate(ClientCredentials { client_id: &client.id, secret, assertion: None })
                .map_err(|error| error.code)
        };
        assert_eq!(accepts(&public, None), Ok(public.clone()));
        assert_eq!(accepts(&confidential, Some(&secret)), Ok(confidential.clone()));
        for (client, sent) in [
            (&public, Some(&*secret)),
            (&confidential, None),
            (&confidential, Some("")),
            (&confidential, Some("x")),
        ] {
            assert_eq!(accepts(client, sent), Err(OAuthCode::InvalidClient));
        }
    }

    #[test]
    fn registration_too_long_for_a_client_id_is_refused() {
        let uris: Vec<String> =
            (0..20).map(|n| format!("https://example.org/{n}/{}", "a".repeat(60))).collect();
        assert_eq!(Clients::for_tests().seal("x".to_owned(), &uris, ClientAuth::Public, true), None);
    }
}

//! The OpenID provider: its metadata and keys, which are cached in the process, and the exchange of a code.

use std::sync::Arc;

use data_encoding::BASE64;
use fetch::SetupError;
use fetch::oidc_server::{OidcAnswer, OidcServer, OidcServerError};
use serde::Deserialize;
use tokio::sync::Mutex;
use url::form_urlencoded::{Serializer, byte_serialize};

use super::id_token::{self, ExpectedClaims, IdClaims, PersonClaims, ProviderPerson};
use super::metadata::{ClientAuthMethod, Metadata, MetadataError};
use super::settings::{OidcIssuer, OidcSettings, PasswordSignIn};
use crate::signed_token::{self, TokenFault};
use kernel::clock::{HOUR, SECOND};
use kernel::{Domain, Millis};

/// Time for which metadata and keys are cached.
const CACHE_MS: Millis = HOUR;
/// Minimum age of the cached keys before an unknown key causes another fetch.
const KEY_REFETCH_MS: Millis = 30 * SECOND;
/// Pause after a failed fetch before another fetch is attempted.
const PAUSE_MS: Millis = 5 * SECOND;
/// Maximum length of an error code of the provider in logs, in characters.
const MAX_ERROR_CHARS: usize = 40;

/// Error of the provider. It contains no token and no code.
#[derive(Debug, thiserror::Error)]
pub enum OidcProviderError {
    #[error(transparent)]
    Server(#[from] OidcServerError),
    /// The provider answered with this status.
    #[error("the provider answered with status {0}")]
    Status(u16),
    #[error("the provider cannot be used: {0}")]
    Metadata(#[from] MetadataError),
    /// The named document is not the expected JSON.
    #[error("the {0} of the provider is not the expected JSON")]
    Format(&'static str),
    /// The code or the client was refused, with this error code.
    #[error("the provider refused the code: {0}")]
    Refused(String),
    /// The ID token is missing, not signed by the provider, or has an invalid claim.
    #[error("the ID token is not valid: {0}")]
    IdToken(&'static str),
    #[error("the provider could not be reached a moment ago")]
    Paused,
}

/// The OpenID provider that the operator configured. Clones share the cache.
#[derive(Clone, Debug)]
pub struct OidcProvider(Arc<SharedProvider>);

#[derive(Debug)]
struct SharedProvider {
    settings: OidcSettings,
    server: OidcServer,
    /// Locked during a fetch, so that concurrent sign-ins cause one request.
    cache: Mutex<ProviderCache>,
}

#[derive(Debug, Default)]
struct ProviderCache {
    metadata: Option<Cached<Metadata>>,
    keys: Option<Cached<str>>,
    failed_at: Option<Millis>,
}

#[derive(Debug)]
struct Cached<T: ?Sized> {
    value: Arc<T>,
    fetched_at: Millis,
}

impl<T: ?Sized> Cached<T> {
    fn at_most(&self, max_age: Millis, now: Millis) -> Option<Arc<T>> {
        (now - self.fetched_at < max_age).then(|| Arc::clone(&self.value))
    }
}

/// An authorization code, and the values that its exchange needs.
#[derive(Clone, Copy)]
pub(super) struct OidcCode<'a> {
    pub(super) code: &'a str,
    pub(super) verifier: &'a str,
    pub(super) redirect_uri: &'a str,
    pub(super) nonce: &'a str,
}

/// Completed sign-in at the provider.
pub(super) struct Authenticated {
    pub(super) person: ProviderPerson,
    /// Credential for the userinfo endpoint.
    access_token: Option<String>,
}

/// Response of the token endpoint.
#[derive(Deserialize)]
struct ProviderTokens {
    id_token: Option<String>,
    access_token: Option<String>,
}

#[derive(Deserialize)]
struct TokenError {
    error: String,
}

/// Response of the userinfo endpoint.
#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    claims: PersonClaims,
}

impl OidcProvider {
    /// Creates the client of a provider. Nothing is fetched before it is needed.
    ///
    /// # Errors
    /// If the HTTP client cannot be created.
    pub fn new(settings: OidcSettings) -> Result<Self, SetupError> {
        let server = OidcServer::new()?;
        Ok(Self(Arc::new(SharedProvider { settings, server, cache: Mutex::default() })))
    }

    /// Name of the provider, as buttons display it.
    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    pub fn issuer(&self) -> &OidcIssuer {
        &self.0.settings.issuer
    }

    /// True if people can also sign in with a password.
    pub fn accepts_passwords(&self) -> bool {
        self.0.settings.passwords == PasswordSignIn::Allowed
    }

    pub(super) fn settings(&self) -> &OidcSettings {
        &self.0.settings
    }

    /// Checks that the provider answers with metadata of its issuer, and with keys.
    ///
    /// # Errors
    /// Returns the first fault.
    pub async fn check(&self) -> Result<(), OidcProviderError> {
        let metadata = self.fetch_metadata().await?;
        self.fetch_keys(&metadata).await?;
        Ok(())
    }

    /// Returns the metadata. Fetches it if it is not cached.
    pub(super) async fn metadata(&self, domain: &Domain) -> Result<Arc<Metadata>, OidcProviderError> {
        let mut cache = self.0.cache.lock().await;
        // Read after the wait for the lock: callers that waited for a failed fetch do not try another one.
        let now = domain.now();
        if let Some(metadata) = cache.metadata.as_ref().and_then(|cached| cached.at_most(CACHE_MS, now)) {
            return Ok(metadata);
        }
        cache.require_no_pause(now)?;
        let fetched = self.fetch_metadata().await;
        let fetched_at = domain.now();
        cache.failed_at = fetched.is_err().then_some(fetched_at);
        let value = Arc::new(fetched?);
        cache.metadata = Some(Cached { value: Arc::clone(&value), fetched_at });
        Ok(value)
    }

    /// Returns the keys. Fetches them if the cached keys are older than `max_age`.
    async fn keys(
        &self,
        domain: &Domain,
        metadata: &Metadata,
        max_age: Millis,
    ) -> Result<Arc<str>, OidcProviderError> {
        let mut cache = self.0.cache.lock().await;
        let now = domain.now();
        if let Some(keys) = cache.keys.as_ref().and_then(|cached| cached.at_most(max_age, now)) {
            return Ok(keys);
        }
        cache.require_no_pause(now)?;
        let fetched = self.fetch_keys(metadata).await;
        let fetched_at = domain.now();
        cache.failed_at = fetched.is_err().then_some(fetched_at);
        let value = fetched?;
        cache.keys = Some(Cached { value: Arc::clone(&value), fetched_at });
        Ok(value)
    }

    async fn fetch_metadata(&self) -> Result<Metadata, OidcProviderError> {
        let answer = self.0.server.get(&self.issuer().metadata_url(), None).await?;
        Ok(Metadata::parse(self.issuer(), &successful(answer)?)?)
    }

    async fn fetch_keys(&self, metadata: &Metadata) -> Result<Arc<str>, OidcProviderError> {
        let body = successful(self.0.server.get(&metadata.jwks_uri, None).await?)?;
        let keys = String::from_utf8(body).map_err(|_| OidcProviderError::Format("key set"))?;
        if signed_token::has_keys(&keys) {
            Ok(keys.into())
        } else {
            Err(OidcProviderError::Format("key set"))
        }
    }

    /// Exchanges a code, and returns the person whom the provider has authenticated.
    pub(super) async fn authenticate(
        &self,
        domain: &Domain,
        metadata: &Metadata,
        code: OidcCode<'_>,
    ) -> Result<Authenticated, OidcProviderError> {
        let tokens = self.exchange(metadata, code).await?;
        let token = tokens.id_token.ok_or(OidcProviderError::IdToken("it is missing"))?;
        let settings = self.settings();
        let expected = ExpectedClaims {
            issuer: settings.issuer.as_str(),
            client_id: &settings.client_id,
            nonce: code.nonce,
        };
        let claims = self.verify(domain, metadata, &token).await?;
        let person = claims.validate(expected, domain.now()).map_err(OidcProviderError::IdToken)?;
        Ok(Authenticated { person, access_token: tokens.access_token })
    }

    /// Returns the e-mail address of a person if the provider has verified it. If the ID token has no address, it is
    /// requested from the userinfo endpoint.
    pub(super) async fn verified_email(
        &self,
        domain: &Domain,
        authenticated: &Authenticated,
    ) -> Result<Option<String>, OidcProviderError> {
        let claims = &authenticated.person.claims;
        if claims.has_email() {
            return Ok(claims.verified().map(str::to_owned));
        }
        let requested = self.user_info(domain, authenticated).await?;
        Ok(requested.and_then(|claims| claims.verified().map(str::to_owned)))
    }

    /// Returns the label of a person. If the ID token has none, it is requested from the userinfo endpoint. `None` if
    /// neither has one, or if that endpoint fails: the label is only for display.
    pub(super) async fn label(&self, domain: &Domain, authenticated: &Authenticated) -> Option<String> {
        if let Some(label) = authenticated.person.claims.label() {
            return Some(label);
        }
        match self.user_info(domain, authenticated).await {
            Ok(claims) => claims.and_then(|claims| claims.label()),
            Err(error) => {
                tracing::warn!(%error, "label of a person of the OpenID provider not available");
                None
            }
        }
    }

    async fn exchange(
        &self,
        metadata: &Metadata,
        code: OidcCode<'_>,
    ) -> Result<ProviderTokens, OidcProviderError> {
        let (form, authorization) = self.token_request(metadata, code);
        let (server, url) = (&self.0.server, &metadata.token_endpoint);
        let answer = server.post_form(url, form, authorization.as_deref()).await?;
        match answer.status {
            200 => serde_json::from_slice(&answer.body)
                .map_err(|_| OidcProviderError::Format("answer of the token endpoint")),
            400 | 401 => Err(OidcProviderError::Refused(error_code(&answer.body))),
            status => Err(OidcProviderError::Status(status)),
        }
    }

    /// Returns the form and the `Authorization` header of a token request (RFC 6749, 4.1.3).
    fn token_request(&self, metadata: &Metadata, code: OidcCode<'_>) -> (String, Option<String>) {
        let settings = self.settings();
        let mut form = Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code.code)
            .append_pair("redirect_uri", code.redirect_uri)
            .append_pair("code_verifier", code.verifier);
        let authorization = match (&settings.client_secret, metadata.client_auth) {
            (Some(secret), ClientAuthMethod::Basic) => Some(basic(&settings.client_id, secret)),
            (Some(secret), ClientAuthMethod::Post) => {
                form.append_pair("client_id", &settings.client_id).append_pair("client_secret", secret);
                None
            }
            (None, _) => {
                form.append_pair("client_id", &settings.client_id);
                None
            }
        };
        (form.finish(), authorization)
    }

    /// Verifies the signature of an ID token. The keys are fetched again if the key is unknown.
    async fn verify(
        &self,
        domain: &Domain,
        metadata: &Metadata,
        token: &str,
    ) -> Result<IdClaims, OidcProviderError> {
        let mut verified = Err(TokenFault::UnknownKey);
        for max_age in [CACHE_MS, KEY_REFETCH_MS] {
            let keys = self.keys(domain, metadata, max_age).await?;
            verified = signed_token::verify(&keys, token, id_token::MAX_BYTES);
            if !matches!(verified, Err(TokenFault::UnknownKey)) {
                break;
            }
        }
        verified.map_err(|fault| match fault {
            TokenFault::UnknownKey => OidcProviderError::IdToken("its key is unknown"),
            TokenFault::Invalid => OidcProviderError::IdToken("its form, algorithm, or signature"),
        })
    }

    /// Requests the claims about a person from the userinfo endpoint (OpenID Connect Core 1.0, 5.3). `None` if the
    /// provider has no such endpoint, or issued no access token.
    async fn user_info(
        &self,
        domain: &Domain,
        authenticated: &Authenticated,
    ) -> Result<Option<PersonClaims>, OidcProviderError> {
        let metadata = self.metadata(domain).await?;
        let (Some(token), Some(url)) = (&authenticated.access_token, &metadata.userinfo_endpoint) else {
            return Ok(None);
        };
        let answer = self.0.server.get(url, Some(&format!("Bearer {token}"))).await?;
        let info: UserInfo = serde_json::from_slice(&successful(answer)?)
            .map_err(|_| OidcProviderError::Format("answer of the userinfo endpoint"))?;
        if info.sub == authenticated.person.subject {
            Ok(Some(info.claims))
        } else {
            Err(OidcProviderError::IdToken("userinfo of another person"))
        }
    }
}

impl ProviderCache {
    fn require_no_pause(&self, now: Millis) -> Result<(), OidcProviderError> {
        match self.failed_at {
            Some(failed_at) if now - failed_at < PAUSE_MS => Err(OidcProviderError::Paused),
            Some(_) | None => Ok(()),
        }
    }
}

fn successful(answer: OidcAnswer) -> Result<Vec<u8>, OidcProviderError> {
    if answer.status == 200 { Ok(answer.body.into()) } else { Err(OidcProviderError::Status(answer.status)) }
}

/// Credentials of the client for the `Authorization` header (RFC 6749, 2.3.1).
fn basic(client_id: &str, secret: &str) -> String {
    let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", BASE64.encode(format!("{}:{}", encoded(client_id), encoded(secret)).as_bytes()))
}

/// Error code in a response of the token endpoint, for logs.
fn error_code(body: &[u8]) -> String {
    let error = serde_json::from_slice::<TokenError>(body).map(|answer| answer.error).unwrap_or_default();
    loggable(&error)
}

/// Returns the beginning of an error code, without the characters that are not allowed in error codes.
pub(super) fn loggable(code: &str) -> String {
    let is_of_code = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    code.chars().filter(is_of_code).take(MAX_ERROR_CHARS).collect()
}

//! Metadata of a provider (OpenID Connect Discovery 1.0, 3). Only the fields that the authorization code flow needs are
//! read.

use serde::Deserialize;
use url::Url;

use super::settings::OidcIssuer;

/// Maximum length of a provider's text in an error, in characters.
const MAX_TEXT_CHARS: usize = 200;

/// Reason why metadata cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    #[error("its metadata is not the expected JSON")]
    Format,
    /// The metadata names this issuer, which is not the configured one.
    #[error("it names itself `{0}`; CARREL_OIDC_ISSUER must be exactly this text")]
    Issuer(String),
    /// The endpoint with this name is missing, or its URL is not confidential.
    #[error("its `{0}` must be an https address, or http at a loopback address")]
    Endpoint(&'static str),
}

/// Method by which Carrel authenticates at the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientAuthMethod {
    /// `client_secret_basic`
    Basic,
    /// `client_secret_post`
    Post,
}

/// Metadata of a provider.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) userinfo_endpoint: Option<Url>,
    pub(super) jwks_uri: Url,
    pub(super) client_auth: ClientAuthMethod,
    /// True if each response of the provider has the parameter `iss` (RFC 9207).
    pub(super) names_issuer: bool,
}

#[derive(Deserialize)]
struct ProviderDocument {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    userinfo_endpoint: Option<String>,
    jwks_uri: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

impl Metadata {
    /// Parses the metadata that the provider of `issuer` sent.
    ///
    /// # Errors
    /// If the metadata names another issuer, or an endpoint is missing or not confidential.
    pub(super) fn parse(issuer: &OidcIssuer, body: &[u8]) -> Result<Self, MetadataError> {
        let document: ProviderDocument = serde_json::from_slice(body).map_err(|_| MetadataError::Format)?;
        if document.issuer != issuer.as_str() {
            let other_issuer = document.issuer.chars().take(MAX_TEXT_CHARS).collect();
            return Err(MetadataError::Issuer(other_issuer));
        }
        let methods = document.token_endpoint_auth_methods_supported;
        // The default is `client_secret_basic`.
        let has_basic =
            methods.is_none_or(|methods| methods.iter().any(|name| name == "client_secret_basic"));
        Ok(Self {
            authorization_endpoint: endpoint("authorization_endpoint", document.authorization_endpoint)?,
            token_endpoint: endpoint("token_endpoint", document.token_endpoint)?,
            userinfo_endpoint: match document.userinfo_endpoint {
                Some(address) => Some(endpoint("userinfo_endpoint", Some(address))?),
                None => None,
            },
            jwks_uri: endpoint("jwks_uri", document.jwks_uri)?,
            client_auth: if has_basic { ClientAuthMethod::Basic } else { ClientAuthMethod::Post },
            names_issuer: document.authorization_response_iss_parameter_supported,
        })
    }
}

fn endpoint(name: &'static str, address: Option<String>) -> Result<Url, MetadataError> {
    let address = address.filter(|address| fetch::is_confidential(address));
    address.and_then(|address| Url::parse(&address).ok()).ok_or(MetadataError::Endpoint(name))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const ISSUER: &str = "https://id.example.org/o/carrel/";

    fn document() -> Value {
        json!({
            "issuer": ISSUER,
            "authorization_endpoint": "https://id.example.org/authorize",
            "token_endpoint": "https://tokens.example.org/token",
            "jwks_uri": "https://id.example.org/keys",
            "response_types_supported": ["code"],
        })
    }

    fn parse(document: &Value) -> Result<Metadata, MetadataError> {
        Metadata::parse(&ISSUER.parse().unwrap(), document.to_string().as_bytes())
    }

    #[test]
    fn metadata_of_the_expected_issuer_is_accepted() {
        let metadata = parse(&document()).unwrap();
        assert_eq!(metadata.token_endpoint.as_str(), "https://tokens.example.org/token");
        assert_eq!((metadata.client_auth, metadata.names_issuer), (ClientAuthMethod::Basic, false));
        assert!(metadata.userinfo_endpoint.is_none());
        let mut other = document();
        other["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
        other["authorization_response_iss_parameter_supported"] = json!(true);
        let metadata = parse(&other).unwrap();
        assert_eq!((metadata.client_auth, metadata.names_issuer), (ClientAuthMethod::Post, true));
    }

    #[test]
    fn metadata_of_another_issuer_or_with_unprotected_addresses_is_refused() {
        let mut other = document();
        other["issuer"] = json!("https://id.example.org/o/carrel");
        let expected = MetadataError::Issuer("https://id.example.org/o/carrel".to_owned());
        assert_eq!(parse(&other).unwrap_err(), expected, "a missing slash is another issuer");
        for name in ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] {
            let mut unsafe_document = document();
            unsafe_document[name] = json!("http://id.example.org/x");
            assert_eq!(parse(&unsafe_document).unwrap_err(), MetadataError::Endpoint(name));
        }
        assert_eq!(Metadata::parse(&ISSUER.parse().unwrap(), b"[]").unwrap_err(), MetadataError::Format);
    }
}

//! Rules for client metadata documents (OAuth Client ID Metadata Document, draft 00): which URLs may be
//! fetched, and which contents are valid. This module fetches nothing.

use fetch::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::client::{ClientAuth, MAX_ID_CHARS};
use super::redirect::check_redirect;
use super::registration::{MAX_REDIRECTS, clean_name};

/// Message for every unusable document. It does not contain the reason, which could be used to probe internal
/// networks.
pub(super) const UNUSABLE: &str = "The app's own description could not be read or is invalid. Try again in a minute. If the problem persists, contact the maker of the app.";

/// The relevant parts of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClientDocument {
    /// Name given by the app.
    pub(super) name: String,
    pub(super) redirect_uris: Vec<String>,
    /// Authentication at the token endpoint.
    pub(super) auth: ClientAuth,
    /// True if the app gets refresh tokens.
    pub(super) may_refresh: bool,
    pub(super) keys: Keys,
}

/// Location of the public keys of an app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Keys {
    /// The app has no keys.
    None,
    /// The keys are in the document, as JSON text.
    #[serde(rename = "Here")]
    Inline(String),
    /// The keys are at this URL.
    At(String),
}

/// A document as the app publishes it (RFC 7591, section 2).
#[derive(Deserialize)]
struct RawClientDocument {
    client_id: String,
    client_name: Option<String>,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    jwks: Option<Value>,
    jwks_uri: Option<String>,
    client_secret: Option<Value>,
    client_secret_expires_at: Option<Value>,
}

/// Returns whether a client id is a URL rather than an id that this server issued.
pub(super) fn is_document_url(client_id: &str) -> bool {
    client_id.contains("://")
}

/// Parses a client id as the URL of a document. `None` if the URL may not be fetched. `settings` are the guard's
/// settings.
pub(super) fn document_url(client_id: &str, settings: &fetch::FetcherSettings) -> Option<Url> {
    let rest = client_id.strip_prefix("https://").filter(|_| client_id.len() <= MAX_ID_CHARS)?;
    if client_id.contains('#') || !client_id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return None;
    }
    let url = fetch::check_url(client_id, settings).ok()?;
    // Only the operator can allow another port, as with the other exceptions of the guard.
    if url.port().is_some_and(|port| !settings.allow.iter().any(|rule| rule.port == Some(port))) {
        return None;
    }
    let path = rest.find('/').map(|at| rest[at..].split('?').next().unwrap_or_default())?;
    let has_dots = path.split('/').any(|segment| matches!(decode_dots(segment).as_str(), "." | ".."));
    (path.len() > 1 && !has_dots).then_some(url)
}

/// Decodes percent-encoded dots in a path segment.
fn decode_dots(segment: &str) -> String {
    segment.replace("%2e", ".").replace("%2E", ".")
}

/// Parses the document of `client_id`; `None` if it violates a rule. `origins` are the origins of
/// this service.
pub(super) fn parse(
    client_id: &str,
    body: &[u8],
    origins: &[&str],
    settings: &fetch::FetcherSettings,
) -> Option<ClientDocument> {
    let raw: RawClientDocument = serde_json::from_slice(body).ok()?;
    let has_secret = raw.client_secret.is_some() || raw.client_secret_expires_at.is_some();
    if raw.client_id != client_id || has_secret {
        return None;
    }
    let redirects = &raw.redirect_uris;
    if redirects.is_empty() || redirects.len() > MAX_REDIRECTS {
        return None;
    }
    if redirects.iter().any(|uri| check_redirect(uri, origins).is_err()) {
        return None;
    }
    let allows = |types: &Option<Vec<String>>, name: &str| {
        types.as_ref().is_none_or(|types| types.iter().any(|listed| listed == name))
    };
    if !allows(&raw.grant_types, "authorization_code") || !allows(&raw.response_types, "code") {
        return None;
    }
    let auth = auth_of(&raw)?;
    let keys = match (auth, &raw.jwks, &raw.jwks_uri) {
        (ClientAuth::Public, _, _) => Keys::None,
        (ClientAuth::Key | ClientAuth::KeyOrNone, Some(keys), None) => Keys::Inline(keys.to_string()),
        (ClientAuth::Key | ClientAuth::KeyOrNone, None, Some(at)) => {
            document_url(at, settings)?;
            Keys::At(at.clone())
        }
        (ClientAuth::Key | ClientAuth::KeyOrNone | ClientAuth::Secret, _, _) => return None,
    };
    Some(ClientDocument {
        name: clean_name(raw.client_name.as_deref().unwrap_or_default()),
        may_refresh: allows(&raw.grant_types, "refresh_token"),
        redirect_uris: raw.redirect_uris,
        auth,
        keys,
    })
}

/// Client authentication that the document declares. `None` for a method based on a secret, because a public
/// document cannot contain one.
fn auth_of(raw: &RawClientDocument) -> Option<ClientAuth> {
    let allows_none =
        raw.token_endpoint_auth_methods_supported.iter().flatten().any(|method| method == "none");
    match raw.token_endpoint_auth_method.as_deref() {
        None | Some("none") => Some(ClientAuth::Public),
        Some("private_key_jwt") if allows_none => Some(ClientAuth::KeyOrNone),
        Some("private_key_jwt") => Some(ClientAuth::Key),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ID: &str = "https://example.org/client.json";

    fn read(change: impl FnOnce(&mut Value)) -> Option<ClientDocument> {
        let mut document = json!({
            "client_id": ID,
            "client_name": "Reader",
            "redirect_uris": ["https://example.org/back", "http://localhost/callback"],
        });
        change(&mut document);
        parse(
            ID,
            document.to_string().as_bytes(),
            &["https://carrel.example"],
            &fetch::FetcherSettings::default(),
        )
    }

    #[test]
    fn document_urls_must_be_public_https_with_a_path_and_the_default_port() {
        let settings = fetch::FetcherSettings::default();
        for good in
            [ID, "https://example.org/a?b=c", "https://example.org:443/a", "https://example.org/a.b/..c"]
        {
            assert!(document_url(good, &settings).is_some(), "{good}");
        }
        let long = format!("https://example.org/{}", "a".repeat(MAX_ID_CHARS));
        for refused in [
            "http://example.org/client.json",
            "HTTPS://example.org/client.json",
            "https://example.org",
            "https://example.org/",
            "https://example.org/?a",
            "https://example.org:8443/client.json",
            "https://a@example.org/client.json",
            "https://example.org/client.json#",
            "https://example.org/a/../client.json",
            "https://example.org/a/%2e%2E/client.json",
            "https://example.org/./client.json",
            "https://example.org/a b",
            "https://example.org/\u{e9}",
            "https://127.0.0.1/client.json",
            "https://localhost/client.json",
            "https://10.0.0.7/client.json",
            long.as_str(),
        ] {
            assert!(document_url(refused, &settings).is_none(), "{refused}");
        }
        assert!(is_document_url(ID) && !is_document_url("cli_abc"));
    }

    #[test]
    fn name_and_redirect_uris_are_read_from_the_document() {
        let document = read(|_| {}).unwrap();
        assert_eq!((document.name.as_str(), document.auth), ("Reader", ClientAuth::Public));
        assert!(document.may_refresh && document.keys == Keys::None);
        let without_refresh =
            read(|document| document["grant_types"] = json!(["authorization_code"])).unwrap();
        assert!(!without_refresh.may_refresh);
    }

    #[test]
    fn keys_or_their_url_are_read_from_the_document() {
        let with = |at: Value, others: Value| {
            read(|document| {
                document["token_endpoint_auth_method"] = json!("private_key_jwt");
                document["token_endpoint_auth_methods_supported"] = others;
                document["jwks_uri"] = at;
            })
        };
        let at = json!("https://example.org/jwks.json");
        let required = with(at.clone(), Value::Null).unwrap();
        assert_eq!(
            (required.auth, required.keys),
            (ClientAuth::Key, Keys::At("https://example.org/jwks.json".to_owned()))
        );
        assert_eq!(with(at, json!(["none", "private_key_jwt"])).unwrap().auth, ClientAuth::KeyOrNone);
        assert_eq!(with(Value::Null, Value::Null), None, "the keys are missing");
        assert_eq!(
            with(json!("https://10.0.0.7/jwks"), Value::Null),
            None,
            "the key URL is in a private network"
        );
    }

    #[test]
    fn invalid_document_is_rejected() {
        for (member, value) in [
            ("client_id", json!("https://example.org/other.json")),
            ("redirect_uris", json!([])),
            ("redirect_uris", json!(["http://example.org/back"])),
            ("redirect_uris", json!(["https://carrel.example/back"])),
            ("redirect_uris", json!("https://example.org/back")),
            ("token_endpoint_auth_method", json!("client_secret_basic")),
            ("token_endpoint_auth_method", json!("client_secret_jwt")),
            ("client_secret", json!("x")),
            ("grant_types", json!(["implicit"])),
            ("response_types", json!(["token"])),
        ] {
            assert_eq!(read(|document| document[member] = value.clone()), None, "{member} {value}");
        }
        assert_eq!(parse(ID, b"[]", &[], &fetch::FetcherSettings::default()), None);
    }
}

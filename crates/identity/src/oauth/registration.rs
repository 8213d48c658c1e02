//! Dynamic client registration (RFC 7591). It is open to everyone and stores nothing; a person must still
//! approve the app.

use super::client::{Client, ClientAuth, Clients};
use super::oauth_error::{OAuthCode, OAuthError};
use super::redirect::{RedirectKind, check_redirect};

/// Maximum number of redirect URIs of an app.
pub(super) const MAX_REDIRECTS: usize = 20;
/// Maximum length of a name, in characters.
const MAX_NAME: usize = 80;

/// The relevant client metadata of a registration request.
#[derive(Clone, Debug, Default)]
pub struct NewClient {
    /// `client_name`.
    pub name: Option<String>,
    pub redirect_uris: Vec<String>,
    /// `token_endpoint_auth_method`.
    pub auth_method: Option<String>,
    pub grant_types: Option<Vec<String>>,
    pub response_types: Option<Vec<String>>,
}

/// A registered app.
#[derive(Clone, Debug)]
pub struct RegisteredClient {
    pub client: Client,
    /// Client secret. `None` if the app does not authenticate with a secret.
    pub secret: Option<String>,
    /// Authentication method, as requested.
    pub auth_method: &'static str,
    /// Grant types that the app may use at the token endpoint.
    pub grant_types: Vec<&'static str>,
}

impl Clients {
    /// Registers an app. `origins` are the origins of this service.
    ///
    /// # Errors
    /// `invalid_redirect_uri`; `invalid_client_metadata`.
    pub fn register(&self, new: &NewClient, origins: &[&str]) -> Result<RegisteredClient, OAuthError> {
        let metadata_error = |description| OAuthError::new(OAuthCode::InvalidClientMetadata, description);
        let uri_error = |description| OAuthError::new(OAuthCode::InvalidRedirectUri, description);
        if new.redirect_uris.is_empty() || new.redirect_uris.len() > MAX_REDIRECTS {
            return Err(uri_error("An app must have 1 to 20 redirect URIs."));
        }
        for uri in &new.redirect_uris {
            check_redirect(uri, origins).map_err(uri_error)?;
        }
        let (auth, auth_method) = auth_of(new)?;
        let requests = |types: &Option<Vec<String>>, name: &str| {
            types.as_ref().is_none_or(|types| types.iter().any(|listed| listed == name))
        };
        if !requests(&new.grant_types, "authorization_code") {
            return Err(metadata_error("The grant type authorization_code is required."));
        }
        if !requests(&new.response_types, "code") {
            return Err(metadata_error("The response type code is required."));
        }
        let may_refresh = requests(&new.grant_types, "refresh_token");
        let name = clean_name(new.name.as_deref().unwrap_or_default());
        let client = self
            .seal(name, &new.redirect_uris, auth, may_refresh)
            .ok_or_else(|| metadata_error("The name and the redirect URIs are too long in total."))?;
        let secret = (auth == ClientAuth::Secret).then(|| self.secret(&client.id));
        let grant_types = [(true, "authorization_code"), (may_refresh, "refresh_token")];
        let grant_types = grant_types.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
        Ok(RegisteredClient { client, secret, auth_method, grant_types })
    }
}

/// Client authentication that an app requests. An app with a private-use scheme runs on a person's machine
/// and cannot store a secret safely (RFC 8252, 8.4), so its default is no authentication.
fn auth_of(new: &NewClient) -> Result<(ClientAuth, &'static str), OAuthError> {
    let is_program = |uri: &String| matches!(RedirectKind::of(uri), RedirectKind::Program(_));
    let is_program = new.redirect_uris.iter().any(is_program);
    let (auth, method) = match new.auth_method.as_deref() {
        Some("none") => return Ok((ClientAuth::Public, "none")),
        None if is_program => return Ok((ClientAuth::Public, "none")),
        None | Some("client_secret_basic") => (ClientAuth::Secret, "client_secret_basic"),
        Some("client_secret_post") => (ClientAuth::Secret, "client_secret_post"),
        Some(_) => {
            let description = "The supported methods are none, client_secret_basic and client_secret_post.";
            return Err(OAuthError::new(OAuthCode::InvalidClientMetadata, description));
        }
    };
    if is_program {
        let description = "An app with a private-use redirect scheme must use the method none.";
        return Err(OAuthError::new(OAuthCode::InvalidRedirectUri, description));
    }
    Ok((auth, method))
}

/// Removes characters that are invisible or that could make a name imitate another name.
pub(super) fn clean_name(name: &str) -> String {
    let visible: String = name
        .chars()
        .filter(|c| c.is_whitespace() || !(extract::clean::is_unwanted(*c) || is_invisible(*c)))
        .collect();
    let visible: String =
        visible.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_NAME).collect();
    if visible.is_empty() { "An app without a name".to_owned() } else { visible }
}

/// Zero-width characters that `is_unwanted` does not cover.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn invisible_characters_are_removed_from_names() {
        for (sent, cleaned) in [
            ("  Code\u{202e} Editor\n", "Code Editor"),
            ("Cl\u{200b}au\u{ad}de\u{0}", "Claude"),
            ("a\tb\u{a0}\u{2028}c", "a b c"),
            ("\u{3164}\u{feff}", "An app without a name"),
            ("", "An app without a name"),
        ] {
            assert_eq!(clean_name(sent), cleaned, "{sent:?}");
        }
        assert_eq!(clean_name(&"x".repeat(200)).len(), MAX_NAME);
    }

    #[test]
    fn registration_response_contains_only_supported_values() {
        let clients = Clients::for_tests();
        let new = NewClient {
            name: Some("  Code\u{202e} Editor\n".to_owned()),
            redirect_uris: words(&["http://127.0.0.1:33418", "https://vscode.dev/redirect"]),
            auth_method: Some("none".to_owned()),
            grant_types: Some(words(&[
                "authorization_code",
                "refresh_token",
                "urn:ietf:params:oauth:grant-type:device_code",
            ])),
            response_types: Some(words(&["code"])),
        };
        let registered = clients.register(&new, &[]).unwrap();
        assert_eq!((registered.client.name.as_str(), registered.secret), ("Code Editor", None));
        assert_eq!(registered.grant_types, ["authorization_code", "refresh_token"]);
        let plain = NewClient { redirect_uris: words(&["https://example.org/x"]), ..NewClient::default() };
        let registered = clients.register(&plain, &[]).unwrap();
        assert_eq!((registered.auth_method, registered.secret.is_some()), ("client_secret_basic", true));
        assert_eq!(registered.grant_types, ["authorization_code", "refresh_token"]);
        let without_refresh =
            NewClient { grant_types: Some(words(&["authorization_code"])), ..plain.clone() };
        assert_eq!(clients.register(&without_refresh, &[]).unwrap().grant_types, ["authorization_code"]);
        let app = NewClient { redirect_uris: words(&["cursor://x/callback"]), ..NewClient::default() };
        let registered = clients.register(&app, &[]).unwrap();
        assert_eq!(
            (registered.auth_method, registered.secret),
            ("none", None),
            "a native app gets no secret"
        );
        let post = Some("client_secret_post".to_owned());
        for (invalid, code) in [
            (NewClient { auth_method: post, ..app }, OAuthCode::InvalidRedirectUri),
            (
                NewClient { redirect_uris: words(&["http://example.org/"]), ..plain.clone() },
                OAuthCode::InvalidRedirectUri,
            ),
            (NewClient { redirect_uris: Vec::new(), ..plain.clone() }, OAuthCode::InvalidRedirectUri),
            (
                NewClient { redirect_uris: words(&["a.b:/c"; 21]), ..plain.clone() },
                OAuthCode::InvalidRedirectUri,
            ),
            (
                NewClient { grant_types: Some(words(&["implicit"])), ..plain.clone() },
                OAuthCode::InvalidClientMetadata,
            ),
            (
                NewClient { response_types: Some(words(&["token"])), ..plain.clone() },
                OAuthCode::InvalidClientMetadata,
            ),
            (
                NewClient { auth_method: Some("private_key_jwt".to_owned()), ..plain },
                OAuthCode::InvalidClientMetadata,
            ),
        ] {
            assert_eq!(clients.register(&invalid, &[]).unwrap_err().code, code, "{invalid:?}");
        }
    }
}

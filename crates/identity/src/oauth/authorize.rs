//! Authorization requests of apps (RFC 6749 4.1.1, RFC 7636, RFC 8707, RFC 9207): validated before the
//! consent page is displayed, and again when the person answers it. The response is sent only to a redirect
//! URI that the app registered.

use url::form_urlencoded;

use super::audience::Audience;
use super::client::Client;
use super::client_document;
use super::oauth_error::{OAuthCode, OAuthError};
use super::pkce::is_challenge;
use super::redirect::RedirectKind;
use super::scopes::RequestedScopes;
use kernel::Domain;

/// Maximum length of `state`, in characters.
const MAX_STATE: usize = 4096;
/// Message for a redirect URI that the app did not register.
const UNREGISTERED_REDIRECT: &str = "The app asks to return to an address that it did not register.";

/// The parameters of a request, unchanged and in their order.
#[derive(Clone, Debug)]
pub struct AuthorizeRequest<'a> {
    /// Names and values.
    pub pairs: &'a [(String, String)],
    /// `{base_url}`, to which the requested resources are compared.
    pub base_url: &'a str,
    /// `{auth_url}`, sent as `iss`.
    pub issuer: &'a str,
}

/// A valid request, which may be displayed to a person for consent.
#[derive(Clone, Debug)]
pub struct ValidatedRequest {
    pub client: Client,
    pub scopes: RequestedScopes,
    /// Audience of the tokens.
    pub audience: Audience,
    /// PKCE code challenge.
    pub challenge: String,
    /// Destination of the response.
    pub redirect: RedirectTarget,
}

/// Destination of an authorization response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectTarget {
    /// The redirect URI as the app sent it.
    pub redirect_uri: String,
    /// The app's `state`, returned unchanged.
    pub state: Option<String>,
    /// Value of `iss`.
    pub issuer: String,
}

/// Reason why a request is not displayed to a person.
#[derive(Debug)]
pub enum AuthorizeFault {
    /// The redirect URI is not trusted. This sentence is displayed to the person, and the app receives nothing.
    Page(&'static str),
    /// The person is redirected to the app with this error.
    Redirect(AuthorizeError),
}

/// An error that is returned to the app.
#[derive(Debug)]
pub struct AuthorizeError {
    /// Destination of the error.
    pub redirect: RedirectTarget,
    pub error: OAuthError,
}

impl RedirectTarget {
    /// Redirect URL with a code.
    pub fn with_code(&self, code: &str) -> String {
        self.with("code", code)
    }

    /// Redirect URL with an error.
    pub fn with_error(&self, code: OAuthCode) -> String {
        self.with("error", code.as_str())
    }

    /// Kind of destination.
    pub fn destination(&self) -> RedirectKind {
        RedirectKind::of(&self.redirect_uri)
    }

    fn with(&self, name: &str, value: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(name, value);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &self.issuer);
        let parting = match self.redirect_uri.split_once('?') {
            None => "?",
            Some((_, "")) => "",
            Some(_) => "&",
        };
        format!("{}{parting}{}", self.redirect_uri, query.finish())
    }
}

impl<'a> AuthorizeRequest<'a> {
    /// The client id and redirect URI. Each must be sent exactly once; otherwise the person is not
    /// redirected.
    ///
    /// # Errors
    /// Returns the reason, as a sentence for the person.
    pub fn client_and_redirect(&self) -> Result<(&'a str, &'a str), &'static str> {
        let only = |name: &str, missing: &'static str| match self.all(name)[..] {
            [value] if !value.is_empty() => Ok(value),
            _ => Err(missing),
        };
        let client_id =
            only("client_id", "The app sent an invalid request: its client id is missing or repeated.")?;
        let redirect_uri = only(
            "redirect_uri",
            "The app sent an invalid request: its return address is missing or repeated.",
        )?;
        Ok((client_id, redirect_uri))
    }

    /// Returns all values of a parameter.
    fn all(&self, name: &str) -> Vec<&'a str> {
        self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
    }
}

/// Checks the parts of a request that can be checked before sign-in, without fetching anything.
///
/// # Errors
/// `service_unavailable`. If the request is invalid, the result contains a sentence for the person.
pub async fn check_before_sign_in(
    domain: &Domain,
    request: &AuthorizeRequest<'_>,
) -> kernel::error::Result<Result<(), &'static str>> {
    let (client_id, redirect_uri) = match request.client_and_redirect() {
        Ok(client_and_redirect) => client_and_redirect,
        Err(sentence) => return Ok(Err(sentence)),
    };
    Ok(match client_document::lookup_without_fetch(domain, client_id).await? {
        Some(Ok(client)) if !client.may_redirect_to(redirect_uri) => Err(UNREGISTERED_REDIRECT),
        Some(Ok(_)) | None => Ok(()),
        Some(Err(sentence)) => Err(sentence),
    })
}

/// Validates a request. `client` is the app that the request names.
///
/// # Errors
/// Returns the fault. Its variant shows whether the person or the app receives it.
pub fn validate(client: Client, request: &AuthorizeRequest<'_>) -> Result<ValidatedRequest, AuthorizeFault> {
    let (_, redirect_uri) = request.client_and_redirect().map_err(AuthorizeFault::Page)?;
    if !client.may_redirect_to(redirect_uri) {
        return Err(AuthorizeFault::Page(UNREGISTERED_REDIRECT));
    }
    let states = request.all("state");
    let state =
        states.first().filter(|state| state.chars().count() <= MAX_STATE).map(|state| (*state).to_owned());
    let redirect =
        RedirectTarget { redirect_uri: redirect_uri.to_owned(), state, issuer: request.issuer.to_owned() };
    match parse_parameters(request) {
        Ok((scopes, audience, challenge)) => {
            Ok(ValidatedRequest { client, scopes, audience, challenge, redirect })
        }
        Err(error) => Err(AuthorizeFault::Redirect(AuthorizeError { redirect, error })),
    }
}

fn parse_parameters(
    request: &AuthorizeRequest<'_>,
) -> Result<(RequestedScopes, Audience, String), OAuthError> {
    let invalid = |description| OAuthError::new(OAuthCode::InvalidRequest, description);
    let mut names: Vec<&str> = request.pairs.iter().map(|(name, _)| name.as_str()).collect();
    names.retain(|name| *name != "resource");
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    if names.len() < count {
        return Err(invalid("A parameter was sent more than once."));
    }
    // A parameter without a value counts as omitted (RFC 6749, 3.1).
    let single = |name: &str| request.all(name).first().copied().filter(|value| !value.is_empty());
    if single("request").is_some() {
        return Err(OAuthError::new(OAuthCode::RequestNotSupported, "Request objects are not supported."));
    }
    if single("request_uri").is_some() {
        return Err(OAuthError::new(OAuthCode::RequestUriNotSupported, "Request objects are not supported."));
    }
    match single("response_type") {
        Some("code") => {}
        None => return Err(invalid("The response_type is missing.")),
        Some(_) => {
            let description = "The response_type must be code.";
            return Err(OAuthError::new(OAuthCode::UnsupportedResponseType, description));
        }
    }
    if single("response_mode").is_some_and(|mode| mode != "query") {
        return Err(invalid("The response_mode must be query."));
    }
    if single("state").is_some_and(|state| state.chars().count() > MAX_STATE) {
        return Err(invalid("The state must have at most 4096 characters."));
    }
    if single("code_challenge_method") != Some("S256") {
        return Err(invalid("A code_challenge with the method S256 is required."));
    }
    let challenge = single("code_challenge").filter(|challenge| is_challenge(challenge));
    let challenge =
        challenge.ok_or_else(|| invalid("The code_challenge must be 43 characters of base64url."))?;
    let scopes = RequestedScopes::parse(single("scope"))?;
    let audience =
        Audience::parse(request.base_url, request.all("resource"))?.unwrap_or(Audience::Everywhere);
    if single("prompt") == Some("none") {
        return Err(OAuthError::new(OAuthCode::InteractionRequired, "The person must confirm each request."));
    }
    Ok((scopes, audience, challenge.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::client::{ClientAuth, Clients};
    use super::*;
    use kernel::scope::Scopes;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn request(changes: &[(&str, Option<&str>)]) -> Result<ValidatedRequest, AuthorizeFault> {
        let clients = Clients::for_tests();
        let uris = ["http://localhost/back".to_owned(), "https://example.org/back?a=b".to_owned()];
        let client = clients.seal("Reader".to_owned(), &uris, ClientAuth::Public, true).unwrap();
        let mut pairs: Vec<(String, String)> = [
            ("client_id", client.id.as_str()),
            ("redirect_uri", "http://localhost:3118/back"),
            ("response_type", "code"),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "a b&c"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        for (name, value) in changes {
            let position = pairs.iter().position(|(existing, _)| existing == name);
            match (position, value, name.strip_prefix('+')) {
                (_, Some(value), Some(extra)) => pairs.push((extra.to_owned(), (*value).to_owned())),
                (Some(at), Some(value), None) => pairs[at].1 = (*value).to_owned(),
                (Some(at), None, _) => drop(pairs.remove(at)),
                (None, Some(value), None) => pairs.push(((*name).to_owned(), (*value).to_owned())),
                (None, None, _) => {}
            }
        }
        let (base_url, issuer) = ("https://api.example.org", "https://carrel.example");
        let request = AuthorizeRequest { pairs: &pairs, base_url, issuer };
        let (client_id, _) = request.client_and_redirect().map_err(AuthorizeFault::Page)?;
        validate(clients.find(client_id).ok_or(AuthorizeFault::Page("unknown"))?, &request)
    }

    #[test]
    fn valid_request_is_accepted_with_its_parameters() {
        let checked =
            request(&[("scope", Some("svc:write")), ("+resource", Some("https://api.example.org/mcp"))]);
        let checked = checked.unwrap();
        assert_eq!((checked.scopes.0, checked.audience), (Scopes::WRITE, Audience::Mcp));
        assert_eq!(
            checked.redirect.with_code("sva_x"),
            "http://localhost:3118/back?code=sva_x&state=a+b%26c&iss=https%3A%2F%2Fcarrel.example"
        );
        let other =
            request(&[("redirect_uri", Some("https://example.org/back?a=b")), ("state", None)]).unwrap();
        assert_eq!(
            other.redirect.with_error(OAuthCode::AccessDenied),
            "https://example.org/back?a=b&error=access_denied&iss=https%3A%2F%2Fcarrel.example"
        );
        let empty = request(&[("state", Some(""))]).unwrap();
        assert!(empty.redirect.with_code("x").contains("&state=&"), "an empty state is returned empty");
    }

    #[test]
    fn request_with_an_untrusted_redirect_uri_is_not_redirected() {
        for changes in [
            [("client_id", None)],
            [("client_id", Some("cli_unknown"))],
            [("+client_id", Some("x"))],
            [("redirect_uri", None)],
            [("redirect_uri", Some("https://evil.example/"))],
            [("redirect_uri", Some("https://example.org/back?a=b&c"))],
            [("+redirect_uri", Some("https://example.org/back?a=b"))],
        ] {
            assert!(matches!(request(&changes), Err(AuthorizeFault::Page(_))), "{changes:?}");
        }
    }

    #[test]
    fn request_errors_are_redirected_to_the_app() {
        let long = "s".repeat(MAX_STATE + 1);
        for (changes, code) in [
            ([("code_challenge", None)], OAuthCode::InvalidRequest),
            ([("code_challenge", Some("short"))], OAuthCode::InvalidRequest),
            ([("code_challenge_method", None)], OAuthCode::InvalidRequest),
            ([("code_challenge_method", Some("plain"))], OAuthCode::InvalidRequest),
            ([("response_type", None)], OAuthCode::InvalidRequest),
            ([("response_type", Some("token"))], OAuthCode::UnsupportedResponseType),
            ([("response_mode", Some("fragment"))], OAuthCode::InvalidRequest),
            ([("+scope", Some("svc:all"))], OAuthCode::InvalidScope),
            ([("+resource", Some("https://other.example"))], OAuthCode::InvalidTarget),
            ([("+state", Some("b"))], OAuthCode::InvalidRequest),
            ([("state", Some(long.as_str()))], OAuthCode::InvalidRequest),
            ([("request", Some("x"))], OAuthCode::RequestNotSupported),
            ([("request_uri", Some("x"))], OAuthCode::RequestUriNotSupported),
            ([("prompt", Some("none"))], OAuthCode::InteractionRequired),
        ] {
            match request(&changes) {
                Err(AuthorizeFault::Redirect(fault)) => assert_eq!(fault.error.code, code, "{changes:?}"),
                other => panic!("{changes:?}: {other:?}"),
            }
        }
        assert!(request(&[("prompt", Some("login"))]).is_ok() && request(&[("nonce", Some("x"))]).is_ok());
    }
}

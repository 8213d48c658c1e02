//! What an app asks of a person (RFC 6749 4.1.1, RFC 7636, RFC 8707, RFC 9207): checked before anybody is asked, again
//! when the answer comes, and sent back to where the app may be sent.

use url::form_urlencoded;

use super::audience::Audience;
use super::client::Client;
use super::client_document;
use super::fault::{OAuthCode, OAuthError};
use super::pkce::is_challenge;
use super::redirect::Destination;
use super::scopes::Asked;
use kernel::handle::Domain;

/// The longest `state`, in characters.
const MAX_STATE: usize = 4096;
/// What is said when an app asks to return to where it may not.
const ELSEWHERE: &str = "The app asks to return to an address that it did not register.";

/// The parameters of a request, in their order, as they were sent.
#[derive(Clone, Debug)]
pub struct AuthorizeRequest<'a> {
    /// Names and values.
    pub pairs: &'a [(String, String)],
    /// `{base_url}`: what the resources are compared with.
    pub base_url: &'a str,
    /// `{auth_url}`: what is told as `iss`.
    pub issuer: &'a str,
}

/// A request that may be put before a person.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The app.
    pub client: Client,
    /// What it asks for.
    pub asked: Asked,
    /// Where its tokens are to be good.
    pub audience: Audience,
    /// The challenge of its proof.
    pub challenge: String,
    /// The way back.
    pub back: Back,
}

/// The way back to an app.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// The address, as the app sent it.
    pub redirect_uri: String,
    /// What the app wants to hear again.
    pub state: Option<String>,
    /// Who answers.
    pub issuer: String,
}

/// Why a request is not put before a person.
#[derive(Debug)]
pub enum AuthorizeFault {
    /// It is not known where the app may be sent: the person is told, in this sentence.
    Page(&'static str),
    /// The app is told.
    Back(AuthorizeError),
}

/// A fault that the app is told of.
#[derive(Debug)]
pub struct AuthorizeError {
    /// The way back.
    pub back: Back,
    /// What is wrong.
    pub error: OAuthError,
}

impl Back {
    /// The address with a code.
    pub fn with_code(&self, code: &str) -> String {
        self.with("code", code)
    }

    /// The address with an error.
    pub fn with_error(&self, code: OAuthCode) -> String {
        self.with("error", code.as_str())
    }

    /// What kind of place it is.
    pub fn destination(&self) -> Destination {
        Destination::of(&self.redirect_uri)
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
    /// Who asks, and where it asks to be sent back to: each said once, or nobody is sent anywhere.
    ///
    /// # Errors
    /// What is wrong, in a sentence for the person.
    pub fn parties(&self) -> Result<(&'a str, &'a str), &'static str> {
        let only = |name: &str, missing: &'static str| match self.all(name)[..] {
            [value] if !value.is_empty() => Ok(value),
            _ => Err(missing),
        };
        let client_id = only("client_id", "The app did not say which app it is.")?;
        let redirect_uri = only("redirect_uri", "The app did not say where it returns to.")?;
        Ok((client_id, redirect_uri))
    }

    /// Every value of a parameter.
    fn all(&self, name: &str) -> Vec<&'a str> {
        self.pairs.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str()).collect()
    }
}

/// What can be said of a request before anybody has signed in: whether it leads nowhere. Nothing is fetched.
///
/// # Errors
/// `service_unavailable`. What is wrong with the request is in the answer, in a sentence for the person.
pub async fn check_before_sign_in(
    domain: &Domain,
    request: &AuthorizeRequest<'_>,
) -> kernel::error::Result<Result<(), &'static str>> {
    let (client_id, redirect_uri) = match request.parties() {
        Ok(parties) => parties,
        Err(sentence) => return Ok(Err(sentence)),
    };
    Ok(match client_document::known_client(domain, client_id).await? {
        Some(Ok(client)) if !client.returns_to(redirect_uri) => Err(ELSEWHERE),
        Some(Ok(_)) | None => Ok(()),
        Some(Err(sentence)) => Err(sentence),
    })
}

/// Checks a request of `client`, which is the app that it names.
///
/// # Errors
/// Who is told of the fault, and what.
pub fn check(client: Client, request: &AuthorizeRequest<'_>) -> Result<Checked, AuthorizeFault> {
    let (_, redirect_uri) = request.parties().map_err(AuthorizeFault::Page)?;
    if !client.returns_to(redirect_uri) {
        return Err(AuthorizeFault::Page(ELSEWHERE));
    }
    let states = request.all("state");
    let state =
        states.first().filter(|state| state.chars().count() <= MAX_STATE).map(|state| (*state).to_owned());
    let back = Back { redirect_uri: redirect_uri.to_owned(), state, issuer: request.issuer.to_owned() };
    match asked_of(request) {
        Ok((asked, audience, challenge)) => Ok(Checked { client, asked, audience, challenge, back }),
        Err(error) => Err(AuthorizeFault::Back(AuthorizeError { back, error })),
    }
}

fn asked_of(request: &AuthorizeRequest<'_>) -> Result<(Asked, Audience, String), OAuthError> {
    let invalid = |description| OAuthError::new(OAuthCode::InvalidRequest, description);
    let mut names: Vec<&str> = request.pairs.iter().map(|(name, _)| name.as_str()).collect();
    names.retain(|name| *name != "resource");
    let sent = names.len();
    names.sort_unstable();
    names.dedup();
    if names.len() < sent {
        return Err(invalid("A parameter was sent more than once."));
    }
    // A parameter without a value counts as left out (RFC 6749, 3.1).
    let one = |name: &str| request.all(name).first().copied().filter(|value| !value.is_empty());
    if one("request").is_some() {
        return Err(OAuthError::new(OAuthCode::RequestNotSupported, "Request objects are not supported."));
    }
    if one("request_uri").is_some() {
        return Err(OAuthError::new(OAuthCode::RequestUriNotSupported, "Request objects are not supported."));
    }
    match one("response_type") {
        Some("code") => {}
        None => return Err(invalid("The response_type is missing.")),
        Some(_) => {
            let description = "The response type is code.";
            return Err(OAuthError::new(OAuthCode::UnsupportedResponseType, description));
        }
    }
    if one("response_mode").is_some_and(|mode| mode != "query") {
        return Err(invalid("The response mode is query."));
    }
    if one("state").is_some_and(|state| state.chars().count() > MAX_STATE) {
        return Err(invalid("The state has 4096 characters at most."));
    }
    if one("code_challenge_method") != Some("S256") {
        return Err(invalid("A code_challenge of the method S256 is needed."));
    }
    let challenge = one("code_challenge").filter(|challenge| is_challenge(challenge));
    let challenge = challenge.ok_or_else(|| invalid("A code_challenge is 43 characters of base64url."))?;
    let asked = Asked::parse(one("scope"))?;
    let audience =
        Audience::parse(request.base_url, request.all("resource"))?.unwrap_or(Audience::Everywhere);
    if one("prompt") == Some("none") {
        return Err(OAuthError::new(OAuthCode::InteractionRequired, "The person is asked each time."));
    }
    Ok((asked, audience, challenge.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::super::client::{ClientAuth, Clients};
    use super::*;
    use kernel::scope::Scopes;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn request(changes: &[(&str, Option<&str>)]) -> Result<Checked, AuthorizeFault> {
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
            let known = pairs.iter().position(|(known, _)| known == name);
            match (known, value, name.strip_prefix('+')) {
                (_, Some(value), Some(again)) => pairs.push((again.to_owned(), (*value).to_owned())),
                (Some(at), Some(value), None) => pairs[at].1 = (*value).to_owned(),
                (Some(at), None, _) => drop(pairs.remove(at)),
                (None, Some(value), None) => pairs.push(((*name).to_owned(), (*value).to_owned())),
                (None, None, _) => {}
            }
        }
        let (base_url, issuer) = ("https://api.example.org", "https://carrel.example");
        let request = AuthorizeRequest { pairs: &pairs, base_url, issuer };
        let (client_id, _) = request.parties().map_err(AuthorizeFault::Page)?;
        check(clients.find(client_id).ok_or(AuthorizeFault::Page("unknown"))?, &request)
    }

    #[test]
    fn an_app_that_asks_rightly_is_put_before_the_person() {
        let checked =
            request(&[("scope", Some("svc:write")), ("+resource", Some("https://api.example.org/mcp"))]);
        let checked = checked.unwrap();
        assert_eq!((checked.asked.0, checked.audience), (Scopes::WRITE, Audience::Mcp));
        assert_eq!(
            checked.back.with_code("sva_x"),
            "http://localhost:3118/back?code=sva_x&state=a+b%26c&iss=https%3A%2F%2Fcarrel.example"
        );
        let other =
            request(&[("redirect_uri", Some("https://example.org/back?a=b")), ("state", None)]).unwrap();
        assert_eq!(
            other.back.with_error(OAuthCode::AccessDenied),
            "https://example.org/back?a=b&error=access_denied&iss=https%3A%2F%2Fcarrel.example"
        );
        let empty = request(&[("state", Some(""))]).unwrap();
        assert!(empty.back.with_code("x").contains("&state=&"), "empty when sent empty");
    }

    #[test]
    fn nothing_is_sent_to_an_address_that_is_not_proven() {
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
    fn the_app_is_told_what_else_is_wrong() {
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
                Err(AuthorizeFault::Back(told)) => assert_eq!(told.error.code, code, "{changes:?}"),
                other => panic!("{changes:?}: {other:?}"),
            }
        }
        assert!(request(&[("prompt", Some("login"))]).is_ok() && request(&[("nonce", Some("x"))]).is_ok());
    }
}

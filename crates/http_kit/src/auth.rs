//! From a request's headers to a [`Caller`]: API keys, access tokens and browser sessions alike.
//!
//! A session counts only when no key or token was sent, and for anything that changes something only
//! when the request comes from one of our own pages.

use crate::config::Secret;
use identity::accounts::{self, Session};
use identity::caller::Caller;
use identity::credentials::{self, Presented};
use identity::limits::Network;
use identity::oauth::Resource;
use kernel::Code;
use kernel::{Domain, Error, Result};
use poem::http::header;
use poem::{Request, http::Method};

use crate::app::App;
use crate::config::Origin;
use crate::http::network::client_address;
use crate::http::query;

/// The name of the session cookie where the browser knows the service over TLS.
const SECURE_COOKIE: &str = "__Host-carrel_session";
/// The name on plain http, where browsers refuse the prefix: a machine of one's own.
const PLAIN_COOKIE: &str = "carrel_session";

/// The session cookie's name under `origin`.
pub fn session_cookie(origin: &Origin) -> &'static str {
    if origin.is_secure() { SECURE_COOKIE } else { PLAIN_COOKIE }
}

/// A caller who was made ahead of the Developer API, by the part of this process that calls its operations itself. It
/// travels as an extension of the request, which nobody outside can set.
#[derive(Clone, Debug)]
pub struct Identified {
    /// Who calls.
    pub caller: Caller,
    /// Whether the operation is charged.
    pub charge: Charge,
}

/// Whether an operation that this process calls itself is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// As when it is called from outside.
    Due,
    /// It belongs to something that was charged.
    Paid,
}

/// Whoever sends this request to `resource`. A browser's session opens the Developer API alone.
///
/// # Errors
/// The five codes of a credential that does not hold; `Unavailable`.
pub async fn identify(app: &App, request: &Request, resource: Resource) -> Result<Caller> {
    refuse_token_in_query(request)?;
    let sent = sent_credentials(request)?;
    if sent.bearer.is_none()
        && sent.api_key.is_none()
        && resource == Resource::Api
        && may_use_session(app, request)
        && let Some(session) = session(&app.domain, &app.settings.origins.auth, request).await?
    {
        return Ok(session.caller);
    }
    let network = Network::of(client_address(request, &app.settings.trusted_proxies));
    credentials::identify(&app.domain, Presented { network: Some(&network), ..sent }, resource).await
}

/// Addresses are written into logs and histories: a token there counts for nothing (RFC 9700, 4.3.2).
fn refuse_token_in_query(request: &Request) -> Result<()> {
    if query::value_in(request.uri(), "access_token").is_some() {
        return Err(Error::new(
            Code::InvalidCredential,
            "Send the token as `Authorization: Bearer …`, never in the address. Revoke this one.",
        ));
    }
    Ok(())
}

/// The session that the request's cookie opens.
///
/// # Errors
/// `Unavailable` when the database cannot tell.
pub async fn session(domain: &Domain, origin: &Origin, request: &Request) -> Result<Option<Session>> {
    match cookie(request, session_cookie(origin)) {
        Some(value) => accounts::authenticate(domain, value).await,
        None => Ok(None),
    }
}

/// The value of a cookie. Of several with one name the first counts.
pub fn cookie<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let lines = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

/// Whether the browser says that the request comes from a page of ours.
pub fn is_same_origin(request: &Request, origin: &Origin) -> bool {
    let told = request.header("origin").is_some_and(|sent| sent != "null")
        || request.header("sec-fetch-site").is_some();
    told && !comes_from_elsewhere(request, origin)
}

/// Whether the browser says that the request comes from a page that is not ours. `Sec-Fetch-Site` and
/// `Origin` are the browser's own words: no page can write them. Programs send neither.
pub fn comes_from_elsewhere(request: &Request, origin: &Origin) -> bool {
    let other_site = request.header("sec-fetch-site").is_some_and(|site| site != "same-origin");
    let other_origin =
        request.header("origin").is_some_and(|sent| sent != "null" && !is_ours(request, origin, sent));
    let unknown = request.header("origin") == Some("null") && request.header("sec-fetch-site").is_none();
    other_site || other_origin || unknown
}

/// Our own origin as configured, or as the browser knows it: `localhost` and `127.0.0.1` are two to it.
fn is_ours(request: &Request, origin: &Origin, sent: &str) -> bool {
    let authority = sent.split_once("://").map(|(_, authority)| authority);
    sent == origin.as_str()
        || (!origin.is_secure() && authority.is_some() && authority == request.header("host"))
}

fn may_use_session(app: &App, request: &Request) -> bool {
    let origins = &app.settings.origins;
    let reads_only = matches!(*request.method(), Method::GET | Method::HEAD);
    reads_only || is_same_origin(request, &origins.auth) || is_same_origin(request, &origins.base)
}

/// The credentials in the headers, each at most once.
fn sent_credentials(request: &Request) -> Result<Presented<'_>> {
    let one = |name: &str| -> Result<Option<&str>> {
        let mut values = request.headers().get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => value.to_str().map(Some).map_err(|_| not_valid()),
            (Some(_), Some(_)) => Err(Error::new(
                Code::ConflictingCredentials,
                format!("The header {name} was sent more than once."),
            )),
        }
    };
    let bearer = match one("authorization")? {
        None => None,
        Some(value) => Some(bearer_of(value).ok_or_else(not_valid)?),
    };
    Ok(Presented { bearer, api_key: one("x-api-key")?.map(str::trim), network: None })
}

/// What follows the scheme `Bearer`, in any case (RFC 9110, 11.1).
fn bearer_of(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn not_valid() -> Error {
    Error::new(Code::InvalidCredential, "Send the credential as `Authorization: Bearer …` or as `X-API-Key`.")
}

/// Whether a request shows this token as its bearer.
pub fn bears(request: &Request, token: &Secret) -> bool {
    let bearer = request.header(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    bearer.is_some_and(|sent| token.is(sent))
}

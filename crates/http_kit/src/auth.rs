//! Identifies the [`Caller`] of a request from its API key, access token, or browser session.
//!
//! A session counts only if no key or token was sent. For requests that change something, the request must
//! also come from one of Carrel's own pages.

use crate::config::SecretSetting;
use identity::accounts::{self, ProxyPerson, Session};
use identity::caller::Caller;
use identity::credentials::{self, Presented};
use identity::limits::Network;
use identity::oauth::Resource;
use kernel::{Code, Error, Result};
use poem::http::header;
use poem::{Request, http::Method};

use crate::app::App;
use crate::config::Origin;
use crate::http::network::{client_address, is_from_proxy};
use crate::http::query;

/// Name of the session cookie on HTTPS origins.
const SECURE_COOKIE: &str = "__Host-carrel_session";
/// Name of the session cookie on plain HTTP origins, such as on a local machine. Browsers refuse the
/// `__Host-` prefix there.
const PLAIN_COOKIE: &str = "carrel_session";

/// Returns the name of the session cookie for `origin`.
pub fn session_cookie(origin: &Origin) -> &'static str {
    if origin.is_secure() { SECURE_COOKIE } else { PLAIN_COOKIE }
}

/// Caller of an operation of the Developer API that this process itself calls, for example for an MCP tool.
/// The caller was identified before the call and is passed as a request extension, which no client can set.
#[derive(Clone, Debug)]
pub struct Identified {
    pub caller: Caller,
    pub charge: ChargePolicy,
}

/// Decides whether an operation that this process calls itself is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargePolicy {
    /// Charged, as if called by a client.
    Due,
    /// Not charged, because it is part of an operation that was already charged.
    Paid,
}

/// Identifies the caller of `request` to `resource`. Browser sessions are accepted for the Developer API
/// only.
///
/// # Errors
/// If the credential is missing or invalid. `Unavailable` if the database does not respond.
pub async fn identify(app: &App, request: &Request, resource: Resource) -> Result<Caller> {
    refuse_token_in_query(request)?;
    let sent = sent_credentials(request)?;
    if sent.bearer.is_none()
        && sent.api_key.is_none()
        && resource == Resource::Api
        && may_use_session(app, request)
        && let Some(session) = session(app, request).await?
    {
        return Ok(session.caller);
    }
    let network = Network::of(client_address(request, &app.settings.trusted_proxies));
    credentials::identify(&app.domain, Presented { network: Some(&network), ..sent }, resource).await
}

/// Refuses access tokens in the query string, because URLs end up in logs and histories (RFC 9700, 4.3.2).
fn refuse_token_in_query(request: &Request) -> Result<()> {
    if query::value_in(request.uri(), "access_token").is_some() {
        return Err(Error::new(
            Code::InvalidCredential,
            "Send the token as `Authorization: Bearer …`, not in the URL. Revoke this token.",
        ));
    }
    Ok(())
}

/// Loads the session of the request's cookie. Returns `None` if the request has no valid session. The session is closed
/// if a trusted proxy names a person other than the owner of its account.
///
/// # Errors
/// `Unavailable` if the database does not respond.
pub async fn session(app: &App, request: &Request) -> Result<Option<Session>> {
    let Some(value) = cookie(request, session_cookie(&app.settings.origins.auth)) else { return Ok(None) };
    let Some(session) = accounts::authenticate(&app.domain, value).await? else { return Ok(None) };
    let is_owner = proxy_person(app, request)
        .is_none_or(|person| person.is_ok_and(|person| person.owns(&session.account)));
    if is_owner {
        return Ok(Some(session));
    }
    accounts::sign_out(&app.domain, &session.secret).await?;
    tracing::info!(account = %session.account.id, "session closed, because the proxy names another person");
    Ok(None)
}

/// Returns the person whom a trusted proxy names, or an error if the value is unusable. `None` if the operator has
/// configured no such header, if it is missing or empty, or if the request does not come from a trusted proxy.
pub fn proxy_person(app: &App, request: &Request) -> Option<Result<ProxyPerson>> {
    let header = app.settings.accounts.proxy_header.as_ref()?;
    let mut values = request.headers().get_all(&header.name).iter();
    let value = values.next()?;
    // If there are several values, the client may have sent one of them.
    let is_only = values.next().is_none();
    if is_only && value.is_empty() {
        return None;
    }
    if !is_from_proxy(request, &app.settings.trusted_proxies) {
        tracing::debug!(header = %header.name, "sign-in header ignored, because its sender is not a trusted proxy");
        return None;
    }
    let text = value.to_str().ok().filter(|_| is_only);
    Some(ProxyPerson::parse(text.unwrap_or_default()))
}

/// Returns the value of a cookie. If several cookies have the name, returns the first value.
pub fn cookie<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let lines = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (cookie_name, value) = pair.trim().split_once('=')?;
        (cookie_name == name).then_some(value)
    })
}

/// Returns true if the browser reports that the request comes from a page of `origin`.
pub fn is_same_origin(request: &Request, origin: &Origin) -> bool {
    let states_origin = request.header("origin").is_some_and(|sent| sent != "null")
        || request.header("sec-fetch-site").is_some();
    states_origin && !comes_from_elsewhere(request, origin)
}

/// Returns true if the browser reports that the request comes from a page of another origin. Browsers write
/// `Sec-Fetch-Site` and `Origin` themselves: pages cannot set them, and programs send neither.
pub fn comes_from_elsewhere(request: &Request, origin: &Origin) -> bool {
    let other_site = request.header("sec-fetch-site").is_some_and(|site| site != "same-origin");
    let other_origin =
        request.header("origin").is_some_and(|sent| sent != "null" && !is_ours(request, origin, sent));
    let unknown = request.header("origin") == Some("null") && request.header("sec-fetch-site").is_none();
    other_site || other_origin || unknown
}

/// Returns true if `sent` is the origin of this service, as configured or as the browser addressed it:
/// browsers treat `localhost` and `127.0.0.1` as different origins.
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

/// Returns the credentials in the headers. Fails if a header is repeated.
fn sent_credentials(request: &Request) -> Result<Presented<'_>> {
    let single = |name: &str| -> Result<Option<&str>> {
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
    let bearer = match single("authorization")? {
        None => None,
        Some(value) => Some(bearer_of(value).ok_or_else(not_valid)?),
    };
    Ok(Presented { bearer, api_key: single("x-api-key")?.map(str::trim), network: None })
}

/// Returns the token of the `Bearer` scheme, which is matched case-insensitively (RFC 9110, 11.1).
fn bearer_of(value: &str) -> Option<&str> {
    let (scheme, token) = value.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn not_valid() -> Error {
    Error::new(Code::InvalidCredential, "Send the credential as `Authorization: Bearer …` or as `X-API-Key`.")
}

/// Returns true if the bearer token of a request equals `token`.
pub fn bears(request: &Request, token: &SecretSetting) -> bool {
    let bearer = request.header(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    bearer.is_some_and(|sent| token.is(sent))
}

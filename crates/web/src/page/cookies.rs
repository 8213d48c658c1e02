//! Cookies of pages: the session; the secret that protects the forms of visitors without a session against cross-site
//! requests; the token that identifies a browser at its next sign-in; the state of a sign-in that waits for a code;
//! the state of a sign-in at the OpenID provider; and the offline reading choice, with the key of the account whose
//! texts the browser stores.

use identity::accounts::{SessionSecret, SignedIn};
use poem::http::{HeaderName, HeaderValue, header};
use poem::{Request, Response};

use http_kit::app::App;
use http_kit::auth;

/// Lifetime of the session cookie, in seconds.
const SESSION_SECONDS: u32 = 30 * 86_400;
/// Lifetime of the browser cookie, in seconds.
const BROWSER_SECONDS: u32 = 365 * 86_400;
/// Lifetime of the cookie of offline reading, in seconds.
const OFFLINE_SECONDS: u32 = 365 * 86_400;
/// Lifetime of the cookie of a sign-in that waits for a code, in seconds.
const PENDING_SIGN_IN_SECONDS: u32 = 600;
/// Lifetime of the cookie of a sign-in at the OpenID provider, in seconds.
const OIDC_FLOW_SECONDS: u32 = 600;
/// Lifetime of the form cookie, in seconds.
const FORM_SECONDS: u32 = 86_400;

/// Returns the secret that the browser's forms are bound to. A form is accepted only with this cookie.
pub(crate) fn form_secret(app: &App, request: &Request) -> Option<SessionSecret> {
    auth::cookie(request, name(app, PageCookie::Form)).and_then(SessionSecret::parse)
}

/// Sets the cookie that binds the browser's forms to `secret`.
pub(crate) fn set_form_secret(app: &App, response: Response, secret: &SessionSecret) -> Response {
    set(app, response, name(app, PageCookie::Form), secret.expose(), FORM_SECONDS)
}

/// Returns the token that the browser received at its last sign-in.
pub(crate) fn browser_token(app: &App, request: &Request) -> Option<String> {
    auth::cookie(request, name(app, PageCookie::Browser)).map(str::to_owned)
}

/// Sets the session and browser cookies after a sign-in.
pub(crate) fn open_session(app: &App, response: Response, opened: &SignedIn) -> Response {
    let session = auth::session_cookie(&app.settings.origins.auth);
    let response = set(app, response, session, opened.session.expose(), SESSION_SECONDS);
    set(app, response, name(app, PageCookie::Browser), opened.browser.expose(), BROWSER_SECONDS)
}

/// Deletes the session cookie and the texts that the browser stores for offline reading.
pub(crate) fn close_session(app: &App, response: Response) -> Response {
    let response = set(app, response, auth::session_cookie(&app.settings.origins.auth), "", 0);
    remove_offline_texts(app, response)
}

/// Returns the cookie of offline reading: the key of the account whose texts the browser stores, and how much
/// it stores.
pub(crate) fn offline_cookie(app: &App, request: &Request) -> Option<String> {
    auth::cookie(request, name(app, PageCookie::Offline)).map(str::to_owned)
}

/// Sets the cookie of offline reading.
pub(crate) fn set_offline_cookie(app: &App, response: Response, value: &str) -> Response {
    set(app, response, name(app, PageCookie::Offline), value, OFFLINE_SECONDS)
}

/// Deletes the cookie of offline reading, and makes the browser delete everything that pages have stored except
/// cookies: the texts, and the worker that stored them.
pub(crate) fn remove_offline_texts(app: &App, response: Response) -> Response {
    let mut response = set(app, response, name(app, PageCookie::Offline), "", 0);
    let clear = HeaderName::from_static("clear-site-data");
    response.headers_mut().insert(clear, HeaderValue::from_static("\"storage\""));
    response
}

/// Returns the state of a sign-in that waits for a code.
pub(crate) fn pending_sign_in<'r>(app: &App, request: &'r Request) -> Option<&'r str> {
    auth::cookie(request, name(app, PageCookie::PendingSignIn))
}

/// Sets the cookie with the state of a sign-in that waits for a code.
pub(crate) fn set_pending_sign_in(app: &App, response: Response, state: &str) -> Response {
    set(app, response, name(app, PageCookie::PendingSignIn), state, PENDING_SIGN_IN_SECONDS)
}

/// Deletes the cookie with the state of a sign-in that waits for a code.
pub(crate) fn clear_pending_sign_in(app: &App, response: Response) -> Response {
    set(app, response, name(app, PageCookie::PendingSignIn), "", 0)
}

/// Returns the state of a sign-in at the OpenID provider.
pub(crate) fn oidc_flow<'r>(app: &App, request: &'r Request) -> Option<&'r str> {
    auth::cookie(request, name(app, PageCookie::OidcFlow))
}

/// Sets the cookie with the state of a sign-in at the OpenID provider.
pub(crate) fn set_oidc_flow(app: &App, response: Response, state: &str) -> Response {
    set(app, response, name(app, PageCookie::OidcFlow), state, OIDC_FLOW_SECONDS)
}

/// Deletes the cookie with the state of a sign-in at the OpenID provider.
pub(crate) fn clear_oidc_flow(app: &App, response: Response) -> Response {
    set(app, response, name(app, PageCookie::OidcFlow), "", 0)
}

enum PageCookie {
    Form,
    Browser,
    Offline,
    PendingSignIn,
    OidcFlow,
}

/// Returns the name of a cookie. Over TLS it has the prefix `__Host-`, which binds it to this host.
fn name(app: &App, cookie: PageCookie) -> &'static str {
    match (cookie, app.settings.origins.auth.is_secure()) {
        (PageCookie::Form, true) => "__Host-carrel_form",
        (PageCookie::Form, false) => "carrel_form",
        (PageCookie::Browser, true) => "__Host-carrel_browser",
        (PageCookie::Browser, false) => "carrel_browser",
        (PageCookie::Offline, true) => "__Host-carrel_offline",
        (PageCookie::Offline, false) => "carrel_offline",
        (PageCookie::PendingSignIn, true) => "__Host-carrel_sign_in",
        (PageCookie::PendingSignIn, false) => "carrel_sign_in",
        (PageCookie::OidcFlow, true) => "__Host-carrel_oidc",
        (PageCookie::OidcFlow, false) => "carrel_oidc",
    }
}

fn set(app: &App, mut response: Response, name: &str, value: &str, seconds: u32) -> Response {
    let secure = if app.settings.origins.auth.is_secure() { "; Secure" } else { "" };
    let line = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(header::SET_COOKIE, line);
    }
    response
}

//! Authorization requests of apps: validation, and the redirects before and after the consent page.

use std::time::Duration;

use identity::oauth::{self, AuthorizeError, AuthorizeFault, AuthorizeRequest, ValidatedRequest};
use kernel::AccountId;
use poem::Response;
use poem::http::{HeaderValue, header};
use tokio::time::Instant;

use super::super::link_form::without_referrer;
use crate::page::response::redirect;
use http_kit::app::App;

/// Path of the consent page.
pub(in super::super) const PATH: &str = "/oauth/authorize";
/// Maximum length of a request's path and query, in bytes.
pub(super) const MAX_BYTES: usize = 8 * 1024;
/// Maximum time to wait for the app's metadata document.
const METADATA_TIMEOUT: Duration = Duration::from_secs(14);

/// Result of validating a request.
pub(super) enum Incoming {
    /// The request is valid, and the person decides about it.
    Valid(Box<ValidatedRequest>),
    /// The redirect target is not verified, so nothing is returned to the app. The person reads this
    /// sentence.
    Unanswerable(&'static str),
    /// The error is returned to the app.
    Refused(AuthorizeError),
}

/// Parses the parameters of a query, in their original order.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Creates an authorization request from these parameters.
pub(super) fn authorize_request<'a>(app: &'a App, pairs: &'a [(String, String)]) -> AuthorizeRequest<'a> {
    let origins = &app.settings.origins;
    AuthorizeRequest { pairs, base_url: origins.base.as_str(), issuer: origins.auth.as_str() }
}

/// Validates an app's request for a signed-in person. May fetch the app's metadata document.
pub(super) async fn check(app: &App, account_id: AccountId, query: &str) -> kernel::Result<Incoming> {
    let pairs = pairs(query);
    let request = authorize_request(app, &pairs);
    let client_id = match request.client_and_redirect() {
        Ok((client_id, _)) => client_id,
        Err(sentence) => return Ok(Incoming::Unanswerable(sentence)),
    };
    let progress = oauth::request_client(&app.domain, account_id, client_id).await?;
    let client = match app.engine.await_result(progress, Instant::now() + METADATA_TIMEOUT).await? {
        Ok(client) => client,
        Err(sentence) => return Ok(Incoming::Unanswerable(sentence)),
    };
    Ok(match oauth::validate(client, &request) {
        Ok(checked) => Incoming::Valid(Box::new(checked)),
        Err(AuthorizeFault::Page(sentence)) => Incoming::Unanswerable(sentence),
        Err(AuthorizeFault::Redirect(error)) => Incoming::Refused(error),
    })
}

/// Redirects to the sign-in page, which returns to this request. Only the address contains the request.
pub(super) fn sign_in_first(query: &str) -> Response {
    let next: String = url::form_urlencoded::byte_serialize(return_path(query).as_bytes()).collect();
    without_referrer(redirect(&format!("/sign-in?next={next}")))
}

/// Returns the path of the request. Characters that local paths must not contain are percent-encoded.
pub(super) fn return_path(query: &str) -> String {
    let mut path = format!("{PATH}?");
    for byte in query.bytes() {
        if (0x21..0x7f).contains(&byte) && byte != b'\\' {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

/// Content security policy of the sign-in pages before the consent page, and of the page that leads to an OpenID
/// provider. It has no `form-action`, because some browsers apply it to every redirect after a form, and an invalid
/// request is redirected to its app right after the sign-in.
const SIGN_IN_POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Allows the form of a page to redirect to an app if `next` is an app's request.
pub(in super::super) fn allow_redirect_to_app(next: &str, response: Response) -> Response {
    if next.starts_with(PATH) { allow_redirect(response) } else { response }
}

/// Allows the form of a page to redirect to another host.
pub(in super::super) fn allow_redirect(mut response: Response) -> Response {
    let policy = HeaderValue::from_static(SIGN_IN_POLICY);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Redirects the browser back to an app.
pub(super) fn redirect_to_app(address: &str) -> Response {
    let plain: String = address.bytes().fold(String::with_capacity(address.len()), |mut plain, byte| {
        if byte.is_ascii_graphic() {
            plain.push(char::from(byte));
        } else {
            plain.push_str(&format!("%{byte:02X}"));
        }
        plain
    });
    without_referrer(redirect(&plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_is_unchanged_after_the_redirect_to_sign_in() {
        let response = sign_in_first("client_id=a&state=%2B \u{e9}\\");
        let location = response.headers()["location"].to_str().unwrap();
        let (_, next) =
            url::form_urlencoded::parse(location.split_once('?').unwrap().1.as_bytes()).next().unwrap();
        assert_eq!(next, "/oauth/authorize?client_id=a&state=%2B%20%C3%A9%5C");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
        let away = redirect_to_app("app://b\u{fc}cher/?a=b");
        assert_eq!(away.headers()["location"], "app://b%C3%BCcher/?a=b");
    }
}

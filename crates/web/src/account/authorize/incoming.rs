//! The request of an app as it comes in, and what becomes of it.

use std::time::Duration;

use identity::oauth::{self, AuthorizeError, AuthorizeFault, AuthorizeRequest, Checked};
use kernel::AccountId;
use poem::Response;
use poem::http::{HeaderValue, header};
use tokio::time::Instant;

use super::super::redirect;
use http_kit::app::App;

/// Where apps ask.
pub(in super::super) const PATH: &str = "/oauth/authorize";
/// The longest request, path and query, in bytes.
pub(super) const MAX_BYTES: usize = 8 * 1024;
/// How long a person waits for what an app says of itself elsewhere.
const WAIT: Duration = Duration::from_secs(14);

/// What becomes of a request.
pub(super) enum Incoming {
    /// It is put before the person.
    Asks(Box<Checked>),
    /// It is not known where the app may be sent: the person is told why, in this sentence.
    Odd(&'static str),
    /// The app is told.
    Back(AuthorizeError),
}

/// The parameters of a query, in their order.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// The request that parameters are.
pub(super) fn asked<'a>(app: &'a App, pairs: &'a [(String, String)]) -> AuthorizeRequest<'a> {
    let origins = &app.settings.origins;
    AuthorizeRequest { pairs, base_url: origins.base.as_str(), issuer: origins.auth.as_str() }
}

/// Looks at the request of an app for a person who is signed in. What the app says of itself elsewhere may be fetched
/// for it.
pub(super) async fn look(app: &App, account_id: AccountId, query: &str) -> kernel::Result<Incoming> {
    let pairs = pairs(query);
    let request = asked(app, &pairs);
    let client_id = match request.parties() {
        Ok((client_id, _)) => client_id,
        Err(sentence) => return Ok(Incoming::Odd(sentence)),
    };
    let progress = oauth::request_client(&app.domain, account_id, client_id).await?;
    let client = match app.engine.await_result(progress, Instant::now() + WAIT).await? {
        Ok(client) => client,
        Err(sentence) => return Ok(Incoming::Odd(sentence)),
    };
    Ok(match oauth::check(client, &request) {
        Ok(checked) => Incoming::Asks(Box::new(checked)),
        Err(AuthorizeFault::Page(sentence)) => Incoming::Odd(sentence),
        Err(AuthorizeFault::Back(error)) => Incoming::Back(error),
    })
}

/// Leads to the sign-in page and back to the request of this query. The request travels in the address alone.
pub(super) fn sign_in_first(query: &str) -> Response {
    let next: String = url::form_urlencoded::byte_serialize(way_back(query).as_bytes()).collect();
    without_referrer(redirect(&format!("/sign-in?next={next}")))
}

/// The path of the request, with the characters escaped that no path of ours holds.
pub(super) fn way_back(query: &str) -> String {
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

/// What the pages on the way to a request may load. Some browsers hold every address that the answer to a form leads on
/// to against its `form-action`, and an app that asks wrongly is told so at once after signing in.
const ON_THE_WAY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Has a page whose form leads to `next` lead on to an app, where that is a request of one.
pub(in super::super) fn on_the_way(next: &str, mut response: Response) -> Response {
    if next.starts_with(PATH) {
        let policy = HeaderValue::from_static(ON_THE_WAY);
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Has the browser tell nobody where it comes from.
pub(super) fn without_referrer(mut response: Response) -> Response {
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// Sends the browser back to an app.
pub(super) fn leave(address: &str) -> Response {
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
    fn a_request_is_carried_to_the_sign_in_page_whole() {
        let response = sign_in_first("client_id=a&state=%2B \u{e9}\\");
        let location = response.headers()["location"].to_str().unwrap();
        let (_, next) =
            url::form_urlencoded::parse(location.split_once('?').unwrap().1.as_bytes()).next().unwrap();
        assert_eq!(next, "/oauth/authorize?client_id=a&state=%2B%20%C3%A9%5C");
        assert_eq!(response.headers()["referrer-policy"], "no-referrer");
        let away = leave("app://b\u{fc}cher/?a=b");
        assert_eq!(away.headers()["location"], "app://b%C3%BCcher/?a=b");
    }
}

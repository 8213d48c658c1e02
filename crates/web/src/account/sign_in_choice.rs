//! Chooses how a visitor signs in: by the header of a trusted proxy, at the only provider, or with the form of the
//! sign-in page. After a sign-out or an error, a page is always displayed, so no redirect signs the person in again.

use http_kit::auth;
use identity::accounts::{self, ProxyPerson};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Request, Response, handler};

use super::sign_in::{
    OIDC_PATH, accepts_passwords, can_return, continue_sign_in, local_path, needs_no_sign_in, origin,
    refused_page, sign_in_page, sign_in_path, unsaved_notice, with_next,
};
use crate::language::text::Text;
use crate::page::form::FormError;
use crate::page::request::{PageRequest, PageResult, SIGNED_OUT};
use crate::page::response::redirect;

#[handler]
pub(super) async fn show(request: PageRequest, raw: &Request) -> PageResult {
    let next = request.parameter("next");
    let next = local_path(&next);
    // A link of another site does not replace the session of a person who is signed in.
    if needs_no_sign_in(&request) || (request.session.is_some() && is_cross_site(raw)) {
        return Ok(redirect(next));
    }
    let is_signed_out = request.has_parameter(SIGNED_OUT);
    match auth::proxy_person(&request.app, raw) {
        Some(Ok(person)) if is_signed_out || is_embedded(raw) => Ok(signed_out_page(&request, &person, next)),
        Some(person) => by_proxy(&request, person, next).await,
        None if !accepts_passwords(&request) && !is_signed_out && can_return(next) => {
            Ok(redirect(&sign_in_path(&request, OIDC_PATH, next)))
        }
        None => Ok(sign_in_page(&request, StatusCode::OK, "", next, &FormError::default())),
    }
}

fn is_cross_site(raw: &Request) -> bool {
    raw.header("sec-fetch-site") == Some("cross-site")
}

/// Returns true if a page of another site embeds this page. Browsers then send no cookies, so each load would open a
/// session and send a message about it.
fn is_embedded(raw: &Request) -> bool {
    is_cross_site(raw) && raw.header("sec-fetch-dest").is_some_and(|destination| destination != "document")
}

/// Signs in the person whom the proxy names.
async fn by_proxy(request: &PageRequest, person: kernel::Result<ProxyPerson>, next: &str) -> PageResult {
    let app = &request.app;
    let header = app.settings.accounts.proxy_header.as_ref();
    let sign_up = header.map(|header| header.sign_up).unwrap_or_default();
    match accounts::sign_in_by_proxy(&app.domain, sign_up, person, origin(request)).await {
        Ok(signed_in) => Ok(continue_sign_in(request, signed_in, next).await),
        Err(error) => {
            let again = html! { p { a.button href=(sign_in_path(request, "/sign-in", next)) { (Text("oidc-again")) } } };
            refused_page(request, &Text("proxy-failed").get(), error, &again)
        }
    }
}

/// Renders the page after a sign-out, which states that the proxy still names the person.
fn signed_out_page(request: &PageRequest, person: &ProxyPerson, next: &str) -> Response {
    let with_email = |text: Text| -> Markup { text.markup(&[("email", html! { bdi { (person.email()) } })]) };
    let content = html! {
        h1 { (Text("sign-in")) }
        (unsaved_notice(request))
        p.notice { (with_email(Text("proxy-signed-out"))) }
        p { a.button href=(with_next("/sign-in", next)) { (with_email(Text("proxy-sign-in"))) } }
    };
    request.respond(StatusCode::OK, &Text("sign-in").get(), &content)
}

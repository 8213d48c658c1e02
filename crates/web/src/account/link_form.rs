//! Pages behind links that allow a change without a session: the form that uses the link, and the page of a
//! link that is no longer valid.

use kernel::Error;
use maud::{Markup, html};
use poem::Response;
use poem::http::{HeaderValue, StatusCode, header};

use crate::language::text::Text;
use crate::page::error_text::ErrorSentences;
use crate::page::form::{FormError, FormToken};
use crate::page::request::PageRequest;

/// Form that uses a link.
pub(super) struct LinkForm<'a> {
    pub(super) title: &'a str,
    /// Description of the effect.
    pub(super) effect: Markup,
    /// Path to which the form is sent.
    pub(super) action: &'a str,
    /// Secret from the link.
    pub(super) link: &'a str,
    /// Fields besides the secret.
    pub(super) fields: Markup,
    /// Text of the button.
    pub(super) button: &'a str,
}

impl LinkForm<'_> {
    /// Renders the page.
    pub(super) fn respond(
        &self,
        request: &PageRequest,
        status: StatusCode,
        form_error: &FormError,
    ) -> Response {
        let token = FormToken::of(request);
        let content = html! {
            h1 { (self.title) }
            p { (self.effect) }
            (form_error.summary())
            form.stack method="post" action=(self.action) {
                (token.field())
                input type="hidden" name="link" value=(self.link);
                (self.fields)
                div { button type="submit" { (self.button) } }
            }
        };
        token.keep(&request.app, without_referrer(request.respond(status, self.title, &content)))
    }
}

/// Renders the page of a link that is no longer valid, with a link to the page that sends a new one.
pub(super) fn expired_link_page(
    request: &PageRequest,
    error: &Error,
    (path, name): (&str, &str),
) -> Response {
    let content = html! {
        h1 { (Text("link-expired")) }
        p { (ErrorSentences::of(error)) }
        p { a href=(path) { (name) } }
    };
    without_referrer(request.respond(StatusCode::NOT_FOUND, &Text("link-expired-title").get(), &content))
}

/// Sets `Referrer-Policy: no-referrer`, because the address of the page contains secrets.
pub(super) fn without_referrer(mut response: Response) -> Response {
    response.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

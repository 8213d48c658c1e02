//! Access to the operator pages, and their shared navigation.

use kernel::{Code, Error, Millis};
use maud::{Markup, Render, html};
use poem::http::StatusCode;
use poem::{FromRequest, Request, RequestBody, Response};

use crate::language::text::Text;
use crate::layout::{Shell, Width};
use crate::page::parts::time;
use crate::page::request::{PageError, PageRequest};

/// Person who may inspect and change how the service runs: an administrator, or a holder of the operator's
/// token.
pub(super) struct Operator {
    /// Name that is recorded with changes, such as pausing a kind.
    pub(super) name: String,
}

impl<'a> FromRequest<'a> for Operator {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> poem::Result<Self> {
        let page = PageRequest::of(request)?;
        let admin = page.session.as_ref().filter(|session| session.account.is_admin);
        match admin {
            Some(session) => Ok(Self { name: session.account.email.clone() }),
            None if page.has_operator_token => Ok(Self { name: "the operator's token".to_owned() }),
            // Everyone else gets the response for an unknown address.
            None => Err(PageError(Error::new(Code::NotFound, "There is no page at this address.")).into()),
        }
    }
}

/// Responds with a wide page that has the navigation of the operator pages.
pub(super) fn respond(request: &PageRequest, current: &str, title: &str, content: &Markup) -> Response {
    let pages = [
        ("/admin", Text("admin-kinds")),
        ("/admin/jobs", Text("admin-jobs")),
        ("/admin/schedules", Text("admin-schedules")),
        ("/admin/accounts", Text("admin-accounts")),
        ("/admin/hosts", Text("admin-hosts")),
    ];
    let content = html! {
        nav.tabs aria-label=(Text("admin")) {
            @for (path, name) in pages {
                @if path == current { a href=(path) aria-current="page" { (name) } } @else { a href=(path) { (name) } }
            }
        }
        (content)
    };
    let title = format!("{title} · {}", Text("admin").get());
    let shell = Shell { title: &title, current: "/settings/keys", width: Width::Wide };
    request.respond_in(shell, StatusCode::OK, &content)
}

/// Renders a relative time, or `otherwise` if `at` is `None`.
pub(super) fn time_or(at: Option<Millis>, now: Millis, otherwise: &(impl Render + ?Sized)) -> Markup {
    html! { @match at { Some(at) => (time(at, now)), None => span.soft { (otherwise) } } }
}

/// Parses a query parameter. `None` if it is missing or invalid.
pub(super) fn parameter<T: std::str::FromStr>(request: &PageRequest, name: &str) -> Option<T> {
    request.parameter(name).parse().ok()
}

//! Signed-in browsers: the list in the settings, and buttons that sign out one browser or all others.

use identity::accounts::{self, OpenSession, SignedIn};
use kernel::{Code, Error, Millis};
use maud::{Markup, html};
use poem::web::Path;
use poem::{Response, handler};

use crate::language::text::Text;
use crate::page::cookies;
use crate::page::form::{Form, FormToken};
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

/// Sets the cookies of a session, and records its browser and network.
pub(super) async fn open(request: &PageRequest, response: Response, opened: &SignedIn) -> Response {
    let (domain, words) = (&request.app.domain, request.browser_words.as_deref());
    let noted = accounts::note_browser(domain, &opened.session, words, &request.network).await;
    if let Err(error) = noted {
        tracing::debug!(%error, "failed to record the browser of a session");
    }
    cookies::open_session(&request.app, response, opened)
}

/// Renders the table of signed-in browsers, each with a button that signs it out.
pub(super) async fn table(request: &PageRequest, user: &User, token: &FormToken) -> kernel::Result<Markup> {
    let domain = &request.app.domain;
    let sessions = accounts::open_sessions(domain, user.account.id, &user.secret).await?;
    let now = domain.now();
    Ok(html! {
        table.cards {
            caption.soft { (Text("sessions-caption")) }
            thead { tr { th scope="col" { (Text("sessions-browser")) } th scope="col" { (Text("sessions-network")) } th scope="col" { (Text("sessions-signed-in")) } th scope="col" { (Text("settings-last-used")) } th scope="col" { span.hidden { (Text("settings-actions")) } } } }
            tbody { @for session in &sessions { (row(session, token, now)) } }
        }
        @if sessions.len() > 1 {
            form method="post" action="/settings/sessions/end-others" {
                (token.field())
                button.secondary type="submit" { (Text("sessions-end-others")) }
            }
        }
    })
}

fn row(session: &OpenSession, token: &FormToken, now: Millis) -> Markup {
    let browser = session.browser.clone().unwrap_or_else(|| Text("sessions-unknown-browser").get());
    html! {
        tr {
            th scope="row" { (browser) @if session.is_current { " " span.soft { (Text("sessions-this-browser")) } } }
            td data-label=(Text("sessions-network")) { @match &session.network { Some(network) => (network), None => "\u{2013}" } }
            td data-label=(Text("sessions-signed-in")) { (time(session.created_at, now)) }
            td data-label=(Text("settings-last-used")) { @if session.is_current { (Text("sessions-now")) } @else { (time(session.last_seen_at, now)) } }
            td { @if !session.is_current {
                form method="post" action={ "/settings/sessions/" (session.name) "/end" } {
                    (token.field())
                    button.secondary type="submit" aria-label=(Text("sessions-end-named").with("browser", browser.as_str())) { (Text("settings-sign-out")) }
                }
            } }
        }
    }
}

#[handler]
pub(super) async fn end(request: PageRequest, user: User, Path(name): Path<String>, _: Form) -> PageResult {
    if accounts::end_session(&request.app.domain, user.account.id, &name).await? {
        Ok(redirect("/settings?signed-out#sessions"))
    } else {
        Err(Error::new(Code::NotFound, "This browser is already signed out.").into())
    }
}

#[handler]
pub(super) async fn end_others(request: PageRequest, user: User, _: Form) -> PageResult {
    accounts::end_other_sessions(&request.app.domain, user.account.id, &user.secret).await?;
    Ok(redirect("/settings?signed-out#sessions"))
}

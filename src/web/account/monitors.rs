//! Pages of a person's monitors: the list, one monitor with its timeline, making and changing one, and
//! what can be done with it.

mod acts;
mod edit;
mod form;
mod one;

pub(super) use acts::{delete, pause, resume, rotate, run, show_delete};
pub(super) use edit::{change, show_edit};
pub(super) use form::{create, show_new};
pub(super) use one::show;

use std::pin::Pin;

use domain::accounts::{self, Session};
use domain::monitors::{self, Monitor, Page, Status};
use domain::{Error, Millis};
use maud::{Markup, html};
use poem::Response;
use poem::http::StatusCode;
use uuid::Uuid;

use super::parts::{grouped, time};
use super::{Answer, Visit};
use crate::app::App;
use crate::web::layout::{Shell, Width, shell};

type Pending = Pin<Box<dyn Future<Output = Answer> + Send>>;

/// Monitors on the page; the plans have no more than fit.
const MOST: u32 = 300;

/// The list.
pub(super) fn list(visit: Visit) -> Pending {
    Box::pin(async move {
        let Some(session) = &visit.session else { return Ok(visit.to_sign_in()) };
        let app = &visit.app;
        let account = &session.account;
        let page = monitors::list(&app.domain, account.id, None, Page::first(MOST)).await?;
        let told = accounts::capabilities(&app.domain, &app.limits, account.id, account.tier).await?.limits;
        let now = app.domain.now();
        let was_deleted = visit.request.uri().query() == Some("deleted");
        let content = html! {
            h1 { "Monitors" }
            @if was_deleted { p.notice.good role="status" { "The monitor is gone, and its feed says so." } }
            @if page.monitors.is_empty() {
                p { "A monitor looks at a page, a sitemap or a few values again and again, and tells you when they change: here, and in any feed reader." }
                p { a.button href="/monitors/new" { "Watch something" } }
                p.soft { "Programs do the same:" }
                pre tabindex="0" { code { (example(app)) } }
            } @else {
                p { a.button href="/monitors/new" { "Watch something" } }
                (table(&page.monitors, now))
                p.soft {
                    (grouped(told.web_monitors_used)) " of " (grouped(told.web_monitors)) " monitors; "
                    (grouped(told.web_monitor_monthly_credits_remaining)) " of "
                    (grouped(told.web_monitor_monthly_credits)) " credits left this month. "
                    a href="/settings/plan" { "Plan and usage" }
                }
            }
        };
        Ok(respond(app, StatusCode::OK, "Monitors", &content))
    })
}

fn example(app: &App) -> String {
    let base = app.settings.origins.base.as_str();
    format!(
        "curl {base}/v1/monitors \\\n  -H \"Authorization: Bearer $KEY\" \\\n  -H 'Content-Type: application/json' \\\n  \
         -d '{{\"name\": \"Example\", \"targetUrl\": \"https://example.com/\"}}'"
    )
}

fn table(found: &[Monitor], now: Millis) -> Markup {
    html! {
        table.cards {
            caption.soft { "What you watch, newest first" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Status" } th scope="col" { "Last change" } th scope="col" { "Next run" } } }
            tbody { @for monitor in found {
                tr {
                    th scope="row" { a href=(path(monitor.id)) { (monitor.name) } br; span.soft.small { (monitor.target_url) } }
                    td data-label="Status" { (status(monitor)) }
                    td data-label="Last change" { @match monitor.last_change_at { Some(at) => (time(at, now)), None => "none yet" } }
                    td data-label="Next run" { @match monitor.next_run_at { Some(at) => (time(at, now)), None => "–" } }
                }
            } }
        }
    }
}

/// Where a monitor stands, in words.
fn status(monitor: &Monitor) -> Markup {
    let words = match (monitor.status, monitor.pause_reason) {
        (Status::Active, _) => "active",
        (Status::Failed, _) => "failed",
        (Status::Paused, Some(monitors::PauseReason::PlanLimit)) => "paused: beyond the plan",
        (Status::Paused, _) => "paused",
    };
    html! {
        span class={ "badge " (monitor.status.as_str()) } { (words) }
        @if let Some(error) = &monitor.last_error { " " span.soft.small { code { (error) } } }
    }
}

/// A monitor's page.
fn path(id: Uuid) -> String {
    format!("/monitors/{id}")
}

/// The monitor in the path, if it is this person's.
async fn find(visit: &Visit, session: &Session) -> Result<Monitor, Error> {
    let missing = || Error::NotFound { code: "not_found", message: "There is no such monitor.".into() };
    let id = visit.request.uri().path().split('/').nth(2).and_then(|id| Uuid::try_parse(id).ok());
    monitors::get(&visit.app.domain, session.account.id, id.ok_or_else(missing)?).await
}

/// A page of this room, with room for tables.
fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let about = Shell { title, current: "/monitors", width: Width::Wide };
    super::keep_private(crate::web::layout::page_response(status, shell(app, about, content)))
}

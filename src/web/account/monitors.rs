//! Pages of a person's monitors: the list, one monitor with its timeline, making and changing one, and
//! what can be done with it.

mod actions;
mod detail;
mod edit;
mod form;
mod words;

pub(super) use actions::{delete, pause, resume, rotate, run, show_delete, show_rotate};
pub(super) use detail::show;
pub(super) use edit::{show_edit, update};
pub(super) use form::{create, show_new};

use domain::MonitorId;
use domain::accounts;
use domain::monitors::{self, Monitor, Page, Status};
use domain::{Error, Millis};
use maud::{Markup, html};
use poem::http::StatusCode;
use poem::{Response, handler};

use super::parts::{grouped, time};
use super::{Answer, PageRequest, User};
use crate::app::App;
use crate::web::layout::{Shell, Width, shell};

/// Monitors on the page; the plans have no more than fit.
const MAX_LISTED: u32 = 300;

/// The list.
#[handler]
pub(super) async fn list(request: PageRequest, user: User) -> Answer {
    let app = &request.app;
    let account = &user.account;
    let page = monitors::list(&app.domain, account.id, None, Page::first(MAX_LISTED)).await?;
    let told = accounts::capabilities(&app.domain, account.id, account.tier).await?.limits;
    let now = app.domain.now();
    let was_deleted = request.uri.query() == Some("deleted");
    let content = html! {
        h1 { "Monitors" }
        @if was_deleted { p.notice.good role="status" { "The monitor is deleted. Its feed now answers 410 Gone." } }
        @if page.monitors.is_empty() {
            p { "A monitor checks a page, a sitemap or a few values on a schedule and reports changes, here and in any feed reader." }
            p { a.button href="/monitors/new" { "New monitor" } }
            p.soft { "The same with the API:" }
            pre tabindex="0" { code { (example(app)) } }
        } @else {
            p { a.button href="/monitors/new" { "New monitor" } }
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
            caption.soft { "Your monitors, newest first" }
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
        (Status::Paused, Some(monitors::PauseReason::PlanLimit)) => "paused: over the plan limit",
        (Status::Paused, _) => "paused",
    };
    html! {
        span class={ "badge " (monitor.status.as_str()) } { (words) }
        @if let Some(code) = &monitor.last_error { " " span.soft.small { (words::failure(code)) } }
    }
}

/// A monitor's page.
fn path(id: MonitorId) -> String {
    format!("/monitors/{id}")
}

/// A monitor of the signed-in user.
async fn find(request: &PageRequest, user: &User, id: MonitorId) -> Result<Monitor, Error> {
    monitors::get(&request.app.domain, user.account.id, id).await
}

/// A page of this room, with room for tables.
fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let about = Shell { title, current: "/monitors", width: Width::Wide };
    super::keep_private(crate::web::layout::page_response(status, shell(app, about, content)))
}

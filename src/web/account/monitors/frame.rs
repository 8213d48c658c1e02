//! What all pages of this room have: their frame, their addresses, and finding the monitor that they show.

use domain::Error;
use domain::MonitorId;
use domain::monitors::{self, Monitor, PauseReason, Status};
use maud::{Markup, html};
use poem::Response;
use poem::http::StatusCode;

use super::super::{PageRequest, User, keep_private};
use super::words;
use crate::app::App;
use crate::web::layout::{Shell, Width, page_response, shell};

/// A monitor's page.
pub(super) fn path(id: MonitorId) -> String {
    format!("/monitors/{id}")
}

/// A monitor of the signed-in user.
pub(super) async fn find(request: &PageRequest, user: &User, id: MonitorId) -> Result<Monitor, Error> {
    monitors::get(&request.app.domain, user.account.id, id).await
}

/// A page of this room, with room for tables.
pub(super) fn respond(app: &App, status: StatusCode, title: &str, content: &Markup) -> Response {
    let about = Shell { title, current: "/monitors", width: Width::Wide };
    keep_private(page_response(status, shell(app, about, content)))
}

/// Where a monitor stands, in words.
pub(super) fn status(monitor: &Monitor) -> Markup {
    let words = match (monitor.status, monitor.pause_reason) {
        (Status::Active, _) => "active",
        (Status::Failed, _) => "failed",
        (Status::Paused, Some(PauseReason::PlanLimit)) => "paused: over the plan limit",
        (Status::Paused, Some(PauseReason::User) | None) => "paused",
    };
    html! {
        span class={ "badge " (monitor.status.as_str()) } { (words) }
        @if let Some(code) = &monitor.last_error { " " span.soft.small { (words::failure(code)) } }
    }
}

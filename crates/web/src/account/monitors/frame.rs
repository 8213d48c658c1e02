//! Code shared by all monitor pages: the page frame, paths, the lookup of the monitor, the sorted groups, and the status badge.

use kernel::{Error, MonitorGroupId, MonitorId};
use maud::{Markup, html};
use monitors::{Monitor, MonitorGroup, PauseReason, Status};
use poem::Response;
use poem::http::StatusCode;

use super::words;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
use crate::layout::{Shell, Width};
use crate::page::request::{PageRequest, User, title_with_status};

/// Returns the path of a monitor's page.
pub(super) fn path(id: MonitorId) -> String {
    format!("/monitors/{id}")
}

/// Returns the path of a group's page.
pub(super) fn group_path(id: MonitorGroupId) -> String {
    format!("/monitors/groups/{id}")
}

/// Finds a monitor of the signed-in user.
pub(super) async fn find(request: &PageRequest, user: &User, id: MonitorId) -> Result<Monitor, Error> {
    monitors::get(&request.app.domain, user.account.id, id).await
}

/// Returns the groups of the signed-in user, sorted by name.
pub(super) async fn sorted_groups(request: &PageRequest, user: &User) -> Result<Vec<MonitorGroup>, Error> {
    let mut groups = monitors::list_groups(&request.app.domain, user.account.id).await?;
    sort_by_name(&mut groups, |group| &group.name);
    Ok(groups)
}

/// Responds with a page that is wide enough for tables.
pub(super) fn respond(request: &PageRequest, status: StatusCode, title: &str, content: &Markup) -> Response {
    let title = title_with_status(status, title);
    request.respond_in(Shell { title: &title, current: "/monitors", width: Width::Wide }, status, content)
}

/// Renders the status of a monitor as a badge.
pub(super) fn status(monitor: &Monitor) -> Markup {
    let words = match (monitor.status, monitor.pause_reason) {
        (Status::Active, _) => Text("monitor-active"),
        (Status::Failed, _) => Text("monitor-failed"),
        (Status::Paused, Some(PauseReason::PlanLimit)) => Text("monitor-over-plan"),
        (Status::Paused, Some(PauseReason::User) | None) => Text("monitor-paused"),
    };
    html! {
        span class={ "badge " (monitor.status.as_str()) } { (words) }
        @if let Some(code) = monitor.last_error { " " span.soft.small { (words::failure(code)) } }
    }
}

//! Routes of the operator pages.

use poem::{Route, RouteMethod, get, post};

use super::{accounts, bulk, hosts, jobs, kinds, limits, one_job, schedules};

/// Adds the pages for operators.
pub(crate) fn routes(routes: Route) -> Route {
    routes
        .at("/admin", get(kinds::show))
        .at("/admin/kinds/:kind/pause", once(post(kinds::pause_kind)))
        .at("/admin/kinds/:kind/resume", once(post(kinds::resume_kind)))
        .at("/admin/kinds/:kind/limits", get(limits::show).post(limits::set))
        .at("/admin/jobs", get(jobs::show).post(bulk::act))
        .at("/admin/jobs/:id", get(one_job::show))
        .at("/admin/schedules", get(schedules::show))
        .at("/admin/accounts", get(accounts::show))
        .at("/admin/hosts", get(hosts::show))
}

/// Route of an action. It has no page for GET.
fn once(method: RouteMethod) -> RouteMethod {
    method.get(kinds::no_page)
}

//! Which page answers where.

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

/// What is done and not shown: there is no page at its address.
fn once(method: RouteMethod) -> RouteMethod {
    method.get(kinds::no_page)
}

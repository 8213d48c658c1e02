//! Routes of the operator pages.

use poem::{Route, RouteMethod, get, post};

use super::{accounts, bulk_actions, hosts, job_detail, jobs, kinds, limits, quotas, schedules};

/// Adds the routes of the operator pages.
pub(crate) fn routes(routes: Route) -> Route {
    routes
        .at("/admin", get(kinds::show))
        .at("/admin/kinds/:kind/pause", action_only(post(kinds::pause_kind)))
        .at("/admin/kinds/:kind/resume", action_only(post(kinds::resume_kind)))
        .at("/admin/kinds/:kind/limits", get(limits::show).post(limits::set))
        .at("/admin/jobs", get(jobs::show).post(bulk_actions::act))
        .at("/admin/jobs/:id", get(job_detail::show))
        .at("/admin/schedules", get(schedules::show))
        .at("/admin/accounts", get(accounts::show))
        .at("/admin/accounts/:id/quotas", get(quotas::show).post(quotas::replace))
        .at("/admin/hosts", get(hosts::show))
}

/// Makes an action's address respond to `GET` like an unknown address.
fn action_only(method: RouteMethod) -> RouteMethod {
    method.get(kinds::no_page)
}

//! Page of the scheduled deletions of old rows: the last run, its result, and the next run.

use jobs::CleanupRun;
use maud::{Markup, html};
use poem::handler;

use super::operator::{Operator, respond, time_or};
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult};

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (rounds, now) = (jobs::cleanup_runs(domain).await?, domain.now());
    let find = |what: &str| rounds.iter().find(|round| round.what == what);
    let content = html! {
        h1 { "Schedules" }
        p { "Due work (feeds, monitors, library texts, hubs) is started every second. Old rows are deleted at these times (UTC):" }
        table.cards {
            thead { tr { @for name in ["Old rows", "Last run", "Took", "Deleted", "Next run"] { th scope="col" { (name) } } } }
            tbody { @for (what, next) in jobs::cleanup::next_rounds(domain, now) {
                tr {
                    th scope="row" { (what) }
                    @match find(what) {
                        Some(round) => { (last(round, now)) }
                        None => { td data-label="Last run" { span.soft { "none yet" } } td {} td {} }
                    }
                    td data-label="Next run" { (time_or(next, now, "unknown")) }
                }
            } }
        }
    };
    Ok(respond(&request, "/admin/schedules", "Schedules", &content))
}

fn last(round: &CleanupRun, now: kernel::Millis) -> Markup {
    html! {
        td data-label="Last run" {
            (time(round.ended_at, now))
            @if let Some(error) = &round.error { br; span.state.small.bad { "Failed" } " " span.small { (error) } }
        }
        td.n data-label="Took" { (with_thousands_separators(round.took_ms.unsigned_abs())) " ms" }
        td.n data-label="Deleted" { (with_thousands_separators(round.deleted.unsigned_abs())) }
    }
}

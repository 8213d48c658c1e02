//! Page of the scheduled deletions of old rows: the last run, its result, and the next run.

use jobs::CleanupRun;
use maud::{Markup, html};
use poem::handler;

use super::cleanup_words::cleanup_words;
use super::operator::{Operator, respond, time_or};
use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult};

const LAST_RUN: Text = Text("admin-last-run");
const TOOK: Text = Text("admin-took");
const DELETED: Text = Text("admin-deleted");
const NEXT_RUN: Text = Text("admin-next-run");

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (rounds, now) = (jobs::cleanup_runs(domain).await?, domain.now());
    let find = |what: &str| rounds.iter().find(|round| round.what == what);
    let content = html! {
        h1 { (Text("admin-schedules")) }
        p { (Text("admin-schedules-words")) }
        table.cards {
            thead { tr { @for name in [Text("admin-old-rows"), LAST_RUN, TOOK, DELETED, NEXT_RUN] { th scope="col" { (name) } } } }
            tbody { @for (what, next) in jobs::cleanup::next_rounds(domain, now) {
                tr {
                    th scope="row" { (cleanup_words(what)) }
                    @match find(what) {
                        Some(round) => { (last(round, now)) }
                        None => { td data-label=(LAST_RUN) { span.soft { (Text("admin-none-yet")) } } td {} td {} }
                    }
                    td data-label=(NEXT_RUN) { (time_or(next, now, &Text("admin-unknown"))) }
                }
            } }
        }
    };
    Ok(respond(&request, "/admin/schedules", &Text("admin-schedules").get(), &content))
}

fn last(round: &CleanupRun, now: kernel::Millis) -> Markup {
    html! {
        td data-label=(LAST_RUN) {
            (time(round.ended_at, now))
            @if let Some(error) = &round.error { br; span.state.small.bad { (Text("admin-failed")) } " " span.small { (message_text(error)) } }
        }
        td.n data-label=(TOOK) { (with_thousands_separators(round.took_ms.unsigned_abs())) " ms" }
        td.n data-label=(DELETED) { (with_thousands_separators(round.deleted.unsigned_abs())) }
    }
}

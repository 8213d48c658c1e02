//! Page of one job: its subject, its times, and the error of each attempt.

use jobs::JobRow;
use jobs::State;
use kernel::{Code, Error, JobId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::jobs::{JobListFilter, error, hidden};
use super::operator::{Operator, respond, time_or};
use super::words::{kind_words, state_class, state_word};
use crate::page::form::FormToken;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult};

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator, Path(id): Path<JobId>) -> PageResult {
    let missing =
        || Error::new(Code::NotFound, "This job no longer exists. Most jobs are deleted when they end.");
    let job = request.app.engine.status(id).await?.ok_or_else(missing)?;
    let (now, token) = (request.app.domain.now(), FormToken::of(&request));
    let words = kind_words(job.kind);
    let content = html! {
        p.soft { a href=(JobListFilter { kind: Some(job.kind), state: None }.address(None)) { "All jobs of this kind" } }
        h1 { (words) }
        p { span class=(state_class(job.state)) { (state_word(job.state)) } }
        (facts(&job, now))
        (actions(&job, &token))
        h2 { "Errors" }
        (failures(&job, now))
    };
    Ok(respond(&request, "/admin/jobs", &format!("{words} · Jobs"), &content))
}

fn facts(job: &JobRow, now: Millis) -> Markup {
    html! {
        dl.facts {
            dt { "Id" } dd { code { (job.id) } }
            dt { "Kind" } dd { code { (job.kind) } }
            dt { "About" } dd { code { (job.key) } }
            dt { "Payload" } dd { code { (job.payload) } }
            dt { "Attempts" } dd { (job.attempts) " of " (job.kind.rules().max_attempts) }
            dt { "Submitted" } dd { (time(job.created_at, now)) }
            dt { "Due" } dd { (time(job.run_at, now)) }
            dt { "Last started" } dd { (time_or(job.started_at, now, "never")) }
            dt { "Ended" } dd { (time_or(job.finished_at, now, "not yet")) }
            dt { "Worker" } dd { @match &job.worker { Some(worker) => code { (worker) }, None => span.soft { "none" } } }
            dt { "Request" } dd { @match &job.request_id { Some(id) => code { (id) }, None => span.soft { "none" } } }
            dt { "Last error" } dd { (error(job)) @if job.error_code.is_none() { span.soft { "none" } } }
        }
    }
}

fn actions(job: &JobRow, token: &FormToken) -> Markup {
    html! {
        form method="post" action="/admin/jobs" {
            (token.field())
            (hidden(JobListFilter { kind: Some(job.kind), state: None }))
            input type="hidden" name="job" value=(job.id);
            div.row {
                @if matches!(job.state, State::Failed | State::Dead) { button name="do" value="retry" { "Retry" } }
                @if job.state.is_live() { button.secondary name="do" value="cancel" { "Cancel…" } }
            }
        }
    }
}

fn failures(job: &JobRow, now: Millis) -> Markup {
    html! {
        @if job.errors.is_empty() { p.soft { "No errors recorded." } } @else {
            table.cards {
                thead { tr { @for name in ["Attempt", "When", "Code", "Message", "Worker"] { th scope="col" { (name) } } } }
                tbody { @for failure in &job.errors {
                    tr {
                        th scope="row" { (failure.attempt) }
                        td data-label="When" { (time(failure.at, now)) }
                        td data-label="Code" { code { (failure.code) } }
                        td { (failure.message) }
                        td data-label="Worker" { code.small { (failure.worker) } }
                    }
                } }
            }
        }
    }
}

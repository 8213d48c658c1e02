//! Page of one job: its subject, its times, and the error of each attempt.

use jobs::JobRow;
use jobs::JobState;
use kernel::{Code, Error, JobId, Millis};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::jobs::{JobListFilter, attempts, error, hidden};
use super::operator::{Operator, respond, time_or};
use super::words::{state_class, state_word};
use crate::language::job_kind_name::job_kind_name;
use crate::language::text::Text;
use crate::page::error_text::stored_message;
use crate::page::form::FormToken;
use crate::page::parts::time;
use crate::page::request::{PageRequest, PageResult};

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator, Path(id): Path<JobId>) -> PageResult {
    let missing =
        || Error::new(Code::NotFound, "This job no longer exists. Most jobs are deleted when they end.");
    let job = request.app.engine.status(id).await?.ok_or_else(missing)?;
    let (now, token) = (request.app.domain.now(), FormToken::of(&request));
    let words = job_kind_name(job.kind);
    let content = html! {
        p.soft { a href=(JobListFilter { kind: Some(job.kind), state: None }.address(None)) { (Text("admin-all-of-kind")) } }
        h1 { (words) }
        p { span class=(state_class(job.state)) { (state_word(job.state)) } }
        (facts(&job, now))
        (actions(&job, &token))
        h2 { (Text("admin-errors")) }
        (failures(&job, now))
    };
    Ok(respond(&request, "/admin/jobs", &format!("{words} · {}", Text("admin-jobs").get()), &content))
}

fn facts(job: &JobRow, now: Millis) -> Markup {
    html! {
        dl.facts {
            dt { (Text("admin-id")) } dd { code { (job.id) } }
            dt { (Text("admin-kind")) } dd { code { (job.kind) } }
            dt { (Text("admin-about")) } dd { code { (job.key) } }
            dt { (Text("admin-payload")) } dd { code { (job.payload) } }
            dt { (Text("admin-attempts")) } dd { (attempts(job)) }
            dt { (Text("admin-submitted")) } dd { (time(job.created_at, now)) }
            dt { (Text("admin-due")) } dd { (time(job.run_at, now)) }
            dt { (Text("admin-last-started")) } dd { (time_or(job.started_at, now, &Text("admin-never"))) }
            dt { (Text("admin-ended")) } dd { (time_or(job.finished_at, now, &Text("admin-not-yet"))) }
            dt { (Text("admin-worker")) } dd { @match &job.worker { Some(worker) => code { (worker) }, None => span.soft { (Text("admin-none")) } } }
            dt { (Text("admin-request")) } dd { @match &job.request_id { Some(id) => code { (id) }, None => span.soft { (Text("admin-none")) } } }
            dt { (Text("admin-last-error")) } dd { (error(job)) @if job.error_code.is_none() { span.soft { (Text("admin-none")) } } }
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
                @if matches!(job.state, JobState::Failed | JobState::Dead) { button name="do" value="retry" { (Text("admin-retry")) } }
                @if job.state.is_live() { button.secondary name="do" value="cancel" { (Text("admin-cancel")) } }
            }
        }
    }
}

fn failures(job: &JobRow, now: Millis) -> Markup {
    html! {
        @if job.errors.is_empty() { p.soft { (Text("admin-no-errors")) } } @else {
            table.cards {
                thead { tr { @for name in [Text("admin-attempt"), Text("admin-when"), Text("admin-code"), Text("admin-message"), Text("admin-worker")] { th scope="col" { (name) } } } }
                tbody { @for failure in &job.errors {
                    tr {
                        th scope="row" { (failure.attempt) }
                        td data-label=(Text("admin-when")) { (time(failure.at, now)) }
                        td data-label=(Text("admin-code")) { code { (failure.code) } }
                        td { (stored_message(Code::from_stored(&failure.code), &failure.message)) }
                        td data-label=(Text("admin-worker")) { code.small { (failure.worker) } }
                    }
                } }
            }
        }
    }
}

//! Page of jobs in every state: a paged list, filtered by kind and state, with actions on many jobs.

use jobs::JobRow;
use jobs::{JobFilter, JobKind, JobState};
use kernel::{Code, JobId, Millis};
use maud::{Markup, html};
use poem::handler;

use super::operator::{Operator, parameter, respond};
use super::words::{STATES, state_class, state_of, state_word};
use crate::language::job_kind_name::job_kind_name;
use crate::language::text::Text;
use crate::page::error_text::stored_message;
use crate::page::form::FormToken;
use crate::page::parts::{success, time};
use crate::page::request::{PageRequest, PageResult};

/// Jobs per page.
const PAGE: u64 = 50;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JobListFilter {
    pub(super) kind: Option<JobKind>,
    pub(super) state: Option<JobState>,
}

impl JobListFilter {
    /// Parses the filter's query values. An unknown value does not filter.
    pub(super) fn of(kind: &str, state: &str) -> Self {
        Self { kind: JobKind::parse(kind), state: state_of(state) }
    }

    /// Returns the filter's query values.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        (self.kind.map_or("", JobKind::as_str), self.state.map_or("", JobState::as_str))
    }

    /// Returns the address of the filtered list, starting after the given job if there is one.
    pub(super) fn address(self, after: Option<JobId>) -> String {
        let (kind, state) = self.words();
        let after = after.map(|id| format!("&after={id}")).unwrap_or_default();
        format!("/admin/jobs?kind={kind}&state={state}{after}")
    }
}

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let chosen = JobListFilter::of(&request.parameter("kind"), &request.parameter("state"));
    let filter = JobFilter {
        kind: chosen.kind,
        state: chosen.state,
        after: parameter(&request, "after"),
        limit: PAGE + 1,
    };
    let mut rows = jobs::list(domain, &filter).await?;
    let has_more = rows.len() as u64 > PAGE;
    rows.truncate(usize::try_from(PAGE).unwrap_or(usize::MAX));
    let token = FormToken::of(&request);
    let content = html! {
        h1 { (Text("admin-jobs")) }
        @if let Some(done) = parameter::<u64>(&request, "done") { (success(&action_summary(done, &request.parameter("left")))) }
        (filters(chosen))
        @if rows.is_empty() { p { (Text("admin-no-job")) } } @else {
            form.stack.wide method="post" action="/admin/jobs" {
                (token.field())
                (hidden(chosen))
                (tools(chosen))
                (table(&rows, domain.now()))
            }
            @if let (true, Some(last)) = (has_more, rows.last()) {
                p { a.button.secondary href=(chosen.address(Some(last.id))) rel="next" { (Text("admin-older-jobs")) } }
            }
        }
    };
    Ok(respond(&request, "/admin/jobs", &Text("admin-jobs").get(), &content))
}

fn action_summary(done: u64, left: &str) -> String {
    let updated = Text("admin-updated").with("count", done).get();
    match left {
        "" | "0" => updated,
        left => format!("{updated} {}", Text("admin-not-updated").with("count", left).get()),
    }
}

/// Renders hidden fields that submit the filter with an action.
pub(super) fn hidden(chosen: JobListFilter) -> Markup {
    let (kind, state) = chosen.words();
    html! { input type="hidden" name="kind" value=(kind); input type="hidden" name="state" value=(state); }
}

fn filters(chosen: JobListFilter) -> Markup {
    html! {
        form.ask action="/admin/jobs" method="get" {
            div {
                label for="kind" { (Text("admin-kind")) }
                select #kind name="kind" {
                    option value="" { (Text("admin-all-kinds")) }
                    @for kind in JobKind::ALL {
                        option value=(kind.as_str()) selected[chosen.kind == Some(*kind)] { (job_kind_name(*kind)) }
                    }
                }
            }
            div {
                label for="state" { (Text("admin-state")) }
                select #state name="state" {
                    option value="" { (Text("admin-all-states")) }
                    @for (state, word) in STATES { option value=(state.as_str()) selected[chosen.state == Some(state)] { (word) } }
                }
            }
            button type="submit" { (Text("admin-show")) }
        }
    }
}

fn tools(chosen: JobListFilter) -> Markup {
    let may_retry = chosen.state.is_none_or(|state| matches!(state, JobState::Failed | JobState::Dead));
    let may_cancel = chosen.state.is_none_or(JobState::is_live);
    html! {
        div.row {
            @if may_retry { button.secondary name="do" value="retry" { (Text("admin-retry-selected")) } }
            @if may_cancel { button.secondary name="do" value="cancel" { (Text("admin-cancel-selected")) } }
            @if may_retry && chosen.state.is_some() { button.secondary name="do" value="retry-all" { (Text("admin-retry-all")) } }
            @if may_cancel && chosen.state.is_some() { button.secondary name="do" value="cancel-all" { (Text("admin-cancel-all")) } }
        }
    }
}

fn table(rows: &[JobRow], now: Millis) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(Text("admin-jobs")) {
            table.cards {
                thead { tr {
                    th scope="col" { span.hidden { (Text("monitors-select")) } }
                    @for name in [Text("admin-job"), Text("admin-state"), Text("admin-attempts"), Text("admin-due"), Text("admin-last-error")] { th scope="col" { (name) } }
                } }
                tbody { @for job in rows { (row(job, now)) } }
            }
        }
    }
}

fn row(job: &JobRow, now: Millis) -> Markup {
    let words = job_kind_name(job.kind);
    html! {
        tr {
            td { input type="checkbox" name="job" value=(job.id) aria-label=(Text("admin-select-job").with("name", format!("{words} {}", job.id))); }
            th scope="row" {
                a href=(format!("/admin/jobs/{}", job.id)) { (words) } br;
                code.small.soft { (job.id) } br; code.small.soft { (job.payload) }
            }
            td data-label=(Text("admin-state")) { span class=(state_class(job.state)) { (state_word(job.state)) } }
            td.n data-label=(Text("admin-attempts")) { (attempts(job)) }
            td data-label=(Text("admin-due")) { (time(job.run_at, now)) }
            td data-label=(Text("admin-last-error")) { (error(job)) }
        }
    }
}

/// Formats the attempts of a job: `1 of 5`.
pub(super) fn attempts(job: &JobRow) -> String {
    let most = job.kind.rules().max_attempts.to_string();
    Text("plan-used").with("count", job.attempts.to_string()).with("most", most).get()
}

/// Renders the last error of a job: its code and message.
pub(super) fn error(job: &JobRow) -> Markup {
    html! {
        @if let Some(code) = job.error_code {
            code { (Code::as_str(code)) } " " span.small { (stored_message(code, job.error_message.as_deref().unwrap_or_default())) }
        }
    }
}

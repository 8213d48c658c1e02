//! Overview of job kinds: numbers of waiting, running, and failed jobs, a chart, and a button that pauses the
//! kind.

#![expect(clippy::unused_async, reason = "handlers are asynchronous, even if they await nothing")]

use application::operators::{self, KindState, MAX_COUNT};
use jobs::JobKind;
use kernel::{Code, Error, Millis, rfc3339};
use maud::{Markup, html};
use poem::handler;
use poem::web::Path;

use super::chart::spark;
use super::operator::{Operator, respond};
use super::words::{kind_words, span_words};
use crate::page::form::{Form, FormToken};
use crate::page::parts::{success, time, with_thousands_separators};
use crate::page::request::{PageError, PageRequest, PageResult};
use crate::page::response::redirect;

/// A kind whose oldest job waits longer than this is falling behind.
const BEHIND: Millis = 60_000;
/// A kind whose oldest job waits longer than this, without recent completions, has stopped.
const STOPPED: Millis = 300_000;

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (example_states, now) = (operators::kinds(domain).await?, domain.now());
    let token = FormToken::of(&request);
    let content = html! {
        h1 { "Jobs" }
        @match request.uri.query() {
            Some("paused") => (success("Kind paused. Workers start no more of its jobs; running jobs may finish.")),
            Some("resumed") => (success("Kind resumed.")),
            _ => {}
        }
        p.small.soft { "As of " (rfc3339(now)) ". " a href="/admin" { "Refresh" } }
        p.small.soft { "Browser for pages that need scripts: " (request.app.settings.renderer.state()) "." }
        (tiles(&example_states, now))
        div.scroll tabindex="0" role="region" aria-label="Jobs by kind" {
            table.cards {
                thead { tr {
                    @for name in ["Kind", "Waiting", "Oldest wait", "Running", "Done per minute", "Failed today", "Dead", "Last hour"] {
                        th scope="col" { (name) }
                    }
                    th scope="col" { span.hidden { "Actions" } }
                } }
                tbody { @for state in &example_states { (row(state, now, &token)) } }
            }
        }
    };
    Ok(respond(&request, "/admin", "Jobs", &content))
}

fn tiles(states: &[KindState], now: Millis) -> Markup {
    let sum = |of: fn(&KindState) -> i64| states.iter().map(of).sum::<i64>();
    let oldest = states.iter().filter_map(|state| state.oldest_due).min();
    let done: u64 = states.iter().flat_map(|state| &state.done).sum();
    html! {
        dl.tiles {
            div { dt { "Waiting" } dd { (count(sum(|state| state.waiting)))
                @if let Some(oldest) = oldest { " " small { "oldest " (span_words(now - oldest)) } } } }
            div { dt { "Running" } dd { (count(sum(|state| state.running))) } }
            div { dt { "Done per minute" } dd { (with_thousands_separators(done / 60)) " " small { "last hour" } } }
            div { dt { "Failed today" } dd { (count(sum(|state| state.failed))) } }
            div { dt { "Dead" } dd { (count(sum(|state| state.dead))) } }
        }
    }
}

fn row(state: &KindState, now: Millis, token: &FormToken) -> Markup {
    let (kind, words) = (state.kind.as_str(), kind_words(state.kind));
    let done: u64 = state.done.iter().sum();
    let link = |number: i64, of: &str| {
        html! {
            @if number == 0 { "0" } @else { a href=(format!("/admin/jobs?kind={kind}&state={of}")) { (count(number)) } }
        }
    };
    html! {
        tr {
            th scope="row" { (words) " " code.soft.small { (kind) } br; (status_badge(state, now))
                @if let Some(limits) = &state.limits { br; span.small.soft { "Limited: " (limits.to_string()) } } }
            td.n data-label="Waiting" { (link(state.waiting, "ready"))
                @if state.scheduled > 0 { br; span.small.soft { (count(state.scheduled)) " scheduled" } } }
            td.n data-label="Oldest wait" { @match state.oldest_due { Some(due) => (span_words(now - due)), None => "none" } }
            td.n data-label="Running" { (link(state.running, "running")) }
            td.n data-label="Done per minute" { (with_thousands_separators(done / 60)) }
            td.n data-label="Failed today" { (link(state.failed, "failed")) }
            td.n data-label="Dead" { (link(state.dead, "dead")) }
            td data-label="Last hour" { (spark(&format!("{words}, done"), &state.done)) }
            td { (switch(state, words, token)) " "
                a.small href=(format!("/admin/kinds/{kind}/limits")) { "Limits" span.hidden { " of “" (words) "”" } } }
        }
    }
}

/// Renders a badge that says whether the kind keeps up.
fn status_badge(state: &KindState, now: Millis) -> Markup {
    let waits = state.oldest_due.map_or(0, |due| now - due);
    let has_recent_completions = state.done.iter().rev().take(5).any(|ended| *ended > 0);
    html! {
        @if let Some(pause) = &state.pause {
            span.state.small.warn { "Paused" } " " span.small.soft { (time(pause.paused_at, now)) " by " bdi { (pause.paused_by) } }
        } @else if waits > STOPPED && !has_recent_completions { span.state.small.bad { "Stopped" } }
        @else if waits > BEHIND { span.state.small.warn { "Falling behind" } }
        @else if state.running > 0 || has_recent_completions { span.state.small.good { "Keeping up" } }
        @else { span.state.small.soft { "Idle" } }
    }
}

fn switch(state: &KindState, words: &str, token: &FormToken) -> Markup {
    let (action, name) = if state.pause.is_some() { ("resume", "Resume") } else { ("pause", "Pause") };
    html! {
        form method="post" action=(format!("/admin/kinds/{}/{action}", state.kind)) {
            (token.field())
            button.secondary type="submit" { (name) span.hidden { " “" (words) "”" } }
        }
    }
}

/// Formats a count. Counts that reached the maximum have a plus sign.
fn count(number: i64) -> String {
    let formatted = with_thousands_separators(number.unsigned_abs());
    if number >= MAX_COUNT { format!("{formatted}+") } else { formatted }
}

/// Pauses a kind: workers start none of its jobs.
#[handler]
pub(super) async fn pause_kind(
    request: PageRequest,
    operator: Operator,
    _form: Form,
    Path(kind): Path<String>,
) -> PageResult {
    jobs::pause(&request.app.domain, find(&kind)?, &operator.name).await?;
    Ok(redirect("/admin?paused"))
}

/// Resumes a kind: workers start its jobs again.
#[handler]
pub(super) async fn resume_kind(
    request: PageRequest,
    _operator: Operator,
    _form: Form,
    Path(kind): Path<String>,
) -> PageResult {
    jobs::resume(&request.app.domain, find(&kind)?).await?;
    Ok(redirect("/admin?resumed"))
}

/// Responds to `GET` at an action's address, which has no page.
#[handler]
pub(super) async fn no_page() -> PageResult {
    Err(PageError(Error::new(Code::NotFound, "There is no page at this address.")))
}

pub(super) fn find(word: &str) -> Result<JobKind, Error> {
    JobKind::parse(word).ok_or_else(|| Error::new(Code::NotFound, "This job kind does not exist."))
}

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
use super::words::{limit_words, span_words};
use crate::language::job_kind_name::job_kind_name;
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::{success, time, with_thousands_separators};
use crate::page::request::{PageError, PageRequest, PageResult};
use crate::page::response::redirect;
use http_kit::config::RendererSetting;

/// A kind whose oldest job waits longer than this is falling behind.
const BEHIND: Millis = 60_000;
/// A kind whose oldest job waits longer than this, without recent completions, has stopped.
const STOPPED: Millis = 300_000;

const WAITING: Text = Text("state-ready");
const OLDEST_WAIT: Text = Text("admin-oldest-wait");
const RUNNING: Text = Text("state-running");
const DONE_PER_MINUTE: Text = Text("admin-done-per-minute");
const FAILED_TODAY: Text = Text("admin-failed-today");
const DEAD: Text = Text("state-dead");
const LAST_HOUR: Text = Text("admin-last-hour");

#[handler]
pub(super) async fn show(request: PageRequest, _operator: Operator) -> PageResult {
    let domain = &request.app.domain;
    let (example_states, now) = (operators::kinds(domain).await?, domain.now());
    let token = FormToken::of(&request);
    let content = html! {
        h1 { (Text("admin-jobs")) }
        @match request.uri.query() {
            Some("paused") => (success(&Text("admin-kind-paused"))),
            Some("resumed") => (success(&Text("admin-kind-resumed"))),
            _ => {}
        }
        p.small.soft { (Text("admin-as-of").with("time", rfc3339(now))) " " a href="/admin" { (Text("admin-refresh")) } }
        p.small.soft { (Text("admin-renderer").markup(&[("state", renderer_state(&request.app.settings.renderer))])) }
        (tiles(&example_states, now))
        div.scroll tabindex="0" role="region" aria-label=(Text("admin-by-kind")) {
            table.cards {
                thead { tr {
                    @for name in [Text("admin-kind"), WAITING, OLDEST_WAIT, RUNNING, DONE_PER_MINUTE, FAILED_TODAY, DEAD, LAST_HOUR] {
                        th scope="col" { (name) }
                    }
                    th scope="col" { span.hidden { (Text("admin-actions")) } }
                } }
                tbody { @for state in &example_states { (row(state, now, &token)) } }
            }
        }
    };
    Ok(respond(&request, "/admin", &Text("admin-jobs").get(), &content))
}

/// Describes where pages that need scripts are rendered. If this process renders them, names the path of the browser.
fn renderer_state(setting: &RendererSetting) -> Markup {
    html! { @match (setting, setting.program()) {
        (RendererSetting::Off, _) => { (Text("admin-renderer-off")) },
        (RendererSetting::Workers, _) => { (Text("admin-renderer-workers")) },
        (_, Some(program)) => { code { (program.display().to_string()) } },
        (_, None) => { (Text("admin-renderer-none")) },
    } }
}

fn tiles(states: &[KindState], now: Millis) -> Markup {
    let sum = |of: fn(&KindState) -> i64| states.iter().map(of).sum::<i64>();
    let oldest = states.iter().filter_map(|state| state.oldest_due).min();
    let done: u64 = states.iter().flat_map(|state| &state.done).sum();
    html! {
        dl.tiles {
            div { dt { (WAITING) } dd { (count(sum(|state| state.waiting)))
                @if let Some(oldest) = oldest { " " small { (Text("admin-oldest").with("time", span_words(now - oldest))) } } } }
            div { dt { (RUNNING) } dd { (count(sum(|state| state.running))) } }
            div { dt { (DONE_PER_MINUTE) } dd { (with_thousands_separators(done / 60)) " " small { (LAST_HOUR) } } }
            div { dt { (FAILED_TODAY) } dd { (count(sum(|state| state.failed))) } }
            div { dt { (DEAD) } dd { (count(sum(|state| state.dead))) } }
        }
    }
}

fn row(state: &KindState, now: Millis, token: &FormToken) -> Markup {
    let (kind, words) = (state.kind.as_str(), job_kind_name(state.kind));
    let done: u64 = state.done.iter().sum();
    let link = |number: i64, of: &str| {
        html! {
            @if number == 0 { "0" } @else { a href=(format!("/admin/jobs?kind={kind}&state={of}")) { (count(number)) } }
        }
    };
    html! {
        tr {
            th scope="row" { (words) " " code.soft.small { (kind) } br; (status_badge(state, now))
                @if let Some(limits) = &state.limits { br; span.small.soft { (Text("admin-limited").with("limits", limit_words(limits))) } } }
            td.n data-label=(WAITING) { (link(state.waiting, "ready"))
                @if state.scheduled > 0 { br; span.small.soft { (Text("admin-scheduled").with("count", count(state.scheduled))) } } }
            td.n data-label=(OLDEST_WAIT) { @match state.oldest_due { Some(due) => (span_words(now - due)), None => (Text("admin-none")) } }
            td.n data-label=(RUNNING) { (link(state.running, "running")) }
            td.n data-label=(DONE_PER_MINUTE) { (with_thousands_separators(done / 60)) }
            td.n data-label=(FAILED_TODAY) { (link(state.failed, "failed")) }
            td.n data-label=(DEAD) { (link(state.dead, "dead")) }
            td data-label=(LAST_HOUR) { (spark(&words, &state.done)) }
            td { (switch(state, &words, token)) " "
                a.small href=(format!("/admin/kinds/{kind}/limits")) aria-label=(Text("admin-limits-of").with("name", words.as_str())) { (Text("admin-limits")) } }
        }
    }
}

/// Renders a badge that states whether the kind keeps up with its jobs.
fn status_badge(state: &KindState, now: Millis) -> Markup {
    let waits = state.oldest_due.map_or(0, |due| now - due);
    let has_recent_completions = state.done.iter().rev().take(5).any(|ended| *ended > 0);
    html! {
        @if let Some(pause) = &state.pause {
            span.state.small.warn { (Text("admin-paused")) } " "
            span.small.soft { (Text("admin-paused-by").markup(&[("time", time(pause.paused_at, now)), ("name", html! { bdi { (pause.paused_by) } })])) }
        } @else if waits > STOPPED && !has_recent_completions { span.state.small.bad { (Text("admin-stopped")) } }
        @else if waits > BEHIND { span.state.small.warn { (Text("admin-behind")) } }
        @else if state.running > 0 || has_recent_completions { span.state.small.good { (Text("admin-keeping-up")) } }
        @else { span.state.small.soft { (Text("admin-idle")) } }
    }
}

fn switch(state: &KindState, words: &str, token: &FormToken) -> Markup {
    let (action, text, label) = if state.pause.is_some() {
        ("resume", Text("monitor-resume"), Text("admin-resume-named"))
    } else {
        ("pause", Text("monitor-pause"), Text("admin-pause-named"))
    };
    html! {
        form method="post" action=(format!("/admin/kinds/{}/{action}", state.kind)) {
            (token.field())
            button.secondary type="submit" aria-label=(label.with("name", words)) { (text) }
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

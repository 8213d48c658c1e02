//! One monitor: where it stands, its timeline, its changes, its feed, and the buttons.

use domain::MonitorId;
use domain::monitors::{self, Change, Monitor, Page, Run, Status};
use domain::{Millis, rfc3339};
use maud::{Markup, html};
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;

use super::super::form::FormToken;
use super::super::parts::{success, time};
use super::super::{Answer, PageRequest, User};
use super::{find, path, respond, status, words};

/// Runs in the timeline.
const RUNS: u32 = 60;
/// Changes on the page.
const CHANGES: u32 = 20;

/// One monitor.
#[handler]
pub(crate) async fn show(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> Answer {
    let (app, account_id) = (&request.app, user.account.id);
    let monitor = find(&request, &user, id).await?;
    let runs = monitors::list_runs(&app.domain, account_id, monitor.id, Page::first(RUNS)).await?.runs;
    let changes =
        monitors::list_changes(&app.domain, account_id, monitor.id, Page::first(CHANGES)).await?.changes;
    let mut linked = Vec::with_capacity(changes.len());
    for change in changes {
        linked.push((monitors::change_link(&app.domain, &monitor, change.id).await?, change));
    }
    let token = FormToken::of(&request);
    let now = app.domain.now();
    let content = html! {
        p.soft { a href="/monitors" { "Monitors" } }
        h1 { (monitor.name) }
        (notice(request.uri.query()))
        (facts(&monitor, now))
        (buttons(&monitor, &token))
        h2 { "Timeline" }
        (timeline(&runs, now))
        h2 { "Changes" }
        (change_list(&linked, &runs, now))
        h2 { "Feed" }
        (feeds(&monitor, &app.domain.policy().base_url))
    };
    let title = format!("{} · Monitors", monitor.name);
    Ok(respond(app, StatusCode::OK, &title, &content))
}

fn notice(query: Option<&str>) -> Markup {
    match query {
        Some("made") => success(
            "The monitor is created. Its first run starts within a minute and is the baseline for later ones.",
        ),
        Some("running") => success("A run has started. Reload this page in a moment."),
        Some("changed") => success("The monitor is updated."),
        Some("rotated") => success("The feed link is replaced. The old one answers 410 Gone."),
        _ => html! {},
    }
}

fn facts(monitor: &Monitor, now: Millis) -> Markup {
    let cost = monitor.target_type.cost();
    html! {
        dl.facts {
            dt { "Target" } dd { a href=(monitor.target_url) rel="noopener nofollow" { (monitor.target_url) }
                @if let Some(selector) = monitor.selector() { " " code { (selector) } } }
            dt { "Type" } dd { (monitor.target_type.as_str()) ", " (cost) @if cost == 1 { " credit" } @else { " credits" } " a run" }
            dt { "Status" } dd { (status(monitor)) }
            dt { "Every" } dd { (minutes(monitor.interval_minutes)) }
            dt { "Next run" } dd { @match monitor.next_run_at { Some(at) => (time(at, now)), None => "none planned" } }
            dt { "Last run" } dd { @match monitor.last_run_at { Some(at) => (time(at, now)), None => "none yet" } }
        }
        @if let Some(error) = &monitor.last_error {
            p.notice.bad { "The last run failed" @if monitor.failure_count > 1 { ", like the " (monitor.failure_count - 1) " before it" } ": " (words::failure(error)) "." }
        }
    }
}

fn minutes(minutes: u32) -> String {
    match minutes {
        1440 => "day".to_owned(),
        60 => "hour".to_owned(),
        minutes if minutes % 1440 == 0 => format!("{} days", minutes / 1440),
        minutes if minutes % 60 == 0 => format!("{} hours", minutes / 60),
        minutes => format!("{minutes} minutes"),
    }
}

fn buttons(monitor: &Monitor, token: &FormToken) -> Markup {
    let act = |name: &str, label: &str| {
        html! {
            form method="post" action={ (path(monitor.id)) "/" (name) } { (token.field()) button.quiet type="submit" { (label) } }
        }
    };
    html! {
        div.row {
            (act("run", "Run now"))
            @if monitor.status == Status::Active { (act("pause", "Pause")) } @else { (act("resume", "Resume")) }
            a.button.quiet href={ (path(monitor.id)) "/edit" } { "Edit" }
            a.button.quiet href={ (path(monitor.id)) "/delete" } { "Delete…" }
        }
    }
}

/// The runs as a row of bars, oldest left, and in words for whoever sees no bars.
fn timeline(runs: &[Run], now: Millis) -> Markup {
    if runs.is_empty() {
        return html! { p.soft { "No run has ended yet." } };
    }
    let count = |word: &str| runs.iter().filter(|run| run.outcome.as_deref() == Some(word)).count();
    let words = format!(
        "The last {}: {} with a change, {} without, {} failed.",
        if runs.len() == 1 { "run".to_owned() } else { format!("{} runs", runs.len()) },
        count("changed"),
        count("unchanged") + count("baseline"),
        count("error")
    );
    html! {
        svg.timeline viewBox="0 0 600 40" preserveAspectRatio="none" role="img" aria-label=(words) {
            @for (place, run) in runs.iter().rev().enumerate() {
                @let outcome = run.outcome.as_deref().unwrap_or_default();
                @let height = match outcome { "changed" => 40, "error" => 26, _ => 12 };
                rect class=(outcome) x=(place * 10 + 1) y=(40 - height) width="8" height=(height) {
                    title { (outcome) " " (rfc3339(run.finished_at.unwrap_or(run.started_at))) }
                }
            }
        }
        p.soft.small { (words) " " @if let Some(last) = runs.first() { "The newest was " (time(last.started_at, now)) "." } }
        details {
            summary { "Runs" }
            div.scroll tabindex="0" { table {
                thead { tr { th scope="col" { "Started" } th scope="col" { "Outcome" } th scope="col" { "+ / − / ±" } th scope="col" { "Credits" } } }
                tbody { @for run in runs { tr {
                    td { (time(run.started_at, now)) }
                    td { (run.outcome.as_deref().unwrap_or("running")) @if let Some(code) = &run.error_code { ": " (words::failure(code)) } }
                    td { (run.added) " / " (run.removed) " / " (run.modified) }
                    td { (run.credits) }
                } } }
            } }
        }
    }
}

fn change_list(changes: &[(String, Change)], runs: &[Run], now: Millis) -> Markup {
    let was_read = runs.iter().any(|run| run.outcome.as_deref().is_some_and(|outcome| outcome != "error"));
    html! {
        @if changes.is_empty() && was_read {
            p.soft { "No changes so far." }
        } @else if changes.is_empty() {
            p.soft { "No changes so far: no run has succeeded yet." }
        } @else {
            ul.plain { @for (link, change) in changes {
                li { a href=(link) { (change.title) } " " span.soft.small { (time(change.detected_at, now)) } @if change.summary != change.title { br; span.small { (change.summary) } } }
            } }
        }
    }
}

fn feeds(monitor: &Monitor, base_url: &str) -> Markup {
    let feed = monitor.feed_url(base_url);
    let stem = feed.strip_suffix(".xml").unwrap_or(&feed);
    html! {
        p { "Add this link to any feed reader. Anyone who has it can read the feed, so treat it like a password." }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label="Feed link" { (feed) }
        p.small { "Also as " a href={ (stem) ".atom" } { "Atom" } " and " a href={ (stem) ".json" } { "JSON Feed" } "."
            @if monitor.is_followed { " Its changes also appear in your RSS entries." } }
        p { a.button.quiet href={ (path(monitor.id)) "/rotate-feed" } { "Replace the feed link…" } }
    }
}

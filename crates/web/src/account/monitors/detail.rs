//! Page of one monitor: charts of its values, status, timeline, changes, channels, feed, and actions.

use std::collections::HashMap;

use kernel::{Millis, MonitorId, MonitorRunId};
use maud::{Markup, html};
use monitors::{ChangeSummary, ListRange, Monitor, MonitorGroup, RequestSettings, Run, Status};
use notices::{Channel, ChannelStatus};
use poem::handler;
use poem::http::{HeaderValue, StatusCode};
use poem::web::Path;

use super::fields::OWN_SETTINGS;
use super::frame::{find, group_path, path, respond, status};
use super::listing::tagged;
use super::rendering_input::step_lines;
use super::schedule_input::schedule_words;
use super::timeline::{outcome_words, timeline};
use super::values::charts;
use super::words;
use crate::page::form::FormToken;
use crate::page::parts::{success, time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

/// Maximum number of runs in the timeline, and of changes that are loaded for them.
const RUNS: u32 = 60;
/// Maximum number of changes listed on the page.
const CHANGES: usize = 20;
/// Seconds between reloads while a run is in progress, and the maximum number of reloads.
const RELOAD_SECONDS: u32 = 3;
const MAX_RELOADS: u32 = 20;

#[handler]
pub(crate) async fn show(request: PageRequest, user: User, Path(id): Path<MonitorId>) -> PageResult {
    let (app, account_id) = (&request.app, user.account.id);
    let monitor = find(&request, &user, id).await?;
    let runs = monitors::list_runs(&app.domain, account_id, monitor.id, ListRange::first(RUNS)).await?.runs;
    let changes = monitors::list_change_summaries(&app.domain, account_id, monitor.id, RUNS.into()).await?;
    let values = monitors::values(&app.domain, account_id, monitor.id).await?;
    let group = match monitor.group {
        Some(group) => Some(monitors::get_group(&app.domain, account_id, group).await?),
        None => None,
    };
    let channels =
        if monitor.notify.is_empty() { Vec::new() } else { notices::list(&app.domain, account_id).await? };
    let by_run: HashMap<MonitorRunId, &str> =
        changes.iter().map(|change| (change.run_id, change.link.as_str())).collect();
    let token = FormToken::of(&request);
    let now = app.domain.now();
    let awaited = Awaited::of(&request, &runs);
    let content = html! {
        p.soft { a href="/monitors" { "Monitors" } }
        h1 { (monitor.name) }
        (notice(request.uri.query(), &awaited))
        (charts(&values, monitor.id, now))
        (facts(&monitor, group.as_ref(), now))
        (warnings(&runs))
        (suppressed(&monitor, &token))
        (buttons(&monitor, &token))
        h2 { "Changes" }
        (change_list(&changes, &runs, now))
        h2 { "Timeline" }
        (timeline(&runs, &by_run, now))
        (notified(&monitor, &channels, &token))
        h2 { "Feed" }
        (feeds(&monitor, &app.domain.policy().base_url))
    };
    let title = format!("{} · Monitors", monitor.name);
    let mut response = respond(&request, StatusCode::OK, &title, &content);
    if let Awaited::UnderWay { run, reloads } = awaited
        && reloads < MAX_RELOADS
        && let Ok(refresh) = HeaderValue::from_str(&format!(
            "{RELOAD_SECONDS}; url={}?running={run}&look={}",
            path(monitor.id),
            reloads + 1
        ))
    {
        response.headers_mut().insert("refresh", refresh);
    }
    Ok(response)
}

/// State of the run that the person requested last.
enum Awaited {
    /// No run was requested.
    Nothing,
    /// The run is in progress. The page was reloaded `reloads` times since the run was requested.
    UnderWay { run: MonitorRunId, reloads: u32 },
    /// The run ended with this result.
    Ended(Markup),
}

impl Awaited {
    fn of(request: &PageRequest, runs: &[Run]) -> Self {
        let Ok(run) = request.parameter("running").parse::<MonitorRunId>() else { return Self::Nothing };
        match runs.iter().find(|ended| ended.id == run) {
            None => Self::UnderWay { run, reloads: request.parameter("look").parse().unwrap_or(0) },
            Some(ended) => {
                let outcome = outcome_words(ended.outcome.as_deref());
                Self::Ended(html! {
                    "Run finished: " (outcome) "."
                    @if let Some(code) = ended.error_code { " " (words::failure(code)) "." }
                })
            }
        }
    }
}

fn notice(query: Option<&str>, awaited: &Awaited) -> Markup {
    match awaited {
        Awaited::UnderWay { reloads, .. } if *reloads < MAX_RELOADS => {
            return success("A run is in progress. This page reloads until it finishes.");
        }
        Awaited::UnderWay { .. } => {
            return success("The run has not started yet. Reload this page later.");
        }
        Awaited::Ended(words) => return success(words),
        Awaited::Nothing => {}
    }
    match query {
        Some("made") => success(
            "Monitor created. Its first run starts within a minute and is the baseline for later runs.",
        ),
        Some("changed") => success("Monitor updated."),
        Some("rotated") => success("Feed link replaced. The old link answers 410 Gone."),
        _ => html! {},
    }
}

fn facts(monitor: &Monitor, group: Option<&MonitorGroup>, now: Millis) -> Markup {
    let cost = monitor.definition.cost();
    html! {
        dl.facts {
            dt { "Target" } dd { a href=(monitor.target_url) rel="noopener nofollow" { (monitor.target_url) }
                @if let Some(selector) = monitor.selector() { " " code { (selector) } } }
            dt { "Type" } dd { (monitor.target_type.as_str()) ", " (cost) @if cost == 1 { " credit" } @else { " credits" } " per run, at most " (with_thousands_separators(monitor.credits_per_month.unsigned_abs())) " per month" }
            @if !monitor.definition.request.is_plain() { dt { "Request" } dd { (request_words(&monitor.definition.request)) } }
            @if let Some(rendering) = &monitor.definition.rendering {
                dt { "Page" } dd { "opened in a browser, which runs its scripts"
                    @if let Some(selector) = &rendering.wait_for { ", waits for " code { (selector) } }
                    @for step in step_lines(&rendering.steps).lines() { ", " code { (step) } } }
            }
            dt { "Reports" } dd { (reports(monitor)) }
            dt { "Status" } dd { (status(monitor)) }
            dt { "Checked" } dd { (schedule_words(&monitor.schedule, monitor.interval_minutes)) }
            dt { "Next run" } dd { @match monitor.next_run_at { Some(at) => (time(at, now)), None => "not scheduled" }
                @if !monitor.schedule.is_plain() { @for at in monitor.next_runs.iter().skip(1) { ", " (time(*at, now)) } } }
            @if let Some(group) = group { dt { "Group" } dd { a href=(group_path(group.id)) { bdi { (group.name) } } (own_words(monitor)) } }
            @if !monitor.tags.is_empty() { dt { "Tags" } dd { @for (index, tag) in monitor.tags.iter().enumerate() { @if index > 0 { ", " } a href=(tagged(tag)) { bdi { (tag) } } } } }
            dt { "Last run" } dd { @match monitor.last_run_at { Some(at) => (time(at, now)), None => "none yet" } }
        }
        @if let Some(error) = monitor.last_error {
            p.notice.bad { "The last run failed" @if monitor.failure_count > 1 { ", like the " (monitor.failure_count - 1) " before it" } ": " (words::failure(error)) "." }
        }
    }
}

/// Lists the settings that differ from those of the monitor's group: `, with its own interval, channels`.
fn own_words(monitor: &Monitor) -> String {
    let own = OWN_SETTINGS.into_iter().filter(|(setting, _)| monitor.own_settings.contains(setting));
    let own: Vec<String> = own.map(|(_, label)| label.get().to_lowercase()).collect();
    if own.is_empty() { String::new() } else { format!(", with its own {}", own.join(", ")) }
}

/// Describes the request. Empty for a plain `GET`.
fn request_words(request: &RequestSettings) -> String {
    let mut words = vec![if request.post.is_some() { "POST" } else { "GET" }.to_owned()];
    if let Some(user_agent) = &request.user_agent {
        words.push(format!("as {user_agent}"));
    }
    words.extend(request.proxy.as_ref().map(|name| format!("through the proxy {name}")));
    match request.headers.len() {
        0 => {}
        1 => words.push("1 header".to_owned()),
        count => words.push(format!("{count} headers")),
    }
    words.extend(request.credential_kind().map(|_| "with credentials".to_owned()));
    words.extend(request.cookies.then(|| "stores cookies".to_owned()));
    words.extend(request.any_status.then(|| "accepts error statuses".to_owned()));
    words.join(", ")
}

/// Renders the warnings of the last successful run.
fn warnings(runs: &[Run]) -> Markup {
    let last = runs.iter().find(|run| run.outcome.is_some() && run.error_code.is_none());
    html! {
        @for warning in last.map(|run| run.warnings.as_slice()).unwrap_or_default() {
            p.notice { (words::warning(warning)) }
        }
    }
}

/// Describes the condition for reporting a change, and whether it is currently met.
fn reports(monitor: &Monitor) -> Markup {
    let trigger = &monitor.definition.trigger;
    html! {
        "when " @if trigger.condition.is_some() { "these conditions are met" } @else { (words::trigger(trigger.kind).1) }
        @if let Some(value) = &trigger.value { " “" (value) "”" }
        @if let Some(condition) = &trigger.condition { ": " (condition) }
        @if let Some(hours) = trigger.repeat_hours { ", again after " (hours) " hours" }
        @match monitor.triggered { Some(true) => "; currently true", Some(false) => "; currently false", None => "" }
    }
}

/// Renders the content and the changes that are currently suppressed.
fn suppressed(monitor: &Monitor, token: &FormToken) -> Markup {
    html! {
        @if monitor.suppression.is_some() {
            p.notice { "The page alternates between two versions. Changes are not reported until it settles." }
        }
        @if !monitor.masks.is_empty() {
            details {
                summary { "Not watched" }
                ul { @for mask in &monitor.masks { li { (mask) } } }
                form method="post" action={ (path(monitor.id)) "/watch-all" } {
                    (token.field()) button.secondary type="submit" { "Watch these too" }
                }
            }
        }
    }
}

fn buttons(monitor: &Monitor, token: &FormToken) -> Markup {
    let act = |name: &str, label: &str| {
        html! {
            form method="post" action={ (path(monitor.id)) "/" (name) } { (token.field()) button.secondary type="submit" { (label) } }
        }
    };
    html! {
        div.row {
            (act("run", "Run now"))
            @if monitor.status == Status::Active { (act("pause", "Pause")) } @else { (act("resume", "Resume")) }
            a.button.secondary href={ (path(monitor.id)) "/edit" } { "Edit" }
            a.button.secondary href={ (path(monitor.id)) "/duplicate" } { "Duplicate" }
            a.button.secondary href={ (path(monitor.id)) "/delete" } { "Delete…" }
        }
    }
}

fn change_list(changes: &[ChangeSummary], runs: &[Run], now: Millis) -> Markup {
    let was_read = runs.iter().any(|run| run.outcome.as_deref().is_some_and(|outcome| outcome != "error"));
    html! {
        @if changes.is_empty() && was_read {
            p.soft { "No changes yet." }
        } @else if changes.is_empty() {
            p.soft { "No changes yet: no run has succeeded." }
        } @else {
            ul.plain { @for change in changes.iter().take(CHANGES) {
                li { a href=(change.link) { (change.title) } " " span.soft.small { (time(change.detected_at, now)) } @if change.summary != change.title { br; span.small { (change.summary) } } }
            } }
        }
    }
}

/// Renders the channels that the monitor notifies, each with a button that sends a test message.
fn notified(monitor: &Monitor, channels: &[Channel], token: &FormToken) -> Markup {
    let mut notified = channels.iter().filter(|channel| monitor.notify.contains(&channel.id)).peekable();
    html! {
        @if notified.peek().is_some() {
            h2 { "Messages" }
            ul.plain { @for channel in notified {
                li {
                    form.line method="post" action={ "/settings/channels/" (channel.id) "/test" } {
                        (token.field())
                        a href={ "/settings/channels/" (channel.id) } { bdi { (channel.name) } }
                        @if channel.status == ChannelStatus::Active { button.link.push type="submit" aria-label={ "Send a test message to “" (channel.name) "”" } { "Send a test message" } }
                        @else { span.soft.push { "not active" } }
                    }
                }
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
        p.small { "Also available as " a href={ (stem) ".atom" } { "Atom" } " and " a href={ (stem) ".json" } { "JSON Feed" } "."
            @if monitor.is_followed { " Its changes also appear in your feeds." } }
        p { a.button.secondary href={ (path(monitor.id)) "/rotate-feed" } { "Replace feed link…" } }
    }
}

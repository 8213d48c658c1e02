//! Page of one monitor: charts of its values, status, timeline, changes, channels, feed, and actions.

use std::collections::HashMap;

use kernel::{Millis, MonitorId, MonitorRunId};
use maud::{Markup, html};
use monitors::{
    ChangeSummary, ExplanationSettings, GroupSetting, ListRange, Monitor, MonitorGroup, RequestSettings, Run,
    Status, TargetType,
};
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
use crate::change::explained;
use crate::change_text::change_text;
use crate::language::formats;
use crate::language::text::Text;
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
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { bdi { (monitor.name) } }
        (notice(request.uri.query(), &awaited))
        (charts(&values, monitor.id, now))
        (facts(&monitor, group.as_ref(), now))
        @if is_true_but_unreported(&monitor, &changes) { p.notice { (Text("monitor-true-unreported")) } }
        (warnings(&runs))
        (suppressed(&monitor, &token))
        (buttons(&monitor, &token))
        h2 { (Text("today-changes")) }
        (change_list(&changes, &runs, now))
        h2 { (Text("monitor-timeline")) }
        (timeline(&runs, &by_run, now))
        (notified(&monitor, &channels, &token))
        h2 { (Text("monitor-feed")) }
        (feeds(&monitor, &app.domain.policy().base_url))
    };
    let title = format!("{} · {}", monitor.name, Text("nav-monitors").get());
    let mut response = respond(&request, StatusCode::OK, &title, &content);
    if let Awaited::UnderWay { run, reloads } = awaited
        && reloads < MAX_RELOADS
        && let Ok(refresh) = HeaderValue::from_str(&format!(
            "{RELOAD_SECONDS}; url={}?running={run}&reload={}",
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
    /// The run is in progress. The page has been reloaded `reloads` times since the run was requested.
    UnderWay { run: MonitorRunId, reloads: u32 },
    /// The run ended with this result.
    Ended(Markup),
}

impl Awaited {
    fn of(request: &PageRequest, runs: &[Run]) -> Self {
        let Ok(run) = request.parameter("running").parse::<MonitorRunId>() else { return Self::Nothing };
        match runs.iter().find(|ended| ended.id == run) {
            None => Self::UnderWay { run, reloads: request.parameter("reload").parse().unwrap_or(0) },
            Some(ended) => {
                let outcome = outcome_words(ended.outcome.as_deref());
                Self::Ended(html! {
                    (Text("monitor-run-finished").with("outcome", outcome.get()))
                    @if let Some(code) = ended.error_code { " " (words::failure(code)) "." }
                })
            }
        }
    }
}

fn notice(query: Option<&str>, awaited: &Awaited) -> Markup {
    match awaited {
        Awaited::UnderWay { reloads, .. } if *reloads < MAX_RELOADS => {
            return success(&Text("monitor-run-active"));
        }
        Awaited::UnderWay { .. } => {
            return success(&Text("monitor-run-late"));
        }
        Awaited::Ended(words) => return success(words),
        Awaited::Nothing => {}
    }
    match query {
        Some("made") => success(&Text("monitor-created")),
        Some("changed") => success(&Text("monitor-updated")),
        Some("rotated") => success(&Text("monitor-feed-replaced")),
        _ => html! {},
    }
}

/// Describes the type of a monitor, the credits of one run, and the maximum credits per month.
fn cost_words(monitor: &Monitor) -> String {
    Text("monitor-cost")
        .with("type", type_name(monitor.target_type).get())
        .with("cost", monitor.definition.cost())
        .with("most", with_thousands_separators(monitor.credits_per_month.unsigned_abs()))
        .get()
}

fn type_name(target_type: TargetType) -> Text {
    match target_type {
        TargetType::Page => Text("type-page"),
        TargetType::Sitemap => Text("type-sitemap"),
        TargetType::Extract => Text("type-extract"),
        TargetType::Product => Text("type-product"),
        TargetType::Calendar => Text("type-calendar"),
        TargetType::File => Text("type-file"),
        TargetType::Image => Text("type-image"),
        TargetType::Visual => Text("type-visual"),
        TargetType::Headers => Text("type-headers"),
    }
}

fn facts(monitor: &Monitor, group: Option<&MonitorGroup>, now: Millis) -> Markup {
    html! {
        dl.facts {
            dt { (Text("monitor-target")) } dd { a href=(monitor.target_url) rel="noopener nofollow" { (monitor.target_url) }
                @if let Some(selector) = monitor.selector() { " " code { (selector) } } }
            dt { (Text("monitor-type")) } dd { (cost_words(monitor)) }
            @if !monitor.definition.request.is_default() { dt { (Text("monitor-request")) } dd { (request_words(&monitor.definition.request)) } }
            @if let Some(rendering) = &monitor.definition.rendering {
                dt { (Text("monitor-page")) } dd { (Text("monitor-rendered"))
                    @if let Some(selector) = &rendering.wait_for { ", " (Text("monitor-waits").markup(&[("selector", html! { code { (selector) } })])) }
                    @for step in step_lines(&rendering.steps).lines() { ", " code { (step) } }
                    @if rendering.dismiss_cookie_notices { ", " (Text("monitor-dismisses-cookie-notices")) } }
            }
            dt { (Text("monitor-reports")) } dd { (reports(monitor)) }
            @if let Some(explanation) = &monitor.definition.explanation { dt { (Text("monitor-explanation")) } dd { (explanation_words(explanation)) } }
            dt { (Text("items-status")) } dd { (status(monitor)) }
            dt { (Text("monitor-checked")) } dd { (schedule_words(&monitor.schedule, monitor.interval_minutes)) }
            dt { (Text("monitors-next-run")) } dd { @match monitor.next_run_at { Some(at) => (time(at, now)), None => (Text("monitor-not-scheduled")) }
                @if !monitor.schedule.is_default() { @for at in monitor.next_runs.iter().skip(1) { ", " (time(*at, now)) } } }
            @if let Some(group) = group { dt { (Text("monitor-group")) } dd { a href=(group_path(group.id)) { bdi { (group.name) } } (own_words(monitor)) } }
            @if !monitor.tags.is_empty() { dt { (Text("items-tags")) } dd { @for (index, tag) in monitor.tags.iter().enumerate() { @if index > 0 { ", " } a href=(tagged(tag)) { bdi { (tag) } } } } }
            dt { (Text("monitor-last-run")) } dd { @match monitor.last_run_at { Some(at) => (time(at, now)), None => (Text("monitors-none-yet")) } }
        }
        @if let Some(error) = monitor.last_error {
            p.notice.bad {
                @let reason = [("reason", words::failure(error))];
                @if monitor.failure_count > 1 { (Text("monitor-last-failed-again").with("count", monitor.failure_count - 1).markup(&reason)) }
                @else { (Text("monitor-last-failed").markup(&reason)) }
            }
        }
    }
}

/// Describes the settings for explanations of changes: the owner's wish, and whether only relevant changes are
/// notified.
fn explanation_words(explanation: &ExplanationSettings) -> Markup {
    html! {
        @match &explanation.wish { Some(wish) => (Text("monitor-quoted").with("value", wish.as_str())), None => (Text("monitor-explanation-on")) }
        @if explanation.only_relevant { "; " (Text("monitor-explanation-filter")) }
    }
}

/// Lists the settings that override those of the monitor's group, for example `, with its own interval, channels`.
fn own_words(monitor: &Monitor) -> String {
    let own = OWN_SETTINGS.into_iter().filter(|(setting, _)| monitor.own_settings.contains(setting));
    let name = |setting: GroupSetting| match setting {
        GroupSetting::Interval => Text("own-interval").get(),
        GroupSetting::Schedule => Text("own-schedule").get(),
        GroupSetting::Notify => Text("own-channels").get(),
    };
    let own: Vec<String> = own.map(|(setting, _)| name(setting)).collect();
    if own.is_empty() {
        return String::new();
    }
    format!(", {}", Text("monitor-own-settings").with("settings", formats::list(&own)).get())
}

/// Describes the HTTP request of a monitor. Empty for a plain `GET`.
fn request_words(request: &RequestSettings) -> String {
    let method = request.post.as_ref().map_or("get", |post| post.method.as_str());
    let mut words = vec![method.to_ascii_uppercase()];
    if let Some(user_agent) = &request.user_agent {
        words.push(Text("monitor-as-agent").with("agent", user_agent.as_str()).get());
    }
    words.extend(
        request.proxy.as_ref().map(|name| Text("monitor-through-proxy").with("name", name.as_str()).get()),
    );
    if !request.headers.is_empty() {
        words.push(Text("monitor-headers-count").with("count", request.headers.len()).get());
    }
    words.extend(request.credential_kind().map(|_| Text("monitor-with-credentials").get()));
    words.extend(request.cookies.then(|| Text("monitor-stores-cookies").get()));
    words.extend(request.any_status.then(|| Text("monitor-accepts-errors").get()));
    formats::list(&words)
}

/// Renders the warnings of the last successful run.
fn warnings(runs: &[Run]) -> Markup {
    let last = runs.iter().find(|run| run.outcome.is_some() && run.error_code.is_none());
    html! {
        @for warning in last.into_iter().flat_map(|run| &run.warnings).filter(|code| !words::is_expected(code)) {
            p.notice { (words::warning(warning)) }
        }
    }
}

/// Describes the condition for reporting a change, and whether it is currently met.
fn reports(monitor: &Monitor) -> Markup {
    let trigger = &monitor.definition.trigger;
    let kind = if trigger.condition.is_some() {
        Text("monitor-conditions-met")
    } else {
        words::trigger(trigger.kind).1
    };
    html! {
        (Text("monitor-when").with("trigger", kind.get()))
        @if let Some(value) = &trigger.value { " " (Text("monitor-quoted").with("value", value.as_str())) }
        @if let Some(condition) = &trigger.condition { ": " (condition) }
        @if let Some(hours) = trigger.repeat_hours { ", " (Text("monitor-again").with("hours", hours)) }
        @match monitor.triggered { Some(true) => { "; " (Text("monitor-now-true")) }, Some(false) => { "; " (Text("monitor-now-false")) }, None => {} }
    }
}

/// Returns true if the condition has been true since the first run, which reports nothing. A monitor that repeats its
/// reports will report the condition while it stays true.
fn is_true_but_unreported(monitor: &Monitor, changes: &[ChangeSummary]) -> bool {
    monitor.triggered == Some(true) && changes.is_empty() && monitor.definition.trigger.repeat_hours.is_none()
}

/// Renders the content and the changes that are currently suppressed.
fn suppressed(monitor: &Monitor, token: &FormToken) -> Markup {
    html! {
        @if monitor.suppression.is_some() {
            p.notice { (Text("monitor-alternating")) }
        }
        @if !monitor.masks.is_empty() {
            details {
                summary { (Text("monitor-unwatched")) }
                ul { @for mask in &monitor.masks { li { (mask) } } }
                form method="post" action={ (path(monitor.id)) "/watch-all" } {
                    (token.field()) button.secondary type="submit" { (Text("monitor-watch-all")) }
                }
            }
        }
    }
}

fn buttons(monitor: &Monitor, token: &FormToken) -> Markup {
    let act = |name: &str, label: Text| {
        html! {
            form method="post" action={ (path(monitor.id)) "/" (name) } { (token.field()) button.secondary type="submit" { (label) } }
        }
    };
    html! {
        div.row {
            (act("run", Text("monitor-run")))
            @if monitor.status == Status::Active { (act("pause", Text("monitor-pause"))) } @else { (act("resume", Text("monitor-resume"))) }
            a.button.secondary href={ (path(monitor.id)) "/edit" } { (Text("form-edit")) }
            a.button.secondary href={ (path(monitor.id)) "/duplicate" } { (Text("monitor-duplicate")) }
            a.button.secondary href={ (path(monitor.id)) "/delete" } { (Text("items-delete")) }
        }
    }
}

fn change_list(changes: &[ChangeSummary], runs: &[Run], now: Millis) -> Markup {
    let was_read = runs.iter().any(|run| run.outcome.as_deref().is_some_and(|outcome| outcome != "error"));
    html! {
        @if changes.is_empty() && was_read {
            p.soft { (Text("monitor-changes-none")) }
        } @else if changes.is_empty() {
            p.soft { (Text("monitor-changes-no-run")) }
        } @else {
            ul.plain { @for change in changes.iter().take(CHANGES) {
                @let text = change_text(&change.title, &change.summary);
                li { a href=(change.link) { bdi { (text.title) } } " " span.soft.small { (time(change.detected_at, now)) } @if text.summary != text.title { br; span.small { bdi { (text.summary) } } }
                    @if let Some(explanation) = &change.explanation { (explained(explanation)) } }
            } }
        }
    }
}

/// Renders the channels that the monitor notifies, each with a button that sends a test message.
fn notified(monitor: &Monitor, channels: &[Channel], token: &FormToken) -> Markup {
    let mut notified = channels.iter().filter(|channel| monitor.notify.contains(&channel.id)).peekable();
    html! {
        @if notified.peek().is_some() {
            h2 { (Text("monitor-messages")) }
            ul.plain { @for channel in notified {
                li {
                    form.line method="post" action={ "/settings/channels/" (channel.id) "/test" } {
                        (token.field())
                        a href={ "/settings/channels/" (channel.id) } { bdi { (channel.name) } }
                        @if channel.status == ChannelStatus::Active { button.link.push type="submit" aria-label=(Text("monitor-test-message-to").with("name", channel.name.as_str())) { (Text("monitor-test-message")) } }
                        @else { span.soft.push { (Text("monitor-channel-inactive")) } }
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
        p { (Text("monitor-feed-words")) }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("monitor-feed-link")) { (feed) }
        p.small { (Text("monitor-feed-formats").linked(&[format!("{stem}.atom").as_str(), format!("{stem}.json").as_str()]))
            @if monitor.is_followed { " " (Text("monitor-followed")) } }
        p { a.button.secondary href={ (path(monitor.id)) "/rotate-feed" } { (Text("monitor-replace-feed")) } }
    }
}

//! List of monitors, with the latest change of each.

use std::collections::HashMap;

use kernel::{Millis, MonitorGroupId, MonitorId};
use library::Tag;
use maud::{Markup, html};
use monitors::{ListFilter, ListRange, Monitor, MonitorGroup, NewestChange};
use notices::Channel;
use poem::handler;
use poem::http::StatusCode;
use url::form_urlencoded;

use super::fields::INTERVALS;
use super::frame::{path, respond, status};
use super::text_fields::line;
use super::words;
use crate::page::form::{FormError, FormToken};
use crate::page::parts::{success, time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};
use http_kit::app::App;

/// Maximum number of monitors on the page. No plan allows more.
pub(super) const MAX_LISTED: u32 = 300;

#[handler]
pub(crate) async fn list(request: PageRequest, user: User) -> PageResult {
    let app = &request.app;
    let account = &user.account;
    let group = request.parameter("group").parse::<MonitorGroupId>().ok();
    let filter = ListFilter { group, ..ListFilter::default() };
    let mut listed =
        monitors::list(&app.domain, account.id, filter, ListRange::first(MAX_LISTED)).await?.monitors;
    let tags = monitors::tags_of(&listed);
    let groups = monitors::list_groups(&app.domain, account.id).await?;
    let chosen = request.parameter("tag");
    if !chosen.is_empty() {
        listed.retain(|monitor| monitors::has_tag(monitor, &chosen));
    }
    let is_filtered = !chosen.is_empty() || group.is_some();
    let newest = monitors::newest_changes(&app.domain, account.id, &listed).await?;
    let channels = notices::list(&app.domain, account.id).await?;
    let least = app.domain.policy().tiers.of(account.tier).web_monitor_minimum_interval_minutes;
    let limits = application::capabilities::capabilities(&app.domain, account.id, account.tier).await?.limits;
    let now = app.domain.now();
    let was_deleted = request.uri.query() == Some("deleted");
    let content = html! {
        h1 { "Monitors" }
        @if let Some(words) = done(&request) { (success(&words)) }
        @if was_deleted { p.notice.good role="status" { "Monitor deleted. Its feed now answers 410 Gone." } }
        @if listed.is_empty() && !is_filtered {
            p { "A monitor checks a page, a sitemap or a few values on a schedule and reports changes, here and in any feed reader." }
            p { a.button href="/monitors/new" { "New monitor" } " " a.button.secondary href="/monitors/lists" { "Import from another program" } }
            p.soft { "With the API:" }
            pre tabindex="0" { code { (example(app)) } }
        } @else {
            p { a.button href="/monitors/new" { "New monitor" } " " a.button.secondary href="/monitors/changes" { "All changes" } " " a.button.secondary href="/monitors/groups" { "Groups" } " " a.button.secondary href="/monitors/lists" { "Import and export" } }
            (group_links(&groups, group))
            (tag_links(&tags, &chosen))
            @if listed.is_empty() { p.soft { @if group.is_some() { "No monitor is in this group." } @else { "No monitor has this tag." } } } @else { form method="post" action="/monitors/selected" {
                (FormToken::of(&request).field()) @if let Some(group) = group { input type="hidden" name="group" value=(group); }
                (table(&listed, &newest, now))
                (changes(&channels, &groups, least))
                div.row {
                    button.secondary type="submit" name="act" value="pause" { "Pause selected" }
                    button.secondary type="submit" name="act" value="resume" { "Resume selected" }
                    @if !chosen.is_empty() && group.is_none() {
                        input type="hidden" name="tag" value=(chosen);
                        button.secondary type="submit" name="act" value="pause-tag" { "Pause all " (listed.len()) " with this tag" }
                        button.secondary type="submit" name="act" value="resume-tag" { "Resume all " (listed.len()) " with this tag" }
                    }
                }
            } }
            p.soft {
                (with_thousands_separators(limits.web_monitors_used)) " of " (with_thousands_separators(limits.web_monitors)) " monitors; "
                (with_thousands_separators(limits.web_monitor_monthly_credits_remaining)) " of "
                (with_thousands_separators(limits.web_monitor_monthly_credits)) " credits left this month. "
                a href="/settings/plan" { "Plan and usage" }
            }
        }
    };
    Ok(respond(&request, StatusCode::OK, "Monitors", &content))
}

/// Renders links that filter the list by group.
fn group_links(groups: &[MonitorGroup], chosen: Option<MonitorGroupId>) -> Markup {
    html! {
        @if !groups.is_empty() {
            nav.row aria-label="Groups" {
                @for group in groups {
                    a.button.secondary href=(grouped(group.id)) aria-current=[(chosen == Some(group.id)).then_some("true")] { bdi { (group.name) } }
                }
            }
        }
    }
}

/// Returns the address of the list, filtered by a group.
pub(super) fn grouped(group: MonitorGroupId) -> String {
    format!("/monitors?group={group}")
}

/// Renders links that filter the list by tag.
fn tag_links(tags: &[Tag], chosen: &str) -> Markup {
    let chosen = Tag::of(chosen).map(|tag| tag.key);
    html! {
        @if !tags.is_empty() {
            nav.row aria-label="Tags" {
                a.button.secondary href="/monitors" aria-current=[chosen.is_none().then_some("true")] { "All" }
                @for tag in tags {
                    a.button.secondary href=(tagged(&tag.name)) aria-current=[(chosen.as_ref() == Some(&tag.key)).then_some("true")] { bdi { (tag.name) } }
                }
            }
        }
    }
}

/// Renders the fields that change the selected monitors.
fn changes(channels: &[Channel], groups: &[MonitorGroup], least: u32) -> Markup {
    let select = |name: &str, label: &str| {
        html! {
            div { label for=(name) { (label) }
                select id=(name) name=(name) {
                    option value="" { "no change" }
                    @for channel in channels { option value=(channel.id) { (channel.name) } }
                }
            }
        }
    };
    html! {
        details.stack {
            summary { "Change selected" }
            div { label for="intervalMinutes" { "Check" }
                select #intervalMinutes name="intervalMinutes" {
                    option value="" { "no change" }
                    @for minutes in INTERVALS.into_iter().filter(|minutes| *minutes >= least) { option value=(minutes) { (words::every(minutes)) } }
                }
            }
            (line("addTags", "Add tags", "Separated by commas.", "").show(&FormError::default()))
            (line("removeTags", "Remove tags", "Separated by commas.", "").show(&FormError::default()))
            @if !groups.is_empty() {
                div { label for="groupId" { "Group" }
                    select #groupId name="groupId" {
                        option value="" { "no change" }
                        option value="none" { "none" }
                        @for group in groups { option value=(group.id) { (group.name) } }
                    }
                }
            }
            @if !channels.is_empty() { (select("addNotify", "Also notify")) (select("removeNotify", "No longer notify")) }
            div { button.secondary type="submit" name="act" value="change" { "Change selected" } }
        }
    }
}

/// Returns the address of the list, filtered by a tag.
pub(super) fn tagged(tag: &str) -> String {
    let tag: String = form_urlencoded::byte_serialize(tag.as_bytes()).collect();
    format!("/monitors?tag={tag}")
}

/// Describes the result of the action on the selected monitors. `None` if the page does not follow such an
/// action.
fn done(request: &PageRequest) -> Option<String> {
    let count = |name: &str| request.parameter(name).parse::<usize>().ok();
    let (done, left) = (count("done")?, count("left").unwrap_or(0));
    let changed = format!("{done} {} updated.", if done == 1 { "monitor was" } else { "monitors were" });
    if left == 0 {
        return Some(changed);
    }
    Some(format!(
        "{changed} {left} could not be updated: they are over the plan limit, have too many tags or channels, or no longer exist."
    ))
}

fn example(app: &App) -> String {
    let base = app.settings.origins.base.as_str();
    format!(
        "curl {base}/v1/monitors \\\n  -H \"Authorization: Bearer $KEY\" \\\n  -H 'Content-Type: application/json' \\\n  \
         -d '{{\"name\": \"Example\", \"targetUrl\": \"https://example.com/\"}}'"
    )
}

fn table(listed: &[Monitor], newest: &HashMap<MonitorId, NewestChange>, now: Millis) -> Markup {
    html! {
        table.cards {
            caption.soft { "Your monitors, newest first" }
            thead { tr { th scope="col" { span.hidden { "Select" } } th scope="col" { "Name" } th scope="col" { "Status" } th scope="col" { "Last change" } th scope="col" { "Next run" } } }
            tbody { @for monitor in listed {
                tr {
                    td { input type="checkbox" name="id" value=(monitor.id) aria-label={ "Select " (monitor.name) }; }
                    th scope="row" { a href=(path(monitor.id)) { (monitor.name) } br; span.soft.small { (monitor.target_url) }
                        @if !monitor.tags.is_empty() { br; span.small { @for (index, tag) in monitor.tags.iter().enumerate() { @if index > 0 { ", " } a href=(tagged(tag)) { bdi { (tag) } } } } } }
                    td data-label="Status" { (status(monitor)) }
                    td data-label="Last change" {
                        @match monitor.last_change_at { Some(at) => (time(at, now)), None => "none yet" }
                        @if let Some(change) = newest.get(&monitor.id) { br; a.small href=(change.link) { (change.title) } }
                    }
                    td data-label="Next run" { @match monitor.next_run_at { Some(at) => (time(at, now)), None => "–" } }
                }
            } }
        }
    }
}

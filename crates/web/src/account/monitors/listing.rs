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
use super::frame::{path, respond, sorted_groups, status};
use super::text_fields::line;
use super::words;
use crate::change_text::change_text;
use crate::language::order::sort_by_name;
use crate::language::text::Text;
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
    let mut tags = monitors::tags_of(&listed);
    sort_by_name(&mut tags, |tag| &tag.name);
    let groups = sorted_groups(&request, &user).await?;
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
        h1 { (Text("nav-monitors")) }
        @if let Some(words) = done(&request) { (success(&words)) }
        @if was_deleted { p.notice.good role="status" { (Text("monitors-deleted")) } }
        @if listed.is_empty() && !is_filtered {
            p { (Text("monitors-purpose")) }
            p { a.button href="/monitors/new" { (Text("monitor-new")) } " " a.button.secondary href="/monitors/lists" { (Text("monitors-lists")) } }
            p.soft { (Text("monitors-api")) }
            pre tabindex="0" { code { (example(app)) } }
        } @else {
            p { a.button href="/monitors/new" { (Text("monitor-new")) } " " a.button.secondary href="/monitors/changes" { (Text("today-all-changes")) } " " a.button.secondary href="/monitors/groups" { (Text("monitors-groups")) } " " a.button.secondary href="/monitors/lists" { (Text("monitors-lists")) } }
            (group_links(&groups, group))
            (tag_links(&tags, &chosen))
            @if listed.is_empty() { p.soft { @if group.is_some() { (Text("monitors-none-in-group")) } @else { (Text("monitors-none-tagged")) } } } @else { form method="post" action="/monitors/selected" {
                (FormToken::of(&request).field()) @if let Some(group) = group { input type="hidden" name="group" value=(group); }
                (table(&listed, &newest, now))
                (changes(&channels, &groups, least))
                div.row {
                    button.secondary type="submit" name="act" value="pause" { (Text("monitors-pause-selected")) }
                    button.secondary type="submit" name="act" value="resume" { (Text("monitors-resume-selected")) }
                    @if !chosen.is_empty() && group.is_none() {
                        input type="hidden" name="tag" value=(chosen);
                        button.secondary type="submit" name="act" value="pause-tag" { (Text("monitors-pause-tagged").with("count", listed.len())) }
                        button.secondary type="submit" name="act" value="resume-tag" { (Text("monitors-resume-tagged").with("count", listed.len())) }
                    }
                }
            } }
            p.soft {
                (Text("monitors-usage")
                    .with("used", with_thousands_separators(limits.web_monitors_used))
                    .with("most", with_thousands_separators(limits.web_monitors))
                    .with("left", with_thousands_separators(limits.web_monitor_monthly_credits_remaining))
                    .with("credits", with_thousands_separators(limits.web_monitor_monthly_credits)))
                " " a href="/settings/plan" { (Text("monitor-full-plan")) }
            }
        }
    };
    Ok(respond(&request, StatusCode::OK, &Text("nav-monitors").get(), &content))
}

/// Renders links that filter the list by group.
fn group_links(groups: &[MonitorGroup], chosen: Option<MonitorGroupId>) -> Markup {
    html! {
        @if !groups.is_empty() {
            nav.row aria-label=(Text("monitors-groups")) {
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
            nav.row aria-label=(Text("items-tags")) {
                a.button.secondary href="/monitors" aria-current=[chosen.is_none().then_some("true")] { (Text("items-all")) }
                @for tag in tags {
                    a.button.secondary href=(tagged(&tag.name)) aria-current=[(chosen.as_ref() == Some(&tag.key)).then_some("true")] { bdi { (tag.name) } }
                }
            }
        }
    }
}

/// Renders the fields that change the selected monitors.
fn changes(channels: &[Channel], groups: &[MonitorGroup], least: u32) -> Markup {
    let select = |name: &str, label: Text| {
        html! {
            div { label for=(name) { (label) }
                select id=(name) name=(name) {
                    option value="" { (Text("monitors-unchanged")) }
                    @for channel in channels { option value=(channel.id) { (channel.name) } }
                }
            }
        }
    };
    let separated = Text("monitors-separated").get();
    html! {
        details.stack {
            summary { (Text("monitors-change-selected")) }
            div { label for="intervalMinutes" { (Text("monitor-interval")) }
                select #intervalMinutes name="intervalMinutes" {
                    option value="" { (Text("monitors-unchanged")) }
                    @for minutes in INTERVALS.into_iter().filter(|minutes| *minutes >= least) { option value=(minutes) { (words::every(minutes)) } }
                }
            }
            (line("addTags", &Text("monitors-add-tags").get(), &separated, "").show(&FormError::default()))
            (line("removeTags", &Text("monitors-remove-tags").get(), &separated, "").show(&FormError::default()))
            @if !groups.is_empty() {
                div { label for="groupId" { (Text("monitor-group")) }
                    select #groupId name="groupId" {
                        option value="" { (Text("monitors-unchanged")) }
                        option value="none" { (Text("monitor-group-none")) }
                        @for group in groups { option value=(group.id) { (group.name) } }
                    }
                }
            }
            @if !channels.is_empty() { (select("addNotify", Text("monitors-also-notify"))) (select("removeNotify", Text("monitors-no-longer-notify"))) }
            div { button.secondary type="submit" name="act" value="change" { (Text("monitors-change-selected")) } }
        }
    }
}

/// Returns the address of the list, filtered by a tag.
pub(super) fn tagged(tag: &str) -> String {
    let tag: String = form_urlencoded::byte_serialize(tag.as_bytes()).collect();
    format!("/monitors?tag={tag}")
}

/// Describes the result of the action on the selected monitors. `None` if no such action led to the page.
fn done(request: &PageRequest) -> Option<String> {
    let count = |name: &str| request.parameter(name).parse::<usize>().ok();
    let (done, left) = (count("done")?, count("left").unwrap_or(0));
    let changed = Text("monitors-updated").with("count", done).get();
    if left == 0 {
        return Some(changed);
    }
    Some(format!("{changed} {}", Text("monitors-left").with("count", left).get()))
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
            caption.soft { (Text("monitors-caption")) }
            thead { tr { th scope="col" { span.hidden { (Text("monitors-select")) } } th scope="col" { (Text("monitor-name")) } th scope="col" { (Text("items-status")) } th scope="col" { (Text("monitors-last-change")) } th scope="col" { (Text("monitors-next-run")) } } }
            tbody { @for monitor in listed {
                tr {
                    td { input type="checkbox" name="id" value=(monitor.id) aria-label=(Text("monitors-select-named").with("name", monitor.name.as_str())); }
                    th scope="row" { a href=(path(monitor.id)) { (monitor.name) } br; span.soft.small { (monitor.target_url) }
                        @if !monitor.tags.is_empty() { br; span.small { @for (index, tag) in monitor.tags.iter().enumerate() { @if index > 0 { ", " } a href=(tagged(tag)) { bdi { (tag) } } } } } }
                    td data-label=(Text("items-status")) { (status(monitor)) }
                    td data-label=(Text("monitors-last-change")) {
                        @match monitor.last_change_at { Some(at) => (time(at, now)), None => (Text("monitors-none-yet")) }
                        @if let Some(change) = newest.get(&monitor.id) { br; a.small href=(change.link) { (change_text(&change.title, "").title) } }
                    }
                    td data-label=(Text("monitors-next-run")) { @match monitor.next_run_at { Some(at) => (time(at, now)), None => "–" } }
                }
            } }
        }
    }
}

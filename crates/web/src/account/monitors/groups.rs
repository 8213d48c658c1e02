//! Groups of monitors: the list, the settings of a group, its publication, and its deletion.

use kernel::{Error, MonitorGroupId};
use maud::{Markup, html};
use monitors::{GroupEdit, MonitorGroup};
use notices::Channel;
use poem::handler;
use poem::http::StatusCode;
use poem::web::Path;
use serde_json::{Value, json};

use super::fields::INTERVALS;
use super::frame::{group_path, respond, sorted_groups};
use super::input::wrong;
use super::listing::grouped;
use super::schedule_input::{ScheduleInput, day_fields, mute_fields};
use super::words;
use crate::channel_choice::channel_choices;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormToken};
use crate::page::parts::{RequiredField, success};
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;
use api::monitors::WebMonitorGroupUpdate;
use http_kit::http::value::RequestValue;

/// Lists the groups, with a form for a new group.
#[handler]
pub(crate) async fn list(request: PageRequest, user: User) -> PageResult {
    list_page(&request, &user, (StatusCode::OK, ""), &FormError::default()).await
}

/// Creates a group and redirects to its page, which contains its settings.
#[handler]
pub(crate) async fn create(request: PageRequest, user: User, form: Form) -> PageResult {
    let name = form.get("name").trim();
    let new = GroupEdit { name: Some(name.to_owned()), ..GroupEdit::default() };
    match monitors::create_group(&request.app.domain, user.account.id, new).await {
        Ok(group) => Ok(redirect(&format!("{}?made", group_path(group.id)))),
        Err(error) => {
            let form_error = words::form_error(error, least_minutes(&request, &user))?;
            list_page(&request, &user, (StatusCode::UNPROCESSABLE_ENTITY, name), &form_error).await
        }
    }
}

async fn list_page(
    request: &PageRequest,
    user: &User,
    (status, name): (StatusCode, &str),
    form_error: &FormError,
) -> PageResult {
    let groups = sorted_groups(request, user).await?;
    let was_deleted = request.uri.query() == Some("deleted");
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } }
        h1 { (Text("groups-heading")) }
        @if was_deleted { p.notice.good role="status" { (Text("groups-deleted")) } }
        (form_error.summary())
        p { (Text("groups-words")) }
        @if !groups.is_empty() {
            ul.plain { @for group in &groups {
                li { a href=(group_path(group.id)) { bdi { (group.name) } } " "
                    span.soft.small { (count_words(group.monitor_count)) @if group.feed_token.is_some() { ", " (Text("groups-public")) } } }
            } }
        }
        h2 { (Text("groups-new")) }
        form.stack method="post" action="/monitors/groups" {
            (FormToken::of(request).field())
            (name_field(name).show(form_error))
            div { button type="submit" { (Text("groups-create")) } }
        }
    };
    let title = page_title(Text("monitors-groups"));
    Ok(respond(request, status, &title, &content))
}

fn page_title(name: Text) -> String {
    format!("{} · {}", name.get(), Text("nav-monitors").get())
}

fn name_field(value: &str) -> RequiredField<'_> {
    RequiredField {
        name: "name",
        label: Text("monitor-name"),
        hint: None,
        kind: "text",
        value,
        autocomplete: "off",
    }
}

fn count_words(count: u64) -> String {
    Text("groups-count").with("count", count).get()
}

/// Form values of a group as typed.
struct GroupInput {
    name: String,
    /// Interval in minutes. Empty if each monitor has its own.
    minutes: String,
    /// True if all monitors of the group share this schedule.
    has_schedule: bool,
    schedule: ScheduleInput,
    /// True if all monitors of the group notify these channels.
    has_notify: bool,
    /// Ids of the channels.
    notify: Vec<String>,
    is_published: bool,
}

impl GroupInput {
    fn of(form: &Form) -> Self {
        Self {
            name: form.get("name").trim().to_owned(),
            minutes: form.get("intervalMinutes").trim().to_owned(),
            has_schedule: form.get("hasSchedule") == "1",
            schedule: ScheduleInput::of(form),
            has_notify: form.get("hasNotify") == "1",
            notify: form.all("notify").map(str::to_owned).collect(),
            is_published: form.get("published") == "1",
        }
    }

    fn of_group(group: &MonitorGroup) -> Self {
        let notify = group.notify.iter().flatten().map(ToString::to_string).collect();
        Self {
            name: group.name.clone(),
            minutes: group.interval_minutes.map(|minutes| minutes.to_string()).unwrap_or_default(),
            has_schedule: group.schedule.is_some(),
            schedule: group.schedule.as_ref().map(ScheduleInput::of_schedule).unwrap_or_default(),
            has_notify: group.notify.is_some(),
            notify,
            is_published: group.feed_token.is_some(),
        }
    }

    /// Returns the schedule for the API. Null if each monitor has its own.
    fn shared_schedule(&self) -> Value {
        if self.has_schedule { self.schedule.schedule() } else { Value::Null }
    }

    fn edit(&self, current: &MonitorGroup) -> Result<GroupEdit, Error> {
        let before = Self::of_group(current);
        let mut body = json!({
            "name": self.name,
            "notify": if self.has_notify { json!(self.notify) } else { Value::Null },
            "published": self.is_published,
        });
        // Unchanged values are not sent, because the current plan may no longer allow them.
        if self.minutes.is_empty() {
            body["intervalMinutes"] = Value::Null;
        } else if self.minutes != before.minutes {
            body["intervalMinutes"] = json!(self.minutes);
        }
        if self.shared_schedule() != before.shared_schedule() {
            body["schedule"] = self.shared_schedule();
        }
        WebMonitorGroupUpdate::parse(&body).map_err(wrong)?.edit()
    }
}

/// Renders the settings of a group.
#[handler]
pub(crate) async fn show(request: PageRequest, user: User, Path(id): Path<MonitorGroupId>) -> PageResult {
    let group = find(&request, &user, id).await?;
    let input = GroupInput::of_group(&group);
    group_page(&request, &user, (StatusCode::OK, &group, &input), &FormError::default()).await
}

#[handler]
pub(crate) async fn save(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<MonitorGroupId>,
) -> PageResult {
    let domain = &request.app.domain;
    let group = find(&request, &user, id).await?;
    let input = GroupInput::of(&form);
    let saved = match input.edit(&group) {
        Ok(edit) => monitors::update_group(domain, user.account.id, id, edit).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(_) => Ok(redirect(&format!("{}?changed", group_path(id)))),
        Err(error) => {
            let form_error = words::form_error(error, least_minutes(&request, &user))?;
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            group_page(&request, &user, (status, &group, &input), &form_error).await
        }
    }
}

async fn find(request: &PageRequest, user: &User, id: MonitorGroupId) -> Result<MonitorGroup, Error> {
    monitors::get_group(&request.app.domain, user.account.id, id).await
}

fn least_minutes(request: &PageRequest, user: &User) -> u32 {
    request.app.domain.policy().tiers.of(user.account.tier).web_monitor_minimum_interval_minutes
}

async fn group_page(
    request: &PageRequest,
    user: &User,
    (status, group, input): (StatusCode, &MonitorGroup, &GroupInput),
    form_error: &FormError,
) -> PageResult {
    let channels = notices::list(&request.app.domain, user.account.id).await?;
    let done = match request.uri.query() {
        Some("made") => Some(Text("group-made")),
        Some("changed") => Some(Text("group-saved")),
        _ => None,
    };
    let content = html! {
        p.soft { a href="/monitors" { (Text("nav-monitors")) } " / " a href="/monitors/groups" { (Text("monitors-groups")) } }
        h1 { bdi { (group.name) } }
        @if let Some(words) = done { (success(&words)) }
        (form_error.summary())
        p { (Text("groups-in-group").markup(&[("link", html! { a href=(grouped(group.id)) { (count_words(group.monitor_count)) } })])) }
        form.stack method="post" action=(group_path(group.id)) {
            (FormToken::of(request).field())
            (name_field(&input.name).show(form_error))
            (setting_fields(input, &channels, least_minutes(request, user), form_error))
            label.choice { input type="checkbox" name="published" value="1" checked[input.is_published]; span { (Text("group-publish")) " " span.soft { (Text("group-publish-words")) } } }
            div.row {
                button type="submit" { (Text("form-save")) }
                a.button.secondary href={ "/monitors/new?groupId=" (group.id) } { (Text("group-new-monitor")) }
                a.button.secondary href={ (group_path(group.id)) "/delete" } { (Text("items-delete")) }
            }
        }
        (public_links(group, &request.app.domain.policy().base_url))
    };
    let title = page_title(Text("group-title"));
    Ok(respond(request, status, &title, &content))
}

/// Renders the fields for settings that the group can share with its monitors.
fn setting_fields(input: &GroupInput, channels: &[Channel], least: u32, form_error: &FormError) -> Markup {
    let chosen: Option<u32> = input.minutes.parse().ok();
    let mut offered: Vec<u32> =
        INTERVALS.into_iter().filter(|minutes| *minutes >= least).chain(chosen).collect();
    offered.sort_unstable();
    offered.dedup();
    let wrong = form_error.at("intervalMinutes");
    html! {
        p.rule { (Text("group-shared-words")) }
        div {
            label for="intervalMinutes" { (Text("group-check")) }
            select #intervalMinutes name="intervalMinutes" aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| "intervalMinutes-error")] {
                option value="" { (Text("group-own-interval")) }
                @for minutes in offered { option value=(minutes) selected[Some(minutes) == chosen] { (words::every(minutes)) } }
            }
            (form_error.on_group("intervalMinutes"))
        }
        fieldset {
            legend { (Text("schedule-days")) }
            label.choice { input type="checkbox" name="hasSchedule" value="1" checked[input.has_schedule]; span { (Text("group-share-days")) } }
            (day_fields(&input.schedule, form_error))
            (mute_fields(&input.schedule, form_error))
        }
        fieldset {
            legend { (Text("setting-channels")) }
            label.choice { input type="checkbox" name="hasNotify" value="1" checked[input.has_notify]; span { (Text("group-share-channels")) } }
            (channel_choices(channels, &input.notify))
        }
    }
}

/// Renders the addresses of the public page and feeds.
fn public_links(group: &MonitorGroup, base_url: &str) -> Markup {
    let (Some(page), Some(feed)) = (group.page_url(base_url), group.feed_url(base_url)) else {
        return html! {};
    };
    let (atom, json) = (format!("{page}.atom"), format!("{page}.json"));
    html! {
        h2 { (Text("group-page")) }
        p { (Text("group-page-words")) }
        p.secret tabindex="0" role="textbox" aria-readonly="true" aria-label=(Text("group-page-link")) { (page) }
        p.small { (Text("public-tag-feeds").linked(&[page.as_str(), feed.as_str(), atom.as_str(), json.as_str()])) }
    }
}

/// Asks for confirmation before a group is deleted.
#[handler]
pub(crate) async fn show_delete(
    request: PageRequest,
    user: User,
    Path(id): Path<MonitorGroupId>,
) -> PageResult {
    let group = find(&request, &user, id).await?;
    let content = html! {
        h1 { (Text("group-delete-question").markup(&[("name", html! { bdi { (group.name) } })])) }
        p.notice.bad { (Text("group-delete-words")) }
        form method="post" action={ (group_path(id)) "/delete" } {
            (FormToken::of(&request).field())
            div.row { button.danger type="submit" { (Text("group-delete")) } a.button.secondary href=(group_path(id)) { (Text("feed-cancel")) } }
        }
    };
    Ok(respond(&request, StatusCode::OK, &page_title(Text("group-delete")), &content))
}

#[handler]
pub(crate) async fn delete(
    request: PageRequest,
    user: User,
    _form: Form,
    Path(id): Path<MonitorGroupId>,
) -> PageResult {
    monitors::delete_group(&request.app.domain, user.account.id, id).await?;
    Ok(redirect("/monitors/groups?deleted"))
}

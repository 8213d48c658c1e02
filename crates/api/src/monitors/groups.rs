//! Operations on groups of monitors.

use std::sync::Arc;

use kernel::bounds::MONITOR_NAME_CHARS;
use kernel::{Error, MonitorGroupId, rfc3339};
use monitors::{GroupEdit, MonitorGroup, Schedule};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::request::{Channels, RunIntervalMinutes, channels};
use super::schedule::{MonitorSchedule, MonitorScheduleRequest};
use crate::answers::{Errors, NoContent};
use crate::authorize::{Authorized, Read, Write};
use crate::body::Body;
use crate::error::ApiError;
use crate::path_id::path_id;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, Name};
use http_kit::http::request::request;
use http_kit::http::value::Nullable;

pub(crate) struct GroupsApi;

request! {
    /// Group to create.
    pub(super) struct WebMonitorGroupRequest in camelCase {
        /// Name, unique within the account.
        name: Name<MONITOR_NAME_CHARS> = "Ferries",
    }
}

request! {
    /// Changes to a group; omitted fields stay unchanged. If a setting becomes null, each monitor retains its
    /// current value.
    pub struct WebMonitorGroupUpdate in camelCase {
        /// Name, unique within the account.
        name: Option<Name<MONITOR_NAME_CHARS>> = "Ferries",
        /// Minutes between two runs of each monitor; null if each has its own.
        interval_minutes: Option<Nullable<RunIntervalMinutes>> = 1440,
        /// Days and times of the runs; null if each monitor has its own.
        schedule: Option<Nullable<MonitorScheduleRequest>>,
        /// Ids of the channels to notify; null if each monitor has its own.
        notify: Option<Nullable<Channels>>,
        /// True to publish the group with a page and a feed. They get new URLs whenever the group is published again.
        published: Option<Flag>,
    }
}

impl WebMonitorGroupUpdate {
    /// Converts the request to an edit.
    pub fn edit(self) -> Result<GroupEdit, Error> {
        let notify = |list: Nullable<Channels>| list.0.as_ref().map(|list| channels(Some(list))).transpose();
        Ok(GroupEdit {
            name: self.name.map(|name| name.0),
            interval_minutes: self.interval_minutes.map(|minutes| minutes.0.map(Integer::get)),
            schedule: self.schedule.map(|schedule| schedule.0.map(Schedule::from)),
            notify: self.notify.map(notify).transpose()?,
            is_published: self.published.map(|flag| flag.0),
        })
    }
}

/// Group of monitors. If a setting is null, each monitor has its own.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitorGroup {
    /// Id of the group (UUID).
    pub id: String,
    /// Name of the group.
    pub name: String,
    /// Minutes between two runs of each monitor; null if each monitor has its own.
    pub interval_minutes: Option<u32>,
    /// Days and times of the runs; null if each monitor has its own.
    pub schedule: Option<MonitorSchedule>,
    /// Ids of the channels that are notified; null if each monitor has its own.
    pub notify: Option<Vec<String>>,
    /// URL of the public page with the monitors and their latest changes; null unless the group is published.
    /// Anyone with the URL can read it.
    pub page_url: Option<String>,
    /// URL of the changes of all monitors as an RSS 2.0 feed; with `.atom` or `.json` instead of `.xml`, as
    /// Atom or JSON Feed. Null unless the group is published. Anyone with the URL can read it.
    pub feed_url: Option<String>,
    /// Number of monitors in the group.
    pub monitor_count: u64,
    /// Creation time, RFC 3339 UTC.
    pub created_at: String,
}

impl WebMonitorGroup {
    fn of(group: MonitorGroup, app: &App) -> Self {
        let base_url = &app.domain.policy().base_url;
        let (page_url, feed_url) = (group.page_url(base_url), group.feed_url(base_url));
        Self {
            id: group.id.to_string(),
            name: group.name,
            interval_minutes: group.interval_minutes,
            schedule: group.schedule.map(MonitorSchedule::from),
            notify: group.notify.map(|ids| ids.iter().map(ToString::to_string).collect()),
            page_url,
            feed_url,
            monitor_count: group.monitor_count,
            created_at: rfc3339(group.created_at),
        }
    }
}

impl Example for WebMonitorGroup {
    fn example() -> Self {
        let page = "https://api.example.org/feeds/groups/4fJq0Zb7XkT1mVn8YcR2sLw9HdPg3aUe";
        Self {
            id: group_id(),
            name: "Ferries".into(),
            interval_minutes: Some(1440),
            schedule: None,
            notify: None,
            page_url: Some(page.into()),
            feed_url: Some(format!("{page}.xml")),
            monitor_count: 2,
            created_at: "2026-11-20T12:00:00.000Z".into(),
        }
    }
}

/// Groups of monitors.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorGroupList {
    /// Groups, by name.
    pub groups: Vec<WebMonitorGroup>,
}

impl Example for WebMonitorGroupList {
    fn example() -> Self {
        Self { groups: vec![WebMonitorGroup::example()] }
    }
}

/// Response with one group.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorGroupOne {
    /// The group.
    pub group: WebMonitorGroup,
}

impl Example for WebMonitorGroupOne {
    fn example() -> Self {
        Self { group: WebMonitorGroup::example() }
    }
}

#[derive(ApiResponse)]
pub(super) enum MonitorGroupCreated {
    /// The new group, without settings.
    #[oai(status = 201)]
    Created(Json<WebMonitorGroupOne>),
}

fn group_id() -> String {
    "0193a0b2-7b00-7000-8000-3f1e2d4c5b60".to_owned()
}

fn id_of(text: &str) -> Result<MonitorGroupId, ApiError> {
    path_id(text, "group of monitors")
}

#[OpenApi(tag = "ApiTag::Monitors")]
impl GroupsApi {
    /// List groups of monitors
    ///
    /// Returns all groups with their settings and public URLs, by name.
    #[oai(path = "/v1/monitor-groups", method = "get", operation_id = "listMonitorGroups")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
    ) -> Result<Json<WebMonitorGroupList>, ApiError> {
        let groups = monitors::list_groups(&app.domain, caller.0.account_id).await?;
        let groups = groups.into_iter().map(|group| WebMonitorGroup::of(group, &app)).collect();
        Ok(Json(WebMonitorGroupList { groups }))
    }

    /// Create a group of monitors
    ///
    /// Creates an empty group without settings. To add a monitor to the group, set its `groupId`. An account can have
    /// as many groups as its plan allows monitors.
    #[oai(path = "/v1/monitor-groups", method = "post", operation_id = "createMonitorGroup")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<WebMonitorGroupRequest>,
    ) -> Result<MonitorGroupCreated, Errors<409, 422>> {
        let new = GroupEdit { name: Some(body.0.name.0), ..GroupEdit::default() };
        let made = monitors::create_group(&app.domain, caller.0.account_id, new).await?;
        Ok(MonitorGroupCreated::Created(Json(WebMonitorGroupOne { group: WebMonitorGroup::of(made, &app) })))
    }

    /// Update a group of monitors
    ///
    /// Changes the name, the settings, or the publication. The settings apply to the monitors immediately, except
    /// those listed in a monitor's `ownSettings`.
    #[oai(path = "/v1/monitor-groups/:id", method = "patch", operation_id = "updateMonitorGroup")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the group.
        #[oai(example = "group_id")]
        id: Path<String>,
        body: Body<WebMonitorGroupUpdate>,
    ) -> Result<Json<WebMonitorGroupOne>, Errors<404, 409, 422>> {
        let (id, edit) = (id_of(&id.0)?, body.0.edit()?);
        let updated = monitors::update_group(&app.domain, caller.0.account_id, id, edit).await?;
        Ok(Json(WebMonitorGroupOne { group: WebMonitorGroup::of(updated, &app) }))
    }

    /// Delete a group of monitors
    ///
    /// Its monitors are retained with their current settings. Its page and feed answer 410 from now on.
    #[oai(path = "/v1/monitor-groups/:id", method = "delete", operation_id = "deleteMonitorGroup")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the group.
        #[oai(example = "group_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        monitors::delete_group(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }
}

//! Operations on many monitors at once, and copies of a monitor.

use std::sync::Arc;

use kernel::bounds::{MONITOR_MINUTES, OBJECT_TAGS, TAG_CHARS};
use kernel::{ChannelId, Error, MonitorId};
use monitors::{BulkUpdate, Edit, MAX_BULK};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::Example;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::examples::monitor_id;
use super::operations::{monitor_response, saved};
use super::request::{Channels, MonitorActivity, WebMonitorUpdate, channels, edit_of, group_of, id_of};
use super::schema::{WebMonitor, WebMonitorSaved};
use crate::answers::Errors;
use crate::authorize::{Authorized, Write};
use crate::body::Body;
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Flag, Integer, Text, UuidText};
use http_kit::http::request::request;
use http_kit::http::value::{List, Nullable};

pub(crate) struct MonitorBulkApi;

/// Tags of a request.
type MonitorTags = List<Text<1, TAG_CHARS>, 0, OBJECT_TAGS>;

request! {
    /// Changes to apply to each monitor; omitted fields stay unchanged.
    pub(super) struct MonitorBulkChanges in camelCase {
        /// `active` or `paused`.
        status: Option<MonitorActivity> = "paused",
        /// Minutes between two runs.
        interval_minutes: Option<Integer<1, { MONITOR_MINUTES as i64 }>>,
        /// True to add changes to the account's feeds.
        follow: Option<Flag>,
        /// Tags to add.
        add_tags: Option<MonitorTags> = ["Travel"],
        /// Tags to remove, regardless of case.
        remove_tags: Option<MonitorTags>,
        /// Ids of channels to add.
        add_notify: Option<Channels>,
        /// Ids of channels to remove.
        remove_notify: Option<Channels>,
        /// Id of the group; null for none.
        group_id: Option<Nullable<UuidText>>,
    }
    with at least 1 field
}

request! {
    /// Monitors to change and the changes.
    pub(super) struct WebMonitorBulkRequest in camelCase {
        /// 1 to 100 monitor ids; repeated ids count as one.
        ids: List<UuidText, 1, MAX_BULK> = ["0193a0b2-7c00-7000-8000-3f1e2d4c5b6a"],
        /// Changes to apply to each monitor.
        changes: MonitorBulkChanges = serde_json::json!({"status": "paused"}),
    }
}

impl MonitorBulkChanges {
    fn edit(self) -> Result<Edit, Error> {
        let tags = |list: Option<MonitorTags>| -> Vec<String> {
            list.map(|list| list.0.into_iter().map(|text| text.0).collect()).unwrap_or_default()
        };
        // A channel that no longer exists can still be removed.
        let removed = self.remove_notify.map(|list| list.0).unwrap_or_default();
        let removed = removed.iter().filter_map(|text| text.0.parse::<ChannelId>().ok()).collect();
        Ok(Edit {
            status: self.status.map(MonitorActivity::to_domain),
            interval_minutes: self.interval_minutes.map(Integer::get),
            follow: self.follow.map(|flag| flag.0),
            add_tags: tags(self.add_tags),
            remove_tags: tags(self.remove_tags),
            add_notify: channels(self.add_notify.as_ref())?,
            remove_notify: removed,
            group: self.group_id.map(|id| id.0.map(group_of)),
            ..Edit::default()
        })
    }
}

/// Monitor that was not changed.
#[derive(Debug, Object)]
struct MonitorBulkRefusal {
    /// Id of the monitor (UUID).
    pub id: String,
    /// Error code.
    pub code: String,
    /// Reason, one sentence.
    pub message: String,
}

/// Result of a bulk update of monitors.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct WebMonitorsUpdated {
    /// Changed monitors.
    monitors: Vec<WebMonitor>,
    /// Number of changed monitors.
    updated: usize,
    /// Monitors that were not changed.
    refused: Vec<MonitorBulkRefusal>,
}

impl Example for WebMonitorsUpdated {
    fn example() -> Self {
        let refusal = MonitorBulkRefusal {
            id: "0193a0b2-7c00-7000-8000-3f1e2d4c5b6b".into(),
            code: "not_found".into(),
            message: "There is no such monitor.".into(),
        };
        Self { monitors: vec![WebMonitor::example()], updated: 1, refused: vec![refusal] }
    }
}

#[derive(ApiResponse)]
pub(super) enum MonitorCopied {
    /// The copy; its first run starts within a minute.
    #[oai(status = 201)]
    Created(Json<WebMonitorSaved>),
}

#[OpenApi(tag = "ApiTag::Monitors")]
impl MonitorBulkApi {
    /// Update many monitors
    ///
    /// Applies the same changes to up to 100 monitors, one after the other. The response lists those that
    /// could not be changed.
    #[oai(path = "/v1/monitors", method = "patch", operation_id = "bulkUpdateWebMonitors")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<WebMonitorBulkRequest>,
    ) -> Result<Json<WebMonitorsUpdated>, Errors<404, 422>> {
        let WebMonitorBulkRequest { ids, changes } = body.0;
        let ids: Vec<MonitorId> = ids.0.into_iter().map(|id| MonitorId::from_u128(id.0)).collect();
        let edit = changes.edit()?;
        let changed = monitors::update_many(&app.domain, caller.0.account_id, &ids, &edit).await?;
        let BulkUpdate { monitors, refused } = changed;
        let refusals = refused.into_iter().map(|(id, error)| MonitorBulkRefusal {
            id: id.to_string(),
            code: error.code.to_string(),
            message: error.message,
        });
        Ok(Json(WebMonitorsUpdated {
            updated: monitors.len(),
            monitors: monitors.into_iter().map(|monitor| monitor_response(&app, monitor)).collect(),
            refused: refusals.collect(),
        }))
    }

    /// Duplicate a monitor
    ///
    /// Creates a monitor with the settings of this one and the changes in the body. The URL or the definition
    /// must differ.
    #[oai(path = "/v1/monitors/:id/duplicate", method = "post", operation_id = "duplicateWebMonitor")]
    async fn duplicate(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        body: Body<WebMonitorUpdate>,
    ) -> Result<MonitorCopied, Errors<404, 409, 422>> {
        let id = id_of(&id.0)?;
        let edit = edit_of(&app, body.0)?;
        let made = monitors::duplicate(&app.domain, caller.0.account_id, id, edit).await?;
        Ok(MonitorCopied::Created(Json(saved(&app, made.monitor, &made.warnings))))
    }
}

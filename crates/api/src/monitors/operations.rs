//! Operations on monitors, their runs and their changes.

use std::sync::Arc;

use articles::Payer;
use kernel::MonitorGroupId;
use kernel::cursor_scope::CursorScope;
use monitors::{ListFilter, ListRange, NewMonitor};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, OpenApi};

use super::changes::{MonitorChange, MonitorChangeList};
use super::examples::monitor_id;
use super::request::{WebMonitorRequest, WebMonitorUpdate, channels, edit_of, id_of};
use super::runs::{MonitorRun, MonitorRunList, MonitorRunOne};
use super::schema::{MonitorStatus, WebMonitor, WebMonitorList, WebMonitorOne, WebMonitorSaved};
use crate::answers::{Errors, NoContent, Single};
use crate::authorize::{Authorized, Fresh, Read, Write};
use crate::body::{Body, address};
use crate::cursor::{Cursor, Limit, open_cursor, page_size, seal_cursor};
use crate::tag::ApiTag;
use http_kit::app::App;
use http_kit::http::params::{Integer, UuidText};

pub(crate) struct MonitorsApi;

#[derive(ApiResponse)]
pub(super) enum MonitorCreated {
    /// A monitor with the same definition exists; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<WebMonitorSaved>),
    /// The new monitor; its first run starts within a minute.
    #[oai(status = 201)]
    Created(Json<WebMonitorSaved>),
}

#[derive(ApiResponse)]
pub(super) enum RunAccepted {
    /// The new run, or the one in progress.
    #[oai(status = 202)]
    Accepted(Json<MonitorRunOne>),
}

#[OpenApi(tag = "ApiTag::Monitors")]
impl MonitorsApi {
    /// List monitors
    ///
    /// Returns all monitors, newest first.
    #[oai(path = "/v1/monitors", method = "get", operation_id = "listWebMonitors")]
    async fn list(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of monitors per page. Default: 50.
        limit: Limit,
        /// Only monitors with this status.
        status: Query<Option<MonitorStatus>>,
        /// Only monitors of this group.
        #[oai(name = "groupId")]
        group_id: Query<Option<UuidText>>,
    ) -> Result<Json<WebMonitorList>, Errors<422>> {
        let account_id = caller.0.account_id;
        let filter = ListFilter {
            status: status.0.map(MonitorStatus::to_domain),
            group: group_id.0.map(|id| MonitorGroupId::from_u128(id.0)),
        };
        let cursor_scope =
            CursorScope { account_id, operation: "listWebMonitors", filters: format!("{filter:?}") };
        let page = ListRange {
            after: open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?,
            limit: page_size(&limit),
        };
        let page = monitors::list(&app.domain, account_id, filter, page).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        let responses = page.monitors.into_iter().map(|monitor| monitor_response(&app, monitor)).collect();
        Ok(Json(WebMonitorList { monitors: responses, next_cursor }))
    }

    /// Create a monitor
    ///
    /// Monitors a page, a sitemap, or named values. The first run starts within a minute and records the
    /// baseline for later runs. Creating the same definition twice returns the existing monitor.
    #[oai(path = "/v1/monitors", method = "post", operation_id = "createWebMonitor")]
    async fn create(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        body: Body<WebMonitorRequest>,
    ) -> Result<MonitorCreated, Errors<404, 422>> {
        let request = body.0;
        let new = NewMonitor {
            name: request.name.0.clone(),
            address: address(&app, "target_url", &request.target_url)?,
            interval_minutes: request.interval_minutes.map(Integer::get),
            follow: request.follow.0,
            notify: channels(request.notify.as_ref())?,
            tags: Vec::new(),
            options: request.options_in_group(),
            definition: request.definition()?,
        };
        let account_id = caller.0.account_id;
        let made = monitors::create(&app.domain, account_id, new).await?;
        let answer = Json(saved(&app, made.monitor, &made.warnings));
        Ok(if made.already_exists {
            MonitorCreated::Existing(answer)
        } else {
            MonitorCreated::Created(answer)
        })
    }

    /// Get a monitor
    ///
    /// Returns the monitor with the time of its next run and its last error.
    #[oai(path = "/v1/monitors/:id", method = "get", operation_id = "getWebMonitor")]
    async fn get(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
    ) -> Result<Single<WebMonitorOne>, Errors<404>> {
        let monitor = monitors::get(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Single::of(WebMonitorOne { monitor: monitor_response(&app, monitor) }))
    }

    /// Update a monitor
    ///
    /// Changes the name, the interval, the definition, the reported changes, or the status. If the update selects
    /// other content to monitor, the next run records a new baseline, and a run in progress ends with `superseded`.
    /// If the monitor moves to another group, settings that are not sent follow that group.
    #[oai(path = "/v1/monitors/:id", method = "patch", operation_id = "updateWebMonitor")]
    async fn update(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        body: Body<WebMonitorUpdate>,
    ) -> Result<Json<WebMonitorSaved>, Errors<404, 409, 422>> {
        let id = id_of(&id.0)?;
        let edit = edit_of(&app, body.0)?;
        let updated = monitors::update(&app.domain, caller.0.account_id, id, edit).await?;
        Ok(Json(saved(&app, updated.monitor, &updated.warnings)))
    }

    /// Delete a monitor
    ///
    /// Deletes the monitor with its runs and changes. Its feed answers 410 from now on.
    #[oai(path = "/v1/monitors/:id", method = "delete", operation_id = "deleteWebMonitor")]
    async fn delete(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
    ) -> Result<NoContent, Errors<404>> {
        monitors::delete(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(NoContent::Done)
    }

    /// Run a monitor now
    ///
    /// Runs the monitor regardless of its status. A paused monitor stays paused; a failed monitor becomes active if
    /// the run succeeds. If a run is in progress, it is returned. A new run costs one fresh extraction (five for a
    /// rendered page), even if it fails.
    #[oai(path = "/v1/monitors/:id/run", method = "post", operation_id = "runWebMonitor")]
    async fn run(
        &self,
        caller: Authorized<Write, Fresh>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
    ) -> Result<RunAccepted, Errors<404>> {
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let accepted = monitors::run_now(&app.domain, payer, id_of(&id.0)?).await?;
        let run = app.engine.dispatch(accepted).await;
        Ok(RunAccepted::Accepted(Json(MonitorRunOne { run: run.into() })))
    }

    /// List the runs of a monitor
    ///
    /// Returns the finished runs of the last 90 days, newest first, each with the reason why it did or did not report
    /// a change, and the channels that were notified.
    #[oai(path = "/v1/monitors/:id/runs", method = "get", operation_id = "listMonitorRuns")]
    async fn runs(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of runs per page. Default: 50.
        limit: Limit,
    ) -> Result<Json<MonitorRunList>, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let cursor_scope = CursorScope { account_id, operation: "listMonitorRuns", filters: id.to_string() };
        let page = ListRange {
            after: open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?,
            limit: page_size(&limit),
        };
        let page = monitors::list_runs(&app.domain, account_id, id, page).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        Ok(Json(MonitorRunList { runs: page.runs.into_iter().map(MonitorRun::from).collect(), next_cursor }))
    }

    /// List the changes of a monitor
    ///
    /// Returns the changes with their differences, newest first.
    #[oai(path = "/v1/monitors/:id/changes", method = "get", operation_id = "listMonitorChanges")]
    async fn changes(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        /// `nextCursor` of the previous page.
        cursor: Cursor,
        /// Maximum number of changes per page. Default: 50.
        limit: Limit,
    ) -> Result<Json<MonitorChangeList>, Errors<404, 422>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let cursor_scope =
            CursorScope { account_id, operation: "listMonitorChanges", filters: id.to_string() };
        let page = ListRange {
            after: open_cursor(&cursor_scope, &app.domain, cursor.0.as_ref()).await?,
            limit: page_size(&limit),
        };
        let page = monitors::list_changes(&app.domain, account_id, id, page).await?;
        let next_cursor = seal_cursor(&cursor_scope, &app.domain, page.next_after).await?;
        let changes = page.changes.into_iter().map(MonitorChange::from).collect();
        Ok(Json(MonitorChangeList { changes, next_cursor }))
    }

    /// Rotate the feed URL of a monitor
    ///
    /// The old feed URL and the links to its changes answer 410 from now on.
    #[oai(path = "/v1/monitors/:id/rotate-feed", method = "post", operation_id = "rotateMonitorFeed")]
    async fn rotate(
        &self,
        caller: Authorized<Write>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
    ) -> Result<Json<WebMonitorOne>, Errors<404>> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let rotated = monitors::rotate_feed(&app.domain, account_id, id).await?;
        Ok(Json(WebMonitorOne { monitor: monitor_response(&app, rotated) }))
    }
}

pub(super) fn saved(app: &App, monitor: monitors::Monitor, warnings: &[&str]) -> WebMonitorSaved {
    WebMonitorSaved {
        monitor: monitor_response(app, monitor),
        warnings: warnings.iter().map(|word| (*word).to_owned()).collect(),
    }
}

pub(super) fn monitor_response(app: &App, monitor: monitors::Monitor) -> WebMonitor {
    WebMonitor::of(monitor, &app.domain.policy().base_url)
}

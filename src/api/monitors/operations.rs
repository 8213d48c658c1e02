//! Operations on monitors, their runs and their changes.

use std::sync::Arc;

use domain::monitors::{self, Grounds, Page};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};

use super::found::{MonitorChange, MonitorChangeList};
use super::request::{edit, id_of, new_monitor};
use super::schema::{
    MonitorField, MonitorIgnore, MonitorRun, MonitorRunList, MonitorRunOne, MonitorStatus, MonitorTargetType,
    MonitorTrigger, WebMonitor, WebMonitorList, WebMonitorOne,
};
use crate::api::Tag;
use crate::api::account::Gone;
use crate::api::body::Input;
use crate::api::cursor::Bound;
use crate::api::error::ApiError;
use crate::api::guard::{Allowed, Read, Write, WriteSource};
use crate::app::App;
use crate::http::params::{Integer, Text};

/// Monitors, runs and changes.
pub struct MonitorsApi;

/// A monitor to make, or to try out.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitorRequest {
    /// What to call it.
    #[oai(validator(min_length = 1, max_length = 120))]
    pub name: String,
    /// The public http(s) address to watch.
    #[oai(validator(min_length = 1, max_length = 4096))]
    pub target_url: String,
    /// What kind of thing it is. Default `page`.
    pub target_type: Option<MonitorTargetType>,
    /// Minutes between two runs, not fewer than the plan allows. Default 1440.
    #[oai(validator(minimum(value = "1"), maximum(value = "43200")))]
    pub interval_minutes: Option<i64>,
    /// Of a page: CSS, or `JSONPath` (`$…`) for a JSON document. Default: the main text.
    #[oai(validator(min_length = 1, max_length = 500))]
    pub selector: Option<String>,
    /// Of a sitemap: patterns of addresses to keep. Default: all.
    #[oai(validator(max_items = 50))]
    pub include: Option<Vec<String>>,
    /// Of a sitemap: patterns of addresses to leave out.
    #[oai(validator(max_items = 50))]
    pub exclude: Option<Vec<String>>,
    /// Of an extract: the repeated element. Default: the whole source is one item.
    #[oai(validator(min_length = 1, max_length = 500))]
    pub items: Option<String>,
    /// Of an extract, and required there: what is read of each item.
    #[oai(validator(min_items = 1, max_items = 20))]
    pub fields: Option<Vec<MonitorField>>,
    /// What does not count.
    #[oai(validator(max_items = 20))]
    pub ignore: Option<Vec<MonitorIgnore>>,
    /// Which changes are told. Default: any.
    pub trigger: Option<MonitorTrigger>,
    /// Whether the order of a list matters. Default false.
    pub ordered: Option<bool>,
    /// Whether its changes shall stand among the account's feeds. Default true.
    pub follow: Option<bool>,
}

/// What to change about a monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct WebMonitorUpdate {
    /// What to call it.
    #[oai(validator(min_length = 1, max_length = 120))]
    pub name: Option<String>,
    /// Minutes between two runs.
    #[oai(validator(minimum(value = "1"), maximum(value = "43200")))]
    pub interval_minutes: Option<i64>,
    /// Of a page; null for the main text.
    #[oai(validator(max_length = 500))]
    pub selector: Option<String>,
    /// Of a sitemap.
    #[oai(validator(max_items = 50))]
    pub include: Option<Vec<String>>,
    /// Of a sitemap.
    #[oai(validator(max_items = 50))]
    pub exclude: Option<Vec<String>>,
    /// Of an extract; null for the whole source as one item.
    #[oai(validator(max_length = 500))]
    pub items: Option<String>,
    /// Of an extract.
    #[oai(validator(min_items = 1, max_items = 20))]
    pub fields: Option<Vec<MonitorField>>,
    /// What does not count.
    #[oai(validator(max_items = 20))]
    pub ignore: Option<Vec<MonitorIgnore>>,
    /// Which changes are told.
    pub trigger: Option<MonitorTrigger>,
    /// Whether the order of a list matters.
    pub ordered: Option<bool>,
    /// Going on, or waiting.
    pub status: Option<MonitorWish>,
}

/// Where a monitor can be set to stand.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorWish {
    /// It runs when it is due.
    Active,
    /// It waits.
    Paused,
}

/// A monitor is made.
#[derive(ApiResponse)]
pub(super) enum MonitorAnswer {
    /// The same address, type and selector is watched already; nothing was changed.
    #[oai(status = 200)]
    Existing(Json<WebMonitorOne>),
    /// It first runs within a minute.
    #[oai(status = 201)]
    Created(Json<WebMonitorOne>),
}

/// A run was asked for.
#[derive(ApiResponse)]
pub(super) enum RunAnswer {
    /// The run that begins, or the one that is under way.
    #[oai(status = 202)]
    Accepted(Json<MonitorRunOne>),
}

/// The page of a list that is asked for.
type Cursor = Query<Option<Text<0, 500>>>;
type Limit = Query<Option<Integer<1, 100>>>;

fn text(cursor: &Cursor) -> Option<&str> {
    cursor.0.as_ref().map(|text| text.0.as_str())
}

fn count(limit: &Limit) -> u32 {
    limit.0.map_or(50, |limit| u32::try_from(limit.0).unwrap_or(50))
}

#[OpenApi(tag = "Tag::Monitors")]
impl MonitorsApi {
    /// List monitors
    ///
    /// Newest first, of one status or of all.
    #[oai(path = "/v1/monitors", method = "get", operation_id = "listWebMonitors")]
    async fn list(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// `nextCursor` of the page before.
        cursor: Cursor,
        /// The most monitors on a page. Default 50.
        limit: Limit,
        /// Only those of this status.
        status: Query<Option<MonitorStatus>>,
    ) -> Result<Json<WebMonitorList>, ApiError> {
        let account_id = caller.0.account_id;
        let status = status.0.map(MonitorStatus::asked);
        let bound = Bound { account_id, operation: "listWebMonitors", filters: format!("{status:?}") };
        let page = Page { after: bound.open(&app.domain, text(&cursor)).await?, limit: count(&limit) };
        let page = monitors::list(&app.domain, account_id, status, page).await?;
        let next_cursor = bound.seal(&app.domain, page.next_after).await?;
        let shown = page.monitors.into_iter().map(|monitor| shown(&app, monitor)).collect();
        Ok(Json(WebMonitorList { monitors: shown, next_cursor }))
    }

    /// Watch something
    ///
    /// A page, a sitemap or named values. The first run comes within a minute and is what later ones are
    /// compared with. Watching the same address, type and selector twice is watching it once.
    #[oai(path = "/v1/monitors", method = "post", operation_id = "createWebMonitor")]
    async fn create(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        body: Input<WebMonitorRequest>,
    ) -> Result<MonitorAnswer, ApiError> {
        let new = new_monitor(&app, &body.0)?;
        let account_id = caller.0.account_id;
        let made = monitors::create(&app.domain, &app.limits, &app.monitors, account_id, new).await?;
        let answer = Json(WebMonitorOne { monitor: shown(&app, made.monitor) });
        Ok(if made.already { MonitorAnswer::Existing(answer) } else { MonitorAnswer::Created(answer) })
    }

    /// Show a monitor
    ///
    /// With when it runs next, and what is wrong if anything is.
    #[oai(path = "/v1/monitors/:id", method = "get", operation_id = "getWebMonitor")]
    async fn get(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
    ) -> Result<Json<WebMonitorOne>, ApiError> {
        let found = monitors::get(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Json(WebMonitorOne { monitor: shown(&app, found) }))
    }

    /// Change a monitor
    ///
    /// Its name, its interval, what it looks at, what is told, whether it goes on. When what it looks at
    /// changes, the next run is what later ones are compared with.
    #[oai(path = "/v1/monitors/:id", method = "patch", operation_id = "updateWebMonitor")]
    async fn update(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
        body: Input<WebMonitorUpdate>,
    ) -> Result<Json<WebMonitorOne>, ApiError> {
        let id = id_of(&id.0)?;
        let edit = edit(&body.0)?;
        let grounds = Grounds { limits: &app.limits, settings: &app.monitors, guard: &app.guard };
        let updated = monitors::update(&app.domain, grounds, caller.0.account_id, id, edit).await?;
        Ok(Json(WebMonitorOne { monitor: shown(&app, updated) }))
    }

    /// End a monitor
    ///
    /// With its runs and changes. Its feed answers 410 from now on.
    #[oai(path = "/v1/monitors/:id", method = "delete", operation_id = "deleteWebMonitor")]
    async fn delete(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
    ) -> Result<Gone, ApiError> {
        monitors::delete(&app.domain, caller.0.account_id, id_of(&id.0)?).await?;
        Ok(Gone::NoContent)
    }

    /// Run a monitor now
    ///
    /// Whatever its status. A failed monitor whose run goes well is active again. The run that is under way
    /// is joined.
    #[oai(path = "/v1/monitors/:id/run", method = "post", operation_id = "runWebMonitor")]
    async fn run(
        &self,
        caller: Allowed<WriteSource>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
    ) -> Result<RunAnswer, ApiError> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let accepted = monitors::run_now(&app.domain, &app.limits, account_id, id).await?;
        let run = app.engine.dispatch(accepted).await;
        Ok(RunAnswer::Accepted(Json(MonitorRunOne { run: run.into() })))
    }

    /// List the runs of a monitor
    ///
    /// Newest first, those that have ended; kept for 90 days.
    #[oai(path = "/v1/monitors/:id/runs", method = "get", operation_id = "listMonitorRuns")]
    async fn runs(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
        /// `nextCursor` of the page before.
        cursor: Cursor,
        /// The most runs on a page. Default 50.
        limit: Limit,
    ) -> Result<Json<MonitorRunList>, ApiError> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let bound = Bound { account_id, operation: "listMonitorRuns", filters: id.to_string() };
        let page = Page { after: bound.open(&app.domain, text(&cursor)).await?, limit: count(&limit) };
        let page = monitors::list_runs(&app.domain, account_id, id, page).await?;
        let next_cursor = bound.seal(&app.domain, page.next_after).await?;
        Ok(Json(MonitorRunList { runs: page.runs.into_iter().map(MonitorRun::from).collect(), next_cursor }))
    }

    /// List the changes of a monitor
    ///
    /// Newest first, each with its differences.
    #[oai(path = "/v1/monitors/:id/changes", method = "get", operation_id = "listMonitorChanges")]
    async fn changes(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
        /// `nextCursor` of the page before.
        cursor: Cursor,
        /// The most changes on a page. Default 50.
        limit: Limit,
    ) -> Result<Json<MonitorChangeList>, ApiError> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let bound = Bound { account_id, operation: "listMonitorChanges", filters: id.to_string() };
        let page = Page { after: bound.open(&app.domain, text(&cursor)).await?, limit: count(&limit) };
        let page = monitors::list_changes(&app.domain, account_id, id, page).await?;
        let next_cursor = bound.seal(&app.domain, page.next_after).await?;
        let changes = page.changes.into_iter().map(MonitorChange::from).collect();
        Ok(Json(MonitorChangeList { changes, next_cursor }))
    }

    /// Give a monitor's feed a new address
    ///
    /// The old one answers 410 from now on, and so do links to changes that were given out with it.
    #[oai(path = "/v1/monitors/:id/rotate-feed", method = "post", operation_id = "rotateMonitorFeed")]
    async fn rotate(
        &self,
        caller: Allowed<Write>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
    ) -> Result<Json<WebMonitorOne>, ApiError> {
        let (account_id, id) = (caller.0.account_id, id_of(&id.0)?);
        let rotated = monitors::rotate_feed(&app.domain, &app.monitors, account_id, id).await?;
        Ok(Json(WebMonitorOne { monitor: shown(&app, rotated) }))
    }
}

fn shown(app: &App, monitor: monitors::Monitor) -> WebMonitor {
    WebMonitor::of(monitor, &app.monitors.base_url)
}

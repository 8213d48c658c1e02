//! Operations that try a monitor out: nothing is kept, no credit is spent.

use std::sync::Arc;

use domain::articles::Payer;
use domain::monitors;
use poem::Request;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use tokio::time::Instant;

use super::found::{MonitorPreview, ReconsideredChange, ReconsideredList};
use super::operations::{WebMonitorRequest, WebMonitorUpdate};
use super::request::{edit, id_of, previewed};
use crate::api::Tag;
use crate::api::body::Input;
use crate::api::error::ApiError;
use crate::api::guard::{Allowed, Read, ReadSource, Standing};
use crate::app::{ANSWER_TIMEOUT, App};

/// Trying out.
pub struct PreviewsApi;

#[OpenApi(tag = "Tag::Monitors")]
impl PreviewsApi {
    /// Show what a monitor would look at
    ///
    /// Takes the body of a monitor to be made, downloads the source once and tells what would be watched. It
    /// costs no credit; the download counts among the account's fresh extractions.
    #[oai(path = "/v1/monitors/preview", method = "post", operation_id = "previewWebMonitor")]
    async fn preview(
        &self,
        caller: Allowed<ReadSource>,
        app: Data<&Arc<App>>,
        request: &Request,
        body: Input<WebMonitorRequest>,
    ) -> Result<Json<MonitorPreview>, ApiError> {
        let (address, definition) = previewed(&app, &body.0)?;
        let payer = Payer { limits: &app.limits, account_id: caller.0.account_id, tier: caller.0.tier };
        let progress = monitors::request_preview(&app.domain, payer, &address, &definition).await?;
        let (preview, states) = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?;
        if let Some(standing) = request.data::<Standing>() {
            standing.note(&states);
        }
        Ok(Json(preview.into()))
    }

    /// Try other settings on a monitor's changes
    ///
    /// Takes the body of a change to the monitor and tells which of its newest changes would be told with
    /// it. Nothing is downloaded and nothing is changed.
    #[oai(path = "/v1/monitors/:id/preview", method = "post", operation_id = "previewWebMonitorUpdate")]
    async fn reconsider(
        &self,
        caller: Allowed<Read>,
        app: Data<&Arc<App>>,
        /// The monitor.
        id: Path<String>,
        body: Input<WebMonitorUpdate>,
    ) -> Result<Json<ReconsideredList>, ApiError> {
        let id = id_of(&id.0)?;
        let edit = edit(&body.0)?;
        let found = monitors::reconsider(&app.domain, caller.0.account_id, id, &edit).await?;
        let count =
            |wanted: Option<bool>| found.iter().filter(|change| change.remains == wanted).count() as u64;
        let (remaining, dropped, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let changes = found.into_iter().map(ReconsideredChange::from).collect();
        Ok(Json(ReconsideredList { changes, remaining, dropped, unknown }))
    }
}

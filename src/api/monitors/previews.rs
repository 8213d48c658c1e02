//! Operations that try a monitor out: nothing is kept, no credit is spent.

use std::sync::Arc;

use domain::articles::Payer;
use domain::monitors;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use tokio::time::Instant;

use super::changes::{MonitorPreview, ReconsideredChange, ReconsideredList};
use super::examples::monitor_id;
use super::request::{MonitorPreviewRequest, WebMonitorUpdate, id_of};
use crate::api::answers::Errors;
use crate::api::authorize::{Authorized, Fresh, RateLimitState, Read};
use crate::api::body::{Body, address};
use crate::api::tag::Tag;
use crate::app::{ANSWER_TIMEOUT, App};

/// Trying out.
pub(crate) struct PreviewsApi;

#[OpenApi(tag = "Tag::Monitors")]
impl PreviewsApi {
    /// Preview a monitor
    ///
    /// Takes the body of a monitor to create, downloads the source once and reports what would be watched. It
    /// costs no credit; the download counts among the account's fresh extractions.
    #[oai(path = "/v1/monitors/preview", method = "post", operation_id = "previewWebMonitor")]
    async fn preview(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        body: Body<MonitorPreviewRequest>,
    ) -> Result<Json<MonitorPreview>, Errors<422, 502>> {
        let address = address(&app, "target_url", &body.0.target_url)?;
        let definition = body.0.definition()?;
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let progress = monitors::request_preview(&app.domain, payer, &address, &definition).await?;
        let (preview, states) = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?;
        limits.note(&states);
        Ok(Json(preview.into()))
    }

    /// Try other settings on a monitor's changes
    ///
    /// Takes the body of an update of the monitor and reports which of its newest changes would still be
    /// reported with it. Nothing is downloaded and nothing is changed.
    #[oai(path = "/v1/monitors/:id/preview", method = "post", operation_id = "previewWebMonitorUpdate")]
    async fn reconsider(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// The monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        body: Body<WebMonitorUpdate>,
    ) -> Result<Json<ReconsideredList>, Errors<404, 422>> {
        let id = id_of(&id.0)?;
        let found = monitors::replay_changes(&app.domain, caller.0.account_id, id, &body.0.into()).await?;
        let count =
            |wanted: Option<bool>| found.iter().filter(|change| change.would_notify == wanted).count() as u64;
        let (remaining, dropped, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let changes = found.into_iter().map(ReconsideredChange::from).collect();
        Ok(Json(ReconsideredList { changes, remaining, dropped, unknown }))
    }
}

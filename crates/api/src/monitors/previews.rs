//! Operations that preview a monitor. Nothing is stored and no credit is charged.

use std::sync::Arc;

use articles::Payer;
use monitors::PreviewRequest;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use tokio::time::Instant;

use super::changes::{MonitorPreview, ReconsideredList};
use super::examples::monitor_id;
use super::request::{MonitorPreviewRequest, WebMonitorUpdate, edit_of, id_of};
use crate::answers::Errors;
use crate::authorize::{Authorized, Fresh, RateLimitState, Read};
use crate::body::{Body, address};
use crate::tag::ApiTag;
use http_kit::app::{ANSWER_TIMEOUT, App};
use http_kit::http::params::Integer;

pub(crate) struct PreviewsApi;

#[OpenApi(tag = "ApiTag::Monitors")]
impl PreviewsApi {
    /// Preview a monitor
    ///
    /// Takes the body of a new monitor, downloads the source once and returns what would be monitored. Costs no
    /// credits, but one fresh extraction (five for a rendered page), even if it fails.
    #[oai(path = "/v1/monitors/preview", method = "post", operation_id = "previewWebMonitor")]
    async fn preview(
        &self,
        caller: Authorized<Read, Fresh>,
        app: Data<&Arc<App>>,
        limits: Data<&RateLimitState>,
        body: Body<MonitorPreviewRequest>,
    ) -> Result<Json<MonitorPreview>, Errors<422, 502>> {
        let address = address(&app, "target_url", &body.0.target_url)?;
        let interval_minutes = body.0.interval_minutes.map(Integer::get);
        let options = body.0.options();
        let definition = body.0.definition()?;
        let payer = Payer { account_id: caller.0.account_id, tier: caller.0.tier };
        let credentials = options.credentials.as_ref();
        let request = PreviewRequest {
            address: &address,
            definition: &definition,
            credentials,
            credentials_of: None,
            interval_minutes,
        };
        let progress = monitors::request_preview(&app.domain, payer, request).await?;
        let (preview, states) = app.engine.await_result(progress, Instant::now() + ANSWER_TIMEOUT).await?;
        limits.record(&states);
        Ok(Json(preview.into()))
    }

    /// Preview a change to a monitor
    ///
    /// Takes the body of a monitor update and evaluates the stored contents again. Returns which of the
    /// newest changes would still be reported, and which unreported changes would be. Downloads and changes
    /// nothing.
    #[oai(path = "/v1/monitors/:id/preview", method = "post", operation_id = "previewWebMonitorUpdate")]
    async fn reconsider(
        &self,
        caller: Authorized<Read>,
        app: Data<&Arc<App>>,
        /// Id of the monitor.
        #[oai(example = "monitor_id")]
        id: Path<String>,
        body: Body<WebMonitorUpdate>,
    ) -> Result<Json<ReconsideredList>, Errors<404, 422>> {
        let id = id_of(&id.0)?;
        let edit = edit_of(&app, body.0)?;
        let replay = monitors::replay_changes(&app.domain, caller.0.account_id, id, &edit).await?;
        Ok(Json(replay.into()))
    }
}

//! Operator endpoints of a process: liveness, readiness, and metrics.

use http_kit::auth::bears;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use serde_json::json;

use crate::ops::{METRICS, MetricKind, Ops, describe, sample};
use http_kit::app::App;
use http_kit::config::SecretSetting;

/// Interval at which histogram samples are drained.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the metrics recorder of this process. Further calls do nothing.
///
/// # Errors
/// If another recorder is already installed.
pub fn install_recorder() -> anyhow::Result<()> {
    if RECORDER.get().is_none() {
        let mut builder = PrometheusBuilder::new();
        for metric in METRICS {
            if let MetricKind::Histogram(bounds) = metric.kind {
                builder = builder.set_buckets_for_metric(Matcher::Full(metric.name.to_owned()), bounds)?;
            }
        }
        let handle = builder.install_recorder()?;
        describe();
        tokio::spawn(run_upkeep(handle.clone()));
        let _ = RECORDER.set(handle);
    }
    Ok(())
}

/// Drains histogram samples regularly. Otherwise they accumulate until a scrape, which a worker may never
/// receive.
async fn run_upkeep(handle: PrometheusHandle) {
    let mut interval = tokio::time::interval(UPKEEP_INTERVAL);
    loop {
        interval.tick().await;
        handle.run_upkeep();
    }
}

/// Adds `/healthz`, `/readyz` and `/metrics`.
pub fn routes(ops: &Ops, routes: Route) -> Route {
    routes
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz.data(ops.clone())))
        .at("/metrics", get(metrics_endpoint.data(ops.clone())))
}

/// Reports liveness: always 200.
#[handler]
fn healthz() -> Response {
    answer(StatusCode::OK, &json!({"status": "ok"}))
}

/// Reports readiness: 200, or 503 with the names of unavailable dependencies.
#[handler]
async fn readyz(ops: Data<&Ops>) -> Response {
    let missing = ops.missing().await;
    if missing.is_empty() {
        let renderer = ops.app().map(|app| app.settings.renderer.state());
        answer(StatusCode::OK, &json!({"status": "ready", "renderer": renderer}))
    } else {
        answer(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "not ready", "missing": missing}))
    }
}

/// Returns the metrics in the Prometheus text format to requests with the admin token. If no token is
/// configured, they are served to loopback clients only. All other requests get 404.
#[handler]
#[expect(clippy::needless_pass_by_value, reason = "the handler macro extracts by value")]
fn metrics_endpoint(request: &Request, ops: Data<&Ops>) -> Response {
    if !may_see_metrics(request, ops.token()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    sample(ops.app().map(AsRef::<App>::as_ref));
    let text = RECORDER.get().map(PrometheusHandle::render).unwrap_or_default();
    text.with_content_type("text/plain; version=0.0.4; charset=utf-8").into_response()
}

fn may_see_metrics(request: &Request, token: Option<&SecretSetting>) -> bool {
    if let Some(token) = token {
        return bears(request, token);
    }
    // A local proxy forwards requests of remote clients, so forwarded requests are not local.
    let forwarded =
        request.headers().contains_key("x-forwarded-for") || request.headers().contains_key("forwarded");
    let peer = request.remote_addr().as_socket_addr().map(std::net::SocketAddr::ip);
    !forwarded && peer.map(|peer| peer.to_canonical()).is_some_and(|peer: IpAddr| peer.is_loopback())
}

fn answer(status: StatusCode, body: &serde_json::Value) -> Response {
    body.to_string()
        .with_content_type("application/json")
        .with_header(header::CACHE_CONTROL, "no-store")
        .with_status(status)
        .into_response()
}

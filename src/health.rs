//! What operators ask of a running process: does it live, is it ready, what does it count.

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
use http_kit::config::Secret;

/// Between two times at which the samples of histograms are folded together.
const UPKEEP: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder of metrics for this process; the first call alone does anything.
///
/// # Errors
/// When another recorder was installed before.
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
        tokio::spawn(keep_up(handle.clone()));
        let _ = RECORDER.set(handle);
    }
    Ok(())
}

/// Folds the samples of histograms together, which otherwise wait for a scrape that a worker may never get.
async fn keep_up(handle: PrometheusHandle) {
    let mut beat = tokio::time::interval(UPKEEP);
    loop {
        beat.tick().await;
        handle.run_upkeep();
    }
}

/// Adds `/healthz`, `/readyz` and `/metrics`.
pub fn routes(ops: &Ops, routes: Route) -> Route {
    routes
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz.data(ops.clone())))
        .at("/metrics", get(numbers.data(ops.clone())))
}

/// The process lives.
#[handler]
fn healthz() -> Response {
    answer(StatusCode::OK, &json!({"status": "ok"}))
}

/// The process can do its work, or says what is missing.
#[handler]
async fn readyz(ops: Data<&Ops>) -> Response {
    let missing = ops.missing().await;
    if missing.is_empty() {
        answer(StatusCode::OK, &json!({"status": "ready"}))
    } else {
        answer(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "not ready", "missing": missing}))
    }
}

/// Numbers in Prometheus' text form, for bearers of the admin token, and for this machine where there is no
/// such token; for others the page does not exist.
#[handler]
#[expect(clippy::needless_pass_by_value, reason = "the handler macro extracts by value")]
fn numbers(request: &Request, ops: Data<&Ops>) -> Response {
    if !may_see_numbers(request, ops.token()) {
        return StatusCode::NOT_FOUND.into_response();
    }
    sample(ops.app().map(AsRef::<App>::as_ref));
    let text = RECORDER.get().map(PrometheusHandle::render).unwrap_or_default();
    text.with_content_type("text/plain; version=0.0.4; charset=utf-8").into_response()
}

fn may_see_numbers(request: &Request, token: Option<&Secret>) -> bool {
    if let Some(token) = token {
        return bears(request, token);
    }
    // A proxy on this machine speaks for strangers: what it forwards is not local.
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

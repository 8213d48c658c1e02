//! What operators ask of a running process: does it live, is it ready, what does it count.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use serde_json::json;

use crate::app::App;

/// Bounds of all duration histograms, in seconds.
const SECONDS: &[f64] = &[0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 60.0];

/// Between two times at which the samples of histograms are folded together.
const UPKEEP: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder of metrics for this process; the first call alone does anything.
///
/// # Errors
/// When another recorder was installed before.
pub fn install_recorder() -> anyhow::Result<()> {
    if RECORDER.get().is_none() {
        let builder =
            PrometheusBuilder::new().set_buckets_for_metric(Matcher::Suffix("seconds".into()), SECONDS)?;
        let handle = builder.install_recorder()?;
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
pub fn routes(app: &Arc<App>, routes: Route) -> Route {
    routes
        .at("/healthz", get(healthz))
        .at("/readyz", get(readyz.data(Arc::clone(app))))
        .at("/metrics", get(numbers.data(Arc::clone(app))))
}

/// The process lives.
#[handler]
fn healthz() -> Response {
    answer(StatusCode::OK, &json!({"status": "ok"}))
}

/// The process can do its work, or says what is missing.
#[handler]
async fn readyz(app: Data<&Arc<App>>) -> Response {
    let missing = app.missing().await;
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
fn numbers(request: &Request, app: Data<&Arc<App>>) -> Response {
    if !is_operator(request, &app) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let text = RECORDER.get().map(PrometheusHandle::render).unwrap_or_default();
    text.with_content_type("text/plain; version=0.0.4; charset=utf-8").into_response()
}

fn is_operator(request: &Request, app: &App) -> bool {
    let bearer = request.header(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if let Some(token) = &app.settings.admin_token {
        return bearer.is_some_and(|sent| token.is(sent));
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

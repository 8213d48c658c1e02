//! `{base_url}/websub/<token>`: callback at which `WebSub` hubs verify subscriptions and deliver new entries.

use std::sync::Arc;
use std::time::Duration;

use feeds::hubs::{self, Verification};
use kernel::Code;
use poem::endpoint::BoxEndpoint;
use poem::http::StatusCode;
use poem::web::{Data, Path};
use poem::{Body, Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use serde::Deserialize;

use http_kit::app::App;
use http_kit::http::unrouted::unrouted;

/// Maximum size of a delivery. Larger feeds are not read by polling either.
const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Maximum time for a delivery to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Verification request of a hub (W3C WebSub, section 5.3).
#[derive(Debug, Deserialize)]
struct VerificationQuery {
    #[serde(rename = "hub.mode")]
    mode: String,
    #[serde(rename = "hub.topic", default)]
    topic: String,
    #[serde(rename = "hub.challenge")]
    challenge: Option<String>,
    #[serde(rename = "hub.lease_seconds")]
    lease_seconds: Option<u64>,
}

/// Endpoint of `/websub`.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    Route::new()
        .at("/websub/:token", get(verify).post(receive))
        .around(|inner, request| async move {
            Ok(match inner.call(request).await {
                Ok(response) => response.into_response(),
                Err(error) => refused(error),
            })
        })
        .data(Arc::clone(app))
        .boxed()
}

fn refused(error: poem::Error) -> Response {
    if error.is_from_response() {
        return error.into_response();
    }
    unrouted(&error, "GET, HEAD, POST", || StatusCode::NOT_FOUND.into_response())
}

/// Verifies that a subscription was requested by Carrel.
#[handler]
async fn verify(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>) -> Response {
    let Ok(question) =
        serde_html_form::from_str::<VerificationQuery>(request.uri().query().unwrap_or_default())
    else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let VerificationQuery { mode, topic, challenge, lease_seconds } = question;
    let question = Verification { mode, topic, challenge, lease_seconds };
    match hubs::verify(&app.domain, &token, question).await {
        Ok(challenge) => Response::builder().content_type("text/plain; charset=utf-8").body(challenge),
        Err(error) => failed(&error),
    }
}

/// Receives new entries from a hub.
#[handler]
async fn receive(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>, body: Body) -> Response {
    // The token is checked first, so that bodies from unknown senders are not read.
    if let Err(error) = hubs::check_token(&app.domain, &token).await {
        return failed(&error);
    }
    let body = match tokio::time::timeout(BODY_TIMEOUT, body.into_bytes_limit(MAX_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    match hubs::receive(&app.domain, &token, request.header("X-Hub-Signature"), &body).await {
        Ok(_) => StatusCode::ACCEPTED.into_response(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &kernel::Error) -> Response {
    if error.code == Code::NotFound {
        return StatusCode::NOT_FOUND.into_response();
    }
    tracing::warn!(error = error.report(), "failed to answer a hub");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

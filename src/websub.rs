//! `{base_url}/websub/<token>`: where hubs of `WebSub` verify what we asked for and send what is new.

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

/// More than this is no feed we would read.
const MAX_BYTES: usize = 10 * 1024 * 1024;

/// How long a body may take to arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The hub's question (section 5.3 of the W3C Recommendation).
#[derive(Debug, Deserialize)]
struct Question {
    #[serde(rename = "hub.mode")]
    mode: String,
    #[serde(rename = "hub.topic", default)]
    topic: String,
    #[serde(rename = "hub.challenge")]
    challenge: Option<String>,
    #[serde(rename = "hub.lease_seconds")]
    lease_seconds: Option<u64>,
}

/// Everything under `/websub`.
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

/// A hub asks whether we meant a subscription.
#[handler]
async fn verify(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>) -> Response {
    let Ok(question) = serde_html_form::from_str::<Question>(request.uri().query().unwrap_or_default())
    else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let Question { mode, topic, challenge, lease_seconds } = question;
    let question = Verification { mode, topic, challenge, lease_seconds };
    match hubs::verify(&app.domain, &token, question).await {
        Ok(challenge) => Response::builder().content_type("text/plain; charset=utf-8").body(challenge),
        Err(error) => failed(&error),
    }
}

/// A hub sends what is new.
#[handler]
async fn receive(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>, body: Body) -> Response {
    // A stranger's bytes are not even read.
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
    tracing::warn!(error = error.report(), "a hub could not be answered");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

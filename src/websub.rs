//! `{base_url}/websub/<token>`: where hubs of `WebSub` verify what we asked for and send what is new.

use std::sync::Arc;

use domain::feeds::hubs::{self, Verification};
use poem::endpoint::BoxEndpoint;
use poem::http::{Method, StatusCode};
use poem::{Body, EndpointExt, IntoResponse, Request, Response};
use serde::Deserialize;

use crate::app::App;

/// More than this is no feed we would read.
const MOST_BYTES: usize = 10 * 1024 * 1024;

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
    let app = Arc::clone(app);
    poem::endpoint::make(move |request| {
        let app = Arc::clone(&app);
        async move { answer(&app, request).await }
    })
    .map_to_response()
    .boxed()
}

async fn answer(app: &App, request: Request) -> Response {
    let token = request.uri().path().trim_start_matches("/websub/").to_owned();
    let outcome = match *request.method() {
        Method::GET => verify(app, &token, &request).await,
        Method::POST => receive(app, &token, request).await,
        _ => Ok(StatusCode::METHOD_NOT_ALLOWED.into_response()),
    };
    outcome.unwrap_or_else(|error| match error {
        domain::Error::NotFound { .. } => StatusCode::NOT_FOUND.into_response(),
        error => {
            tracing::warn!(%error, "a hub could not be answered");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    })
}

async fn verify(app: &App, token: &str, request: &Request) -> Result<Response, domain::Error> {
    let Ok(question) = serde_html_form::from_str::<Question>(request.uri().query().unwrap_or_default())
    else {
        return Ok(StatusCode::BAD_REQUEST.into_response());
    };
    let Question { mode, topic, challenge, lease_seconds } = question;
    let question = Verification { mode, topic, challenge, lease_seconds };
    let challenge = hubs::verify(&app.domain, token, question).await?;
    Ok(Response::builder().content_type("text/plain; charset=utf-8").body(challenge))
}

async fn receive(app: &App, token: &str, mut request: Request) -> Result<Response, domain::Error> {
    let signature = request.header("X-Hub-Signature").map(str::to_owned);
    let body: Body = request.take_body();
    let Ok(body) = body.into_bytes_limit(MOST_BYTES).await else {
        return Ok(StatusCode::PAYLOAD_TOO_LARGE.into_response());
    };
    hubs::receive(&app.domain, token, signature.as_deref(), &body).await?;
    Ok(StatusCode::ACCEPTED.into_response())
}

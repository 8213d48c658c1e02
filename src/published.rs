//! What is given out to whoever knows its address: the feeds of monitors at
//! `{base_url}/feeds/monitors/<token>.xml` (and `.atom`, `.json`), and single changes at
//! `{base_url}/changes/<link>`. No credential is asked for; neither address can be guessed.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::Error;
use domain::monitors::{self, FeedForm};
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use poem::{EndpointExt, IntoResponse, Request, Response};

use crate::app::App;
use crate::http::conditional::matches;
use crate::web;

/// Everything under `/feeds` and `/changes`.
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
    if request.method() != Method::GET {
        return StatusCode::METHOD_NOT_ALLOWED.with_header(header::ALLOW, "GET, HEAD").into_response();
    }
    let path = request.uri().path();
    let mut response = match path.strip_prefix("/changes/") {
        Some(link) => web::change_page(app, link, request.uri().query()).await,
        None => feed(app, path, request.header(header::IF_NONE_MATCH)).await,
    };
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    response
}

async fn feed(app: &App, path: &str, if_none_match: Option<&str>) -> Response {
    let named = path.strip_prefix("/feeds/monitors/").and_then(|name| name.rsplit_once('.'));
    let Some((token, form)) = named.and_then(|(token, ending)| Some((token, FeedForm::parse(ending)?)))
    else {
        return words(StatusCode::NOT_FOUND, "There is no feed at this address.");
    };
    let known = |etag: &str| if_none_match.is_some_and(|sent| matches(sent, etag));
    let feed = match monitors::find_feed(&app.domain, &app.monitors, token, form, known).await {
        Ok(feed) => feed,
        Err(error) => return refused(&error),
    };
    let response = match feed.body {
        None => StatusCode::NOT_MODIFIED.into_response(),
        Some(body) => body.with_content_type(form.media_type()).into_response(),
    };
    let changed = DateTime::<Utc>::from_timestamp_millis(feed.updated_at).unwrap_or_default();
    response
        .with_header(header::ETAG, feed.etag)
        .with_header(header::LAST_MODIFIED, changed.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
        // The address is a secret, and is void at once when it is replaced.
        .with_header(header::CACHE_CONTROL, "private, no-cache")
        .with_header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")
        .into_response()
}

fn refused(error: &Error) -> Response {
    match error {
        Error::NotFound { message, .. } => words(StatusCode::NOT_FOUND, message),
        Error::Gone { message, .. } => words(StatusCode::GONE, message),
        other => {
            tracing::warn!(error = %other, "a feed could not be given out");
            words(StatusCode::SERVICE_UNAVAILABLE, "The feed cannot be given out at the moment.")
                .with_header(header::RETRY_AFTER, "60")
                .into_response()
        }
    }
}

fn words(status: StatusCode, text: &str) -> Response {
    text.to_owned()
        .with_content_type("text/plain; charset=utf-8")
        .with_header(header::CACHE_CONTROL, "private, no-store")
        .with_status(status)
        .into_response()
}

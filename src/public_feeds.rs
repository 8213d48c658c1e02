//! Public feeds of monitors at `{base_url}/feeds/monitors/<token>.xml` (also `.atom` and `.json`), pages of
//! groups at `{base_url}/feeds/groups/<token>` and of tags at `{base_url}/feeds/tags/<token>` with feeds that
//! have the same suffixes, feeds of saved searches at `{base_url}/feeds/searches/<token>.xml`, pages of highlights
//! at `{base_url}/feeds/highlights/<token>`, and single changes at `{base_url}/changes/<link>`. They need no
//! credential, because their addresses cannot be guessed.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kernel::{Class, Error, Millis};
use monitors::{ChangeSide, FeedFormat};
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::web::{Data, Path};
use poem::{Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, handler};

use http_kit::app::App;
use http_kit::http::conditional::{if_modified_since, matches};
use http_kit::http::cors::{self, AllowedOrigin};
use http_kit::http::unrouted::unrouted;

/// Returns the endpoint of `/feeds` and `/changes`.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    Route::new()
        .at("/feeds/monitors/:name", get(monitor_feed))
        .at("/feeds/groups/:name", get(group))
        .at("/feeds/tags/:name", get(tag))
        .at("/feeds/searches/:name", get(search_feed))
        .at("/feeds/highlights/:token", get(quote))
        .at("/changes/*link", get(change))
        .around(|inner, request| async move { Ok(answer(&inner, request).await) })
        .data(Arc::clone(app))
        .boxed()
}

async fn answer<E: Endpoint>(inner: &E, request: Request) -> Response {
    let mut response = match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => unrouted(&error, "GET, HEAD", no_feed),
    };
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));
    response
}

#[handler]
async fn change(app: Data<&Arc<App>>, request: &Request, Path(link): Path<String>) -> Response {
    let side = ChangeSide::ALL.into_iter().find_map(|side| {
        let link = link.strip_suffix(side.file_name())?.strip_suffix('/')?;
        Some((link, side))
    });
    match side {
        Some((link, side)) => screenshot(&app, link, side).await,
        None => web::change_page(&app, &link, request).await,
    }
}

/// Returns the screenshot of a side of a change.
async fn screenshot(app: &App, link: &str, side: ChangeSide) -> Response {
    match monitors::read_screenshot(&app.domain, link, side).await {
        Ok(picture) => picture
            .with_content_type("image/png")
            .with_header(header::CACHE_CONTROL, "private, no-store")
            .with_header(header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox")
            .with_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .into_response(),
        Err(error) => refused(&error),
    }
}

#[handler]
async fn quote(app: Data<&Arc<App>>, request: &Request, Path(token): Path<String>) -> Response {
    web::public_highlight_page(&app, &token, request).await
}

#[handler]
async fn monitor_feed(app: Data<&Arc<App>>, request: &Request, Path(name): Path<String>) -> Response {
    let Some((token, form)) = token_and_format(&name) else { return no_feed() };
    match monitors::find_feed(&app.domain, token, form, known_version(request)).await {
        Ok(feed) => feed_response(feed, form),
        Err(error) => refused(&error),
    }
}

#[handler]
async fn search_feed(app: Data<&Arc<App>>, request: &Request, Path(name): Path<String>) -> Response {
    let Some((token, form)) = token_and_format(&name) else { return no_feed() };
    match library::find_search_feed(&app.domain, token, form, known_version(request)).await {
        Ok(feed) => feed_response(feed, form),
        Err(error) => refused(&error),
    }
}

/// Splits the name of a feed into its token and the format that its suffix names.
fn token_and_format(name: &str) -> Option<(&str, FeedFormat)> {
    let (token, ending) = name.rsplit_once('.')?;
    Some((token, FeedFormat::parse(ending)?))
}

/// Returns the page of a group, or its feed if the path has the suffix of a feed format.
#[handler]
async fn group(app: Data<&Arc<App>>, request: &Request, Path(name): Path<String>) -> Response {
    let Some((token, ending)) = name.rsplit_once('.') else {
        return web::group_page(&app, &name, request).await;
    };
    let Some(form) = FeedFormat::parse(ending) else { return no_feed() };
    match monitors::find_group_feed(&app.domain, token, form, known_version(request)).await {
        Ok(feed) => feed_response(feed, form),
        Err(error) => refused(&error),
    }
}

/// Returns the page of a tag, or its feed if the path has the suffix of a feed format.
#[handler]
async fn tag(app: Data<&Arc<App>>, request: &Request, Path(name): Path<String>) -> Response {
    let Some((token, ending)) = name.rsplit_once('.') else {
        return web::public_tag_page(&app, &name, request).await;
    };
    let Some(form) = FeedFormat::parse(ending) else { return no_feed() };
    match library::find_tag_feed(&app.domain, token, form, known_version(request)).await {
        Ok(feed) => feed_response(feed, form),
        Err(error) => refused(&error),
    }
}

/// Returns a function that takes the validator and the time of a feed and returns true if the caller already
/// has that version.
fn known_version(request: &Request) -> impl FnOnce(&str, Millis) -> bool {
    let validators = request.header(header::IF_NONE_MATCH);
    let since = if_modified_since(request);
    move |etag: &str, updated_at: Millis| match validators {
        Some(validators) => matches(validators, etag),
        None => since.is_some_and(|since| updated_at.div_euclid(1_000) <= since),
    }
}

fn feed_response(feed: monitors::RenderedFeed, form: FeedFormat) -> Response {
    let response = match feed.body {
        None => StatusCode::NOT_MODIFIED.into_response(),
        Some(body) => body.with_content_type(form.media_type()).into_response(),
    };
    let changed = DateTime::<Utc>::from_timestamp_millis(feed.updated_at).unwrap_or_default();
    let mut response = response
        .with_header(header::ETAG, feed.etag)
        .with_header(header::LAST_MODIFIED, changed.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
        // The address is a secret. If it is replaced, it must stop working immediately.
        .with_header(header::CACHE_CONTROL, "private, no-cache")
        .into_response();
    cors::DOCUMENT.add(&AllowedOrigin::Anyone, response.headers_mut());
    response
}

fn refused(error: &Error) -> Response {
    match error.class() {
        Class::NotFound => text_response(StatusCode::NOT_FOUND, &error.message),
        Class::Gone => text_response(StatusCode::GONE, &error.message),
        Class::Invalid
        | Class::Unauthenticated
        | Class::Forbidden
        | Class::Conflict
        | Class::Limited
        | Class::Unreadable
        | Class::Upstream
        | Class::Unavailable
        | Class::Internal => {
            tracing::warn!(error = error.report(), "failed to serve a feed");
            text_response(StatusCode::SERVICE_UNAVAILABLE, "The feed is not available at the moment.")
                .with_header(header::RETRY_AFTER, "60")
                .into_response()
        }
    }
}

fn no_feed() -> Response {
    text_response(StatusCode::NOT_FOUND, "There is no feed at this address.")
}

fn text_response(status: StatusCode, text: &str) -> Response {
    text.to_owned()
        .with_content_type("text/plain; charset=utf-8")
        .with_header(header::CACHE_CONTROL, "private, no-store")
        .with_status(status)
        .into_response()
}

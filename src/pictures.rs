//! Pictures of pages that people read, at `/pictures/<sealed>`. They are served from the blob store, or
//! fetched by a worker while the browser waits briefly. The URL is sealed for the viewer of the page. The
//! parameter `width` selects a smaller version.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use articles::pictures::{
    self, CachedPicture, PictureFailure, PictureKey, PictureResult, PictureWidth, Requester, Viewer,
};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use identity::limits::Network;
use kernel::{Class, Code, Error};
use permits::KeyedByteRate;
use poem::endpoint::BoxEndpoint;
use poem::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use poem::web::{Data, Path};
use poem::{Body, Endpoint, EndpointExt, IntoResponse, Request, Response, Route, get, handler};
use tokio::time::Instant;

use http_kit::app::App;
use http_kit::auth;
use http_kit::http::conditional::{if_none_match, matches};
use http_kit::http::network::client_address;
use http_kit::http::unrouted::unrouted;
use web::wants_no_pictures;

/// Maximum time for which a browser waits for a picture to be fetched.
const FETCH_TIMEOUT: Duration = Duration::from_secs(14);
/// Rate at which this process sends pictures to one account or network, in bytes per second, and the burst that is
/// sent without delay, in bytes.
const SEND_RATE: u32 = 16 << 20;
const SEND_BURST: u32 = 16 << 20;
/// Prevents scripts in a picture, even if the browser opens it as a document.
const PICTURE_CSP: &str = "default-src 'none'; sandbox";
/// Allows the inline style of an error message.
const MESSAGE_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
const PICTURE_CACHE_CONTROL: &str = "private, max-age=86400, no-transform";
const FAILURE_CACHE_CONTROL: &str = "private, max-age=60";
const NO_STORE: &str = "private, no-store";
/// Message for a URL that is not valid for the viewer.
const INVALID_URL_MESSAGE: &str = "This picture link is not valid. Reload the page.";

struct SendRate(KeyedByteRate<String>);

/// Returns the endpoint of `/pictures`.
pub fn endpoint(app: &Arc<App>) -> BoxEndpoint<'static> {
    Route::new()
        .at("/pictures/:sealed", get(picture))
        .around(|inner, request| async move { Ok(answer(&inner, request).await) })
        .data(Arc::clone(app))
        .boxed()
}

async fn answer<E: Endpoint>(inner: &E, request: Request) -> Response {
    let mut response = match inner.call(request).await {
        Ok(response) => response.into_response(),
        Err(error) => unrouted(&error, "GET, HEAD", || StatusCode::NOT_FOUND.into_response()),
    };
    let headers = response.headers_mut();
    put(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(headers, header::REFERRER_POLICY, "no-referrer");
    put(headers, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    put(headers, HeaderName::from_static("x-robots-tag"), "noindex");
    response
}

#[handler]
async fn picture(app: Data<&Arc<App>>, request: &Request, Path(sealed): Path<String>) -> Response {
    match show(&app, request, &sealed).await {
        Ok(response) => response,
        Err(error) => refused(&error, request),
    }
}

async fn show(app: &App, request: &Request, sealed: &str) -> kernel::Result<Response> {
    // Pages of other sites may not embed pictures through this service. Browsers send the relation to the
    // embedding site in `Sec-Fetch-Site`.
    let is_foreign =
        request.header("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    let refuse = || Ok(message_response(request, StatusCode::FORBIDDEN, INVALID_URL_MESSAGE, NO_STORE));
    if is_foreign {
        return refuse();
    }
    let session = auth::session(app, request).await?;
    if wants_no_pictures(request, session.as_ref()) {
        return refuse();
    }
    let (viewer, asker) = if let Some(session) = &session {
        (Viewer::Account(session.account.id), Requester::Account(session.account.id))
    } else {
        let network = Network::of(client_address(request, &app.settings.trusted_proxies));
        (Viewer::Anyone, Requester::Network(network))
    };
    let parameter = parameter(request, "width");
    let width = parameter.as_deref().and_then(PictureWidth::parse);
    let is_valid = parameter.is_none() || width.is_some();
    let url = PictureKey::load(&app.domain).await?.open(viewer, sealed);
    let Some(url) = url.filter(|_| is_valid) else {
        return Ok(message_response(request, StatusCode::NOT_FOUND, INVALID_URL_MESSAGE, NO_STORE));
    };
    match load(app, &asker, &url, width).await? {
        Ok(stored) => picture_response(app, request, &stored, asker.key()).await,
        Err(failure) => {
            Ok(message_response(request, status(failure), failure.sentence(), FAILURE_CACHE_CONTROL))
        }
    }
}

/// Loads a picture, or a smaller version, which is created from the picture.
async fn load(
    app: &App,
    requester: &Requester,
    url: &str,
    width: Option<PictureWidth>,
) -> kernel::Result<PictureResult> {
    let deadline = Instant::now() + FETCH_TIMEOUT;
    let progress = pictures::request(&app.domain, requester, url, width).await?;
    let result = app.engine.await_result(progress, deadline).await?;
    let (Ok(original), Some(width)) = (&result, width) else { return Ok(result) };
    let progress = pictures::request_smaller(&app.domain, requester, url, original, width).await?;
    app.engine.await_result(progress, deadline).await
}

/// Returns the value of a parameter of the query. `None` if the query lacks the parameter.
fn parameter(request: &Request, name: &str) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(other, _)| other == name)
        .map(|(_, value)| value.into_owned())
}

async fn picture_response(
    app: &App,
    request: &Request,
    stored: &CachedPicture,
    requester: String,
) -> kernel::Result<Response> {
    let etag = format!("\"{}\"", stored.blob.rsplit('/').next().unwrap_or_default());
    let is_known = if_none_match(request).is_some_and(|known| matches(&known, &etag));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = paced(app, requester, pictures::read(&app.domain, stored).await?);
        let mut response = Response::from(Body::from_bytes_stream(bytes));
        put(response.headers_mut(), header::CONTENT_TYPE, &stored.media_type);
        put(response.headers_mut(), header::CONTENT_LENGTH, &stored.size.to_string());
        response
    };
    let headers = response.headers_mut();
    put(headers, header::ETAG, &etag);
    put(headers, header::CACHE_CONTROL, PICTURE_CACHE_CONTROL);
    put(headers, header::CONTENT_SECURITY_POLICY, PICTURE_CSP);
    put(headers, header::CONTENT_DISPOSITION, "inline");
    Ok(response)
}

/// Delays the pieces of a picture if the requester receives pictures faster than its rate.
fn paced(
    app: &App,
    requester: String,
    bytes: BoxStream<'static, io::Result<Bytes>>,
) -> BoxStream<'static, io::Result<Bytes>> {
    let rate = app.domain.shared(|| SendRate(KeyedByteRate::new(SEND_RATE, SEND_BURST))).0.clone();
    let paced = bytes.then(move |piece| {
        let (rate, requester) = (rate.clone(), requester.clone());
        async move {
            if let Ok(piece) = &piece {
                rate.wait(requester, piece.len()).await;
            }
            piece
        }
    });
    paced.boxed()
}

fn status(failure: PictureFailure) -> StatusCode {
    match failure {
        PictureFailure::NotAllowed => StatusCode::FORBIDDEN,
        PictureFailure::Busy => StatusCode::SERVICE_UNAVAILABLE,
        PictureFailure::Late => StatusCode::GATEWAY_TIMEOUT,
        PictureFailure::TooLarge
        | PictureFailure::TooManyPixels
        | PictureFailure::NotAPicture
        | PictureFailure::Excluded
        | PictureFailure::Refused
        | PictureFailure::Gone
        | PictureFailure::NoSmallerVersion
        | PictureFailure::Unreachable => StatusCode::NOT_FOUND,
    }
}

fn refused(error: &Error, request: &Request) -> Response {
    let status = match error.class() {
        Class::Limited => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::SERVICE_UNAVAILABLE,
    };
    if !matches!(error.code, Code::RateLimited | Code::CapacityExhausted) {
        tracing::warn!(error = error.report(), "failed to serve a picture");
    }
    let mut response = message_response(request, status, PictureFailure::Busy.sentence(), NO_STORE);
    put(response.headers_mut(), header::RETRY_AFTER, "60");
    response
}

/// Builds the response with a message instead of a picture. If the URL is opened as a page, the message is
/// text. If the picture is an icon, the response is empty. Otherwise the message is an SVG, because an image
/// element cannot show text.
fn message_response(
    request: &Request,
    status: StatusCode,
    words: &str,
    cache_control: &'static str,
) -> Response {
    let is_page = request.header(header::ACCEPT).is_some_and(|accepted| accepted.contains("text/html"));
    let (kind, body) = if parameter(request, "icon").is_some() {
        ("text/plain; charset=utf-8", String::new())
    } else if is_page {
        ("text/plain; charset=utf-8", format!("{words}\n"))
    } else {
        ("image/svg+xml", message_svg(words))
    };
    let mut response = body.with_content_type(kind).with_status(status).into_response();
    let headers = response.headers_mut();
    put(headers, header::CACHE_CONTROL, cache_control);
    put(headers, header::CONTENT_SECURITY_POLICY, MESSAGE_CSP);
    response
}

/// Renders a message as an SVG with two lines. Only Carrel's own texts are messages.
fn message_svg(words: &str) -> String {
    let middle = words.len() / 2;
    let breaks = words.match_indices(' ').map(|(at, _)| at);
    let at = breaks.min_by_key(|at| at.abs_diff(middle)).unwrap_or(words.len());
    let (first, second) = (words[..at].trim(), words[at..].trim());
    let line = |y: u32, words: &str| {
        format!("<text x=\"180\" y=\"{y}\" text-anchor=\"middle\">{}</text>", extract::render::escape(words))
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"360\" height=\"120\" viewBox=\"0 0 360 120\" \
         style=\"font:15px sans-serif;fill:#767676\"><rect x=\"1\" y=\"1\" width=\"358\" height=\"118\" rx=\"6\" \
         fill=\"none\" stroke=\"#767676\"/>{}{}</svg>",
        line(54, first),
        line(78, second)
    )
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}

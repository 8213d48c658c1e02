//! `Idempotency-Key` around a POST: the first final answer is kept and told again (contract 1.3).

use std::future::Future;
use std::sync::Arc;

use domain::reader::idempotency::{self, Asked, Claim, Hold, Kept};
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Body, Request, Response};
use serde_json::Value;

use super::body::canonical;
use super::meter::Meter;
use super::negotiate::Format;
use crate::app::App;
use crate::problem::Problem;

/// Headers that belong to the content and are told again with it.
static CONTENT_HEADERS: [HeaderName; 7] = [
    header::CONTENT_TYPE,
    header::CONTENT_LOCATION,
    header::ETAG,
    header::LINK,
    header::LOCATION,
    header::RETRY_AFTER,
    HeaderName::from_static("x-svc-total-tokens"),
];

/// What is needed to know a request again.
pub(super) struct Call<'a> {
    /// The app.
    pub app: &'a Arc<App>,
    /// Who asks.
    pub meter: &'a Meter,
    /// The request, for its path and its key.
    pub request: &'a Request,
    /// The body.
    pub body: &'a Value,
    /// The form of the answer.
    pub format: Format,
}

/// Runs `make` unless the caller's key was answered already. The making goes on when the caller hangs up,
/// so that a repetition finds its answer.
///
/// # Errors
/// The problems of the key itself, and those of `make` when there is no key.
pub(super) async fn once<F>(call: Call<'_>, make: F) -> Result<Response, Problem>
where
    F: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    let Some(key) = key_of(call.request)? else { return make.await };
    let request =
        format!("{}\n{}\n{}", call.request.uri().path(), canonical(call.body), call.format.as_str());
    let asked = Asked { caller: call.meter.network(), key: &key, request: &request };
    let hold = match idempotency::claim(&call.app.domain, asked).await? {
        Claim::Answered(kept) => return Ok(replay(kept)),
        Claim::Mine(hold) => hold,
    };
    let (app, reader_url) = (Arc::clone(call.app), call.app.settings.origins.reader.to_string());
    let request_id = crate::http::request_id::of(call.request);
    let made = tokio::spawn(async move {
        let response = make.await.unwrap_or_else(|problem| problem.render(&reader_url, &request_id));
        keep(&app, hold, response).await
    });
    made.await.map_err(|error| Problem::from(domain::Error::internal(error)))
}

/// The key, with or without the quotes of a structured field.
fn key_of(request: &Request) -> Result<Option<String>, Problem> {
    let mut values = request.headers().get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let wrong =
        || Problem::new("invalid_idempotency_key", "The key must be 1 to 255 visible ASCII characters.");
    let text = value.to_str().map_err(|_| wrong())?.trim();
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let visible = bare.bytes().all(|byte| byte.is_ascii_graphic());
    if values.next().is_some() || bare.is_empty() || bare.len() > 255 || !visible {
        return Err(wrong());
    }
    Ok(Some(bare.to_owned()))
}

async fn keep(app: &App, hold: Hold, mut response: Response) -> Response {
    let status = response.status();
    let is_final = status.is_success()
        || (status.is_client_error()
            && status != StatusCode::CONFLICT
            && status != StatusCode::TOO_MANY_REQUESTS);
    let body = response.take_body().into_bytes().await.unwrap_or_default();
    let written = if is_final {
        let headers = response.headers();
        let headers = headers.iter().filter(|(name, _)| CONTENT_HEADERS.contains(name));
        let headers =
            headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let kept = Kept { status: status.as_u16(), headers: headers.collect(), body: body.to_vec() };
        idempotency::settle(&app.domain, &hold, &kept).await
    } else {
        idempotency::release(&app.domain, &hold).await
    };
    if let Err(error) = written {
        tracing::warn!(%error, "an answer could not be kept under its idempotency key");
    }
    response.set_body(Body::from(body));
    response
}

fn replay(kept: Kept) -> Response {
    let mut response = Response::builder()
        .status(StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK))
        .header("idempotency-replayed", "true")
        .body(Body::from(kept.body));
    for (name, value) in kept.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

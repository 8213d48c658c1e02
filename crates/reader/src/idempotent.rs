//! `Idempotency-Key` for POST requests: the first final response is stored and replayed. The extractor
//! charges the request and gives access to the reader, so an operation cannot skip the charge.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use articles::reader::idempotency::{self, IdempotencyLock, IdempotencyScope, KeyClaim, StoredResponse};
use articles::reader::read_jobs;
use bytes::Bytes;
use kernel::{Code, ReadJobId};
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Body, Request, RequestBody, Response};
use poem_openapi::registry::{MetaRequest, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value;

use super::body::{self, Payload, canonical};
use super::limits::{Cost, RateLimiter, prepared};
use super::negotiate::ResponseFormat;
use super::service::ReaderService;
use http_kit::problem::Problem;

/// Content headers that are replayed with the body.
static CONTENT_HEADERS: [HeaderName; 7] = [
    header::CONTENT_TYPE,
    header::CONTENT_LOCATION,
    header::ETAG,
    header::LINK,
    header::LOCATION,
    header::RETRY_AFTER,
    HeaderName::from_static("x-svc-total-tokens"),
];

/// Size limit of a stored body after compression, in bytes.
const MAX_STORED: usize = 1 << 20;
/// Size limit of a stored body before compression, in bytes: a replay has it in memory.
const MAX_BODY: usize = 8 << 20;

/// JSON body of a request that is executed once per key.
pub(super) struct Idempotent<T> {
    reader: Arc<ReaderService>,
    limiter: RateLimiter,
    key: Option<String>,
    path: String,
    request_id: String,
    body: Value,
    payload: PhantomData<T>,
}

impl<'a, T: Payload> ApiExtractor<'a> for Idempotent<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(body::description::<T>())
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let body = body::read(request, body).await?;
        let (reader, limiter) = prepared(request)?;
        Ok(Self {
            reader: Arc::clone(reader),
            limiter: limiter.clone(),
            key: key_of(request)?,
            path: request.uri().path().to_owned(),
            request_id: http_kit::http::request_id::of(request),
            body,
            payload: PhantomData,
        })
    }
}

impl<T: Payload> Idempotent<T> {
    /// Returns the format that the body names. `None` if it names no known format.
    pub(super) fn format(&self) -> Option<ResponseFormat> {
        self.body["format"].as_str().and_then(|word| word.parse().ok())
    }

    pub(super) fn request_id(&self) -> &str {
        &self.request_id
    }

    /// Returns the text that identifies the request under its key: path, body and format.
    fn request(&self, format: ResponseFormat) -> String {
        format!("{}\n{}\n{}", self.path, canonical(&self.body), format.as_str())
    }

    /// Returns the id of the job that this request creates, derived from its key. Returns `None` if no key
    /// was sent.
    ///
    /// # Errors
    /// If the database fails.
    pub(super) async fn job_id(&self, format: ResponseFormat) -> Result<Option<ReadJobId>, Problem> {
        let Some(key) = &self.key else { return Ok(None) };
        let request = self.request(format);
        let scope = IdempotencyScope { caller: self.limiter.network(), key, request: &request };
        Ok(Some(read_jobs::id_of(&self.reader.app.domain, scope).await?))
    }

    /// Charges the request and calls `make`, unless a response is stored under the caller's key. If the
    /// caller disconnects, the execution continues, so that a retry gets its response.
    ///
    /// # Errors
    /// If the key or the body is invalid, or a limit is exceeded. Without a key, errors of `make` are
    /// returned as well.
    pub(super) async fn run<F, M>(self, format: ResponseFormat, make: M) -> Result<Response, Problem>
    where
        F: Future<Output = Result<Response, Problem>> + Send + 'static,
        M: FnOnce(Arc<ReaderService>, T) -> F + Send + 'static,
    {
        let Some(key) = &self.key else {
            let payload: T = body::parse(&self.body)?;
            self.limiter.charge(payload.cost()).await?;
            return make(self.reader, payload).await;
        };
        let request = self.request(format);
        let scope = IdempotencyScope { caller: self.limiter.network(), key, request: &request };
        let domain = &self.reader.app.domain;
        if let Some(known) = idempotency::find(domain, scope).await? {
            self.limiter.charge(Cost::Replay).await?;
            return replay(known?).await;
        }
        let payload: Result<T, Problem> = body::parse(&self.body);
        let cost = payload.as_ref().map_or(Cost::Reads(1), T::cost);
        self.limiter.charge(cost).await?;
        let lock = match idempotency::claim(domain, scope).await? {
            KeyClaim::Stored(response) => return replay(response).await,
            KeyClaim::Acquired(lock) => lock,
        };
        let (reader, request_id, limiter) = (self.reader, self.request_id, self.limiter);
        let making = async move {
            let made = match payload {
                Ok(payload) => make(Arc::clone(&reader), payload).await,
                Err(problem) => Err(problem),
            };
            let response = made.unwrap_or_else(|problem| problem.render(reader.url(), &request_id));
            store(&reader, lock, response).await
        };
        let caller = limiter.caller();
        let made = tokio::spawn(kernel::caller::with(caller, limiter.scope(making)));
        made.await.map_err(|error| Problem::from(kernel::Error::internal(error)))
    }
}

/// Reads the idempotency key, with or without the quotes of a structured field. Returns `None` if no key was
/// sent.
fn key_of(request: &Request) -> Result<Option<String>, Problem> {
    let mut values = request.headers().get_all("idempotency-key").iter();
    let Some(value) = values.next() else { return Ok(None) };
    let wrong =
        || Problem::new(Code::InvalidIdempotencyKey, "The key must be 1 to 255 visible ASCII characters.");
    let text = value.to_str().map_err(|_| wrong())?.trim();
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let visible = bare.bytes().all(|byte| byte.is_ascii_graphic());
    if values.next().is_some() || bare.is_empty() || bare.len() > 255 || !visible {
        return Err(wrong());
    }
    Ok(Some(bare.to_owned()))
}

/// Stores a final response under its key. After any other response, and if it is too large or cannot be stored,
/// releases the key, so that a repeated request is executed again.
async fn store(reader: &ReaderService, lock: IdempotencyLock, mut response: Response) -> Response {
    let status = response.status();
    let is_final = status.is_success()
        || (status.is_client_error()
            && status != StatusCode::CONFLICT
            && status != StatusCode::TOO_MANY_REQUESTS);
    let body = response.take_body().into_bytes().await.unwrap_or_default();
    let domain = &reader.app.domain;
    let packed = if is_final { packed(body.clone()).await } else { Ok(None) };
    let written = match packed {
        Ok(Some(packed)) => {
            let headers = response.headers().iter().filter(|(name, _)| CONTENT_HEADERS.contains(name));
            let headers =
                headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
            let stored = StoredResponse { status: status.as_u16(), headers: headers.collect(), body: packed };
            idempotency::store_response(domain, &lock, &stored).await
        }
        Ok(None) => idempotency::release(domain, &lock).await,
        Err(error) => Err(error),
    };
    if let Err(error) = written {
        tracing::warn!(%error, "failed to store response under its idempotency key");
        if let Err(error) = idempotency::release(domain, &lock).await {
            tracing::warn!(%error, "failed to release an idempotency key");
        }
    }
    response.set_body(Body::from(body));
    response
}

/// Compresses a body. `None` if it is too large to be stored.
async fn packed(body: Bytes) -> kernel::Result<Option<Vec<u8>>> {
    if body.len() > MAX_BODY {
        return Ok(None);
    }
    let packed = idempotency::pack(body).await?;
    Ok((packed.len() <= MAX_STORED).then_some(packed))
}

/// Responds with a stored response, which is marked as replayed.
async fn replay(stored: StoredResponse) -> Result<Response, Problem> {
    let body = idempotency::unpack(stored.body).await?;
    let mut response = Response::builder()
        .status(StatusCode::from_u16(stored.status).unwrap_or(StatusCode::OK))
        .body(Body::from(body));
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    for (name, value) in stored.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn body_is_stored_if_it_is_small_after_compression() {
        let text = Bytes::from("Bread. ".repeat(MAX_STORED));
        assert!(text.len() > MAX_STORED && text.len() <= MAX_BODY);
        let stored = packed(text.clone()).await.unwrap().unwrap();
        assert!(idempotency::unpack(stored).await.unwrap() == text);
        let mut state = 1_u64;
        let noise = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_be_bytes()[0]
        };
        let noise: Vec<u8> = std::iter::repeat_with(noise).take(MAX_STORED + 1).collect();
        assert!(packed(noise.into()).await.unwrap().is_none(), "compression does not make it small enough");
        assert!(packed(Bytes::from(vec![b'x'; MAX_BODY])).await.unwrap().is_some());
        assert!(packed(Bytes::from(vec![b'x'; MAX_BODY + 1])).await.unwrap().is_none());
    }
}

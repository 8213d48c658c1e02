//! `Idempotency-Key` for POST requests: the first final response is stored and replayed. The extractor
//! charges the request and gives access to the reader, so an operation cannot skip the charge.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use articles::reader::idempotency::{self, IdempotencyLock, IdempotencyScope, KeyClaim, StoredResponse};
use articles::reader::read_jobs;
use kernel::{Code, ReadJobId};
use poem::http::{HeaderName, HeaderValue, StatusCode, header};
use poem::{Body, Request, RequestBody, Response};
use poem_openapi::registry::{MetaRequest, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value;

use super::body::{self, Payload, canonical};
use super::limits::{Cost, RateLimiter, prepared};
use super::negotiate::ResponseFormat;
use super::params::ReadParams;
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

/// Size limit of a stored body, in bytes. A larger response is rendered again from the stored text.
const MAX_STORED: usize = 1 << 20;
/// Maximum age of the text from which a replay is rendered, in seconds. Equal to the retention of a response.
const RETENTION_SECONDS: u32 = 86_400;

/// Execution of a request: the first execution, or a repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Execution {
    /// The request is executed for the first time.
    First,
    /// The request was executed before, but its response was too large to be stored.
    Repeat,
}

impl Execution {
    /// Returns the read parameters for this execution. A repetition accepts the stored text regardless of its
    /// age.
    pub(super) fn adjust(self, params: ReadParams) -> ReadParams {
        match self {
            Self::First => params,
            Self::Repeat => ReadParams { max_age: Some(RETENTION_SECONDS), ..params },
        }
    }
}

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
        M: FnOnce(Arc<ReaderService>, T, Execution) -> F + Send + 'static,
    {
        let Some(key) = &self.key else {
            let payload: T = body::parse(&self.body)?;
            self.limiter.charge(payload.cost()).await?;
            return make(self.reader, payload, Execution::First).await;
        };
        let request = self.request(format);
        let scope = IdempotencyScope { caller: self.limiter.network(), key, request: &request };
        let domain = &self.reader.app.domain;
        if let Some(known) = idempotency::find(domain, scope).await? {
            self.limiter.charge(Cost::Replay).await?;
            let known = known?;
            if known.body.is_some() {
                return Ok(replay(known));
            }
            let made = make(self.reader, body::parse(&self.body)?, Execution::Repeat).await?;
            return Ok(replayed(made));
        }
        let payload: Result<T, Problem> = body::parse(&self.body);
        let cost = payload.as_ref().map_or(Cost::Reads(1), T::cost);
        self.limiter.charge(cost).await?;
        let lock = match idempotency::claim(domain, scope).await? {
            KeyClaim::Stored(response) if response.body.is_some() => return Ok(replay(response)),
            // The response was stored between the lookup and the claim of the key. The request is already
            // charged, so it is executed again.
            KeyClaim::Stored(_) => return make(self.reader, payload?, Execution::Repeat).await.map(replayed),
            KeyClaim::Acquired(lock) => lock,
        };
        let (reader, request_id, limiter) = (self.reader, self.request_id, self.limiter);
        let making = async move {
            let made = match payload {
                Ok(payload) => make(Arc::clone(&reader), payload, Execution::First).await,
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

/// Stores a final response under its key, without the body if it is too large. After any other response,
/// releases the key.
async fn store(reader: &ReaderService, lock: IdempotencyLock, mut response: Response) -> Response {
    let status = response.status();
    let is_final = status.is_success()
        || (status.is_client_error()
            && status != StatusCode::CONFLICT
            && status != StatusCode::TOO_MANY_REQUESTS);
    let body = response.take_body().into_bytes().await.unwrap_or_default();
    let domain = &reader.app.domain;
    let written = if is_final {
        let headers = response.headers();
        let headers = headers.iter().filter(|(name, _)| CONTENT_HEADERS.contains(name));
        let headers =
            headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let stored_body = (body.len() <= MAX_STORED).then(|| body.to_vec());
        let stored =
            StoredResponse { status: status.as_u16(), headers: headers.collect(), body: stored_body };
        idempotency::store_response(domain, &lock, &stored).await
    } else {
        idempotency::release(domain, &lock).await
    };
    if let Err(error) = written {
        tracing::warn!(%error, "failed to store response under its idempotency key");
    }
    response.set_body(Body::from(body));
    response
}

/// Marks a response as replayed.
fn replayed(mut response: Response) -> Response {
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    response
}

fn replay(stored: StoredResponse) -> Response {
    let response = Response::builder()
        .status(StatusCode::from_u16(stored.status).unwrap_or(StatusCode::OK))
        .body(Body::from(stored.body.unwrap_or_default()));
    let mut response = replayed(response);
    for (name, value) in stored.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().append(name, value);
        }
    }
    response
}

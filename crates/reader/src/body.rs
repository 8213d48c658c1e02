//! JSON bodies of the reader: one object of at most 64 KiB that determines the cost of its request.

use std::sync::Arc;
use std::time::Duration;

use kernel::Code;
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value;

use super::limits::{Cost, prepared};
use super::service::ReaderService;
use http_kit::http::body::{self, BodyFault, JSON};
use http_kit::http::fault::Fault;
use http_kit::http::value::RequestValue;
use http_kit::problem::Problem;

/// Size limit of a body, in bytes.
const MAX_BODY: usize = 64 * 1024;
/// Time limit for receiving a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Body that determines the cost of its request.
pub(super) trait Payload: RequestValue + 'static {
    fn cost(&self) -> Cost;
}

/// Extractor that parses the body, charges its cost to the caller, and returns both the reader and the body.
pub(super) struct ChargedBody<T: Payload> {
    pub reader: Arc<ReaderService>,
    pub body: T,
}

impl<'a, T: Payload> ApiExtractor<'a> for ChargedBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(description::<T>())
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let (reader, limiter) = prepared(request)?;
        let body: T = parse(&read(request, body).await?)?;
        limiter.charge(body.cost()).await?;
        Ok(Self { reader: Arc::clone(reader), body })
    }
}

/// Builds the OpenAPI description of a body.
pub(super) fn description<T: Payload>() -> MetaRequest {
    let json = MetaMediaType { content_type: JSON, schema: T::schema() };
    MetaRequest { description: None, content: vec![json], required: true }
}

/// Reads the body of a request, which must be one JSON object.
///
/// # Errors
/// `unsupported_media_type`, `payload_too_large`, or `invalid_json` if the body is refused;
/// `capacity_exhausted` if the memory budget is used up.
pub(super) async fn read(request: &Request, body: &mut RequestBody) -> Result<Value, Problem> {
    let reading = body::read(request, body, &[JSON], MAX_BODY, |value| value, Ok);
    let read = tokio::time::timeout(BODY_TIMEOUT, reading).await;
    let read = read.map_err(|_| Problem::new(Code::InvalidJson, "The body took too long to arrive."))?;
    let (value, _) = read.map_err(|fault| match fault {
        BodyFault::ContentType(kind) => {
            Problem::new(Code::UnsupportedMediaType, format!("The content type `{kind}` is not supported."))
        }
        BodyFault::TooLarge(max_bytes) => {
            Problem::new(Code::PayloadTooLarge, format!("The body is larger than {max_bytes} bytes."))
        }
        BodyFault::Missing => Problem::new(Code::InvalidJson, "The body is missing."),
        BodyFault::Broken => Problem::new(Code::InvalidJson, "The body was not received completely."),
        BodyFault::MemoryExhausted => {
            Problem::new(Code::CapacityExhausted, "Too many large request bodies are being processed.")
        }
        BodyFault::Malformed(reason) => Problem::new(Code::InvalidJson, format!("Not JSON: {reason}.")),
        BodyFault::Field(fault) => Problem::new(Code::InvalidParameter, format!("{fault}.")),
    })?;
    if !value.is_object() {
        return Err(Problem::new(Code::InvalidJson, "The body must be a JSON object."));
    }
    Ok(value)
}

/// Parses a body.
///
/// # Errors
/// If a field is invalid. The problem has the code of that field.
pub(super) fn parse<T: RequestValue>(body: &Value) -> Result<T, Problem> {
    T::parse(body).map_err(|fault| Problem::new(code_of(&fault, body), format!("{fault}.")))
}

/// Returns the error code of a fault. A missing or empty URL, an invalid URL, and a batch with too few or too
/// many items have their own codes.
pub(super) fn code_of(fault: &Fault, body: &Value) -> Code {
    let sent = body.pointer(&fault.pointer);
    match (fault.pointer.as_str(), sent) {
        ("/url", None | Some(Value::Null)) => Code::MissingUrl,
        ("/url", Some(Value::String(url))) if url.is_empty() => Code::MissingUrl,
        ("/url", Some(_)) if fault.code == Code::InvalidUrl => Code::InvalidUrl,
        ("/requests", None | Some(Value::Null | Value::Array(_))) => Code::BatchSize,
        (_, None | Some(_)) => Code::InvalidParameter,
    }
}

/// Returns the value with sorted object keys, so that equal requests have the same text.
pub(super) fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(&String, &Value)> = map.iter().collect();
            pairs.sort_by_key(|(key, _)| key.as_str());
            Value::Object(pairs.into_iter().map(|(key, value)| (key.clone(), canonical(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

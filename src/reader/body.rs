//! JSON bodies of the reader: one object of at most 64 KiB, which says what its request costs.

use domain::Code;
use std::marker::PhantomData;
use std::sync::Arc;

use poem::error::ReadBodyError;
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value;

use super::Reader;
use super::limits::{Cost, prepared};
use crate::problem::Problem;

/// The largest body, in bytes.
const MAX_BODY: usize = 64 * 1024;

/// What a body holds, and what its request costs. The API description shows it as the type itself.
pub(super) trait Payload: Type + 'static {
    /// The body, parsed.
    type Parsed: Send + 'static;

    /// Parses the body.
    ///
    /// # Errors
    /// What is wrong with it.
    fn parse(body: &Value) -> Result<Self::Parsed, Problem>;

    /// What the request costs.
    fn cost(parsed: &Self::Parsed) -> Cost;
}

/// The reader, for an operation that was charged what its body costs; and the body.
pub(super) struct ChargedBody<T: Payload> {
    /// The reader.
    pub reader: Arc<Reader>,
    /// The body.
    pub body: T::Parsed,
    payload: PhantomData<T>,
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
        let body = T::parse(&read(request, body).await?)?;
        limiter.charge(T::cost(&body)).await?;
        Ok(Self { reader: Arc::clone(reader), body, payload: PhantomData })
    }
}

/// What the API description says of a body.
pub(super) fn description<T: Payload>() -> MetaRequest {
    let json = MetaMediaType { content_type: "application/json", schema: T::schema_ref() };
    MetaRequest { description: None, content: vec![json], required: true }
}

/// The body of a request, which must be one JSON object.
///
/// # Errors
/// `unsupported_media_type`, `payload_too_large` and `invalid_json`.
pub(super) async fn read(request: &Request, body: &mut RequestBody) -> Result<Value, Problem> {
    if let Some(kind) = request.content_type()
        && !is_json(kind)
    {
        return Err(Problem::new(Code::UnsupportedMediaType, format!("The body is `{}`.", clip(kind))));
    }
    let body = body.take().map_err(|_| Problem::new(Code::InvalidJson, "The body is missing."))?;
    let bytes = body.into_bytes_limit(MAX_BODY).await.map_err(|error| match error {
        ReadBodyError::PayloadTooLarge => {
            Problem::new(Code::PayloadTooLarge, format!("The body is larger than {MAX_BODY} bytes."))
        }
        _ => Problem::new(Code::InvalidJson, "The body could not be read to its end."),
    })?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Problem::new(Code::InvalidJson, format!("The body is not JSON: {error}.")))?;
    if !value.is_object() {
        return Err(Problem::new(Code::InvalidJson, "The body must be a JSON object."));
    }
    Ok(value)
}

fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn clip(text: &str) -> String {
    text.chars().take(80).collect()
}

/// A JSON value with the keys of all objects sorted: equal requests have one spelling.
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

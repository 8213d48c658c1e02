//! JSON bodies of the reader: one object of at most 64 KiB, described by `T` and taken apart by hand, so
//! that every fault has the contract's code and a pointer.

use std::marker::PhantomData;

use poem::error::ReadBodyError;
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::Value;

use crate::problem::Problem;

/// The largest body, in bytes.
const MAX_BODY: usize = 64 * 1024;

/// A JSON body that the API description shows as `T`.
#[derive(Debug, Clone)]
pub(super) struct JsonBody<T>(pub Value, PhantomData<T>);

impl<'a, T: Type> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let json = MetaMediaType { content_type: "application/json", schema: T::schema_ref() };
        Some(MetaRequest { description: None, content: vec![json], required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(read(request, body).await?, PhantomData))
    }
}

async fn read(request: &Request, body: &mut RequestBody) -> Result<Value, Problem> {
    if let Some(kind) = request.content_type()
        && !is_json(kind)
    {
        return Err(Problem::new("unsupported_media_type", format!("The body is `{}`.", clip(kind))));
    }
    let body = body.take().map_err(|_| Problem::new("invalid_json", "The body is missing."))?;
    let bytes = body.into_bytes_limit(MAX_BODY).await.map_err(|error| match error {
        ReadBodyError::PayloadTooLarge => {
            Problem::new("payload_too_large", format!("The body is larger than {MAX_BODY} bytes."))
        }
        _ => Problem::new("invalid_json", "The body could not be read to its end."),
    })?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Problem::new("invalid_json", format!("The body is not JSON: {error}.")))?;
    if !value.is_object() {
        return Err(Problem::new("invalid_json", "The body must be a JSON object."));
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

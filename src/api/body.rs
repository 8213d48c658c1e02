//! Request bodies of the Developer API: JSON, a form or a multipart form, all turned into one JSON object
//! that the operation takes apart. poem-openapi's own payloads differ by content type in what they check,
//! so none of them is used.

use domain::Code;
use std::marker::PhantomData;

use poem::error::ReadBodyError;
use poem::web::Multipart;
use poem::{Body, FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::{Map, Value};

use super::error::ApiError;

/// The content types that every operation with a body takes.
pub(crate) const CONTENT_TYPES: [&str; 3] =
    ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];
/// The largest body of most operations.
pub(crate) const MOST_BYTES: usize = 256 * 1024;
/// The most fields of a form.
const MOST_FIELDS: usize = 1000;

/// A body of at most `MOST` bytes that the API description shows as `T`.
pub(crate) struct Input<T, const MOST: usize = MOST_BYTES>(pub Value, PhantomData<T>);

impl<'a, T: Type, const MOST: usize> ApiExtractor<'a> for Input<T, MOST> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let media = |content_type| MetaMediaType { content_type, schema: T::schema_ref() };
        Some(MetaRequest { description: None, content: CONTENT_TYPES.map(media).into(), required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(read(request, body, MOST).await?, PhantomData))
    }
}

async fn read(request: &Request, body: &mut RequestBody, most: usize) -> Result<Value, ApiError> {
    let kind = request.content_type().unwrap_or(CONTENT_TYPES[0]);
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json =
        essence == CONTENT_TYPES[0] || (essence.starts_with("application/") && essence.ends_with("+json"));
    if !is_json && !CONTENT_TYPES[1..].contains(&essence.as_str()) {
        let sent: String = essence.chars().take(80).collect();
        return Err(wrong(
            "",
            &format!("a body of type `{sent}` is not taken; send application/json or a form"),
        ));
    }
    let bytes = body.take().map_err(|_| wrong("", "the body is missing"))?;
    let bytes = bytes.into_bytes_limit(most).await.map_err(|error| match error {
        ReadBodyError::PayloadTooLarge => wrong("", &format!("the body is larger than {most} bytes")),
        _ => wrong("", "the body could not be read to its end"),
    })?;
    match essence.as_str() {
        "application/x-www-form-urlencoded" => gather(form_pairs(&bytes)?),
        "multipart/form-data" => gather(parts(request, bytes).await?),
        _ => serde_json::from_slice(&bytes)
            .map_err(|error| wrong("", &format!("the body is not JSON: {error}"))),
    }
}

fn form_pairs(bytes: &[u8]) -> Result<Vec<(String, String)>, ApiError> {
    if std::str::from_utf8(bytes).is_err() {
        return Err(wrong("", "the form is not UTF-8"));
    }
    let pairs = url::form_urlencoded::parse(bytes).take(MOST_FIELDS + 1);
    Ok(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
}

async fn parts(request: &Request, bytes: bytes::Bytes) -> Result<Vec<(String, String)>, ApiError> {
    let broken = |_| wrong("", "the multipart form cannot be read");
    let mut body = RequestBody::new(Body::from_bytes(bytes));
    let mut form = <Multipart as FromRequest>::from_request(request, &mut body)
        .await
        .map_err(|_| wrong("", "the multipart form cannot be read"))?;
    let mut pairs = Vec::new();
    while let Some(part) = form.next_field().await.map_err(broken)? {
        let name = part.name().unwrap_or_default().to_owned();
        if part.file_name().is_some() {
            return Err(wrong(&name, "must be a plain field, not a file"));
        }
        let text = part.text().await.map_err(|_| wrong(&name, "must be UTF-8 text"))?;
        pairs.push((name, text));
        if pairs.len() > MOST_FIELDS {
            break;
        }
    }
    Ok(pairs)
}

/// Pairs as an object. A name that comes more than once holds a list.
fn gather(pairs: Vec<(String, String)>) -> Result<Value, ApiError> {
    if pairs.len() > MOST_FIELDS {
        return Err(wrong("", "the form has too many fields"));
    }
    let mut object = Map::new();
    for (name, value) in pairs {
        let value = Value::String(value);
        match object.get_mut(&name) {
            None => {
                object.insert(name, value);
            }
            Some(Value::Array(values)) => values.push(value),
            Some(first) => *first = Value::Array(vec![first.take(), value]),
        }
    }
    Ok(object.into())
}

fn wrong(name: &str, reason: &str) -> ApiError {
    let name: String = name.chars().take(64).collect();
    ApiError::malformed(
        Code::InvalidRequest,
        "The request body cannot be used.",
        format!("/{name}: {reason}"),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_repeated_name_is_a_list() {
        let pairs = form_pairs(b"a=1&tags=x&tags=y&tags=z+%26").unwrap();
        assert_eq!(gather(pairs).unwrap(), json!({"a": "1", "tags": ["x", "y", "z &"]}));
    }

    #[test]
    fn a_form_has_an_end() {
        let long = "a=1&".repeat(MOST_FIELDS + 1);
        assert!(gather(form_pairs(long.as_bytes()).unwrap()).is_err());
    }
}

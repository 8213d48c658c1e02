//! Request bodies: JSON, forms, and multipart forms, converted to one JSON value, which the body's type
//! parses. The payload types of poem-openapi validate differently per content type, so they are not used.

use std::marker::PhantomData;
use std::time::Duration;

use poem::web::Multipart;
use poem::{Body as RawBody, FromRequest, Request, RequestBody};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncReadExt};

pub use super::body_fault::BodyFault;
use super::body_memory::{BodyMemory, BodyPermit, SMALL_BYTES};
use super::fault::Fault;
use super::json;
use super::query;
use super::request::escaped;
use super::value::RequestValue;

/// `application/json`.
pub const JSON: &str = "application/json";
/// `application/x-www-form-urlencoded`.
pub const FORM: &str = "application/x-www-form-urlencoded";
/// `multipart/form-data`.
pub const MULTIPART: &str = "multipart/form-data";
/// Maximum time for a body to arrive. Meanwhile, its reserved memory is unavailable to other requests.
const RECEIVE_TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum time for reading a body that is discarded.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of fields in a form.
pub const MAX_FORM_FIELDS: usize = 1000;

/// Rules of a surface for request bodies, and its error for refused bodies.
pub trait BodyRules: Send + Sync + 'static {
    /// Accepted content types, out of [`JSON`], [`FORM`] and [`MULTIPART`].
    const CONTENT_TYPES: &'static [&'static str];
    /// Maximum size of a body, in bytes.
    const MAX_BYTES: usize;
    type Error: Into<poem::Error>;

    /// Converts the fault of a refused body to the surface's error.
    fn refuse(fault: BodyFault) -> Self::Error;
}

/// Parsed body, described as `T` in the API description. The memory of a large body is reserved until this is
/// dropped.
#[derive(Debug)]
pub struct DescribedBody<T, R>(
    pub T,
    #[expect(dead_code, reason = "releases the reserved memory on drop")] BodyPermit,
    PhantomData<R>,
);

impl<'a, T: RequestValue + 'static, R: BodyRules> ApiExtractor<'a> for DescribedBody<T, R> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let media = |content_type: &&'static str| MetaMediaType { content_type, schema: T::schema() };
        let content = R::CONTENT_TYPES.iter().map(media).collect();
        Some(MetaRequest { description: None, content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let parse = |value: Value| T::parse(&value).map_err(BodyFault::Field);
        let parsed = read(request, body, R::CONTENT_TYPES, R::MAX_BYTES, T::of_form, parse).await;
        let (parsed, permit) = parsed.map_err(|fault| R::refuse(fault).into())?;
        Ok(Self(parsed, permit, PhantomData))
    }
}

/// Reads the body of a request as a JSON value, converts it with `parse`, and returns the result with the
/// permit for its memory. A form becomes an object that `of_form` converts to JSON values.
pub async fn read<T: Send + 'static>(
    request: &Request,
    body: &mut RequestBody,
    content_types: &[&str],
    most_bytes: usize,
    of_form: fn(Value) -> Value,
    parse: impl FnOnce(Value) -> Result<T, BodyFault> + Send + 'static,
) -> Result<(T, BodyPermit), BodyFault> {
    let kind = essence(request.content_type().unwrap_or(JSON));
    let kind = if kind.starts_with("application/") && kind.ends_with("+json") { JSON } else { kind.as_str() };
    if !content_types.contains(&kind) {
        return Err(BodyFault::ContentType(kind.chars().take(80).collect()));
    }
    let (bytes, mut permit) = bytes_of(request, body, most_bytes).await?;
    if ![FORM, MULTIPART].contains(&kind) {
        return json::parse(bytes, permit, |text| {
            let value = serde_json::from_slice(text);
            parse(value.map_err(|error| BodyFault::Malformed(format!("the body is not JSON: {error}")))?)
        })
        .await;
    }
    if bytes.len() > SMALL_BYTES && !permit.try_grow(2 * bytes.len()) {
        return Err(BodyFault::MemoryExhausted);
    }
    let pairs = if kind == FORM { form_pairs(&bytes)? } else { parts(request, bytes).await? };
    Ok((parse(of_form(object_of(pairs)?))?, permit))
}

/// Returns the content type without parameters, in lower case.
pub fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Reads a body of at most `max_bytes` bytes, and reserves memory for it.
///
/// # Errors
/// If the body is missing, too large, incomplete, or too slow, or if the memory budget is used up.
pub async fn bytes_of(
    request: &Request,
    body: &mut RequestBody,
    max_bytes: usize,
) -> Result<(bytes::Bytes, BodyPermit), BodyFault> {
    let mut reader = body.take().map_err(|_| BodyFault::Missing)?.into_async_read();
    let Some(permit) = BodyMemory::reserve(request, max_bytes) else {
        discard(reader, max_bytes).await;
        return Err(BodyFault::MemoryExhausted);
    };
    // The declared length is reserved. A buffer that doubles while it grows would take up to three times as much.
    let declared = request.header("content-length").and_then(|length| length.parse::<usize>().ok());
    let mut bytes = Vec::with_capacity(declared.unwrap_or_default().min(max_bytes) + 1);
    let one_more = max_bytes as u64 + 1;
    let read =
        tokio::time::timeout(RECEIVE_TIMEOUT, (&mut reader).take(one_more).read_to_end(&mut bytes)).await;
    read.map_err(|_| BodyFault::Broken)?.map_err(|_| BodyFault::Broken)?;
    if bytes.len() > max_bytes {
        drop((bytes, permit));
        discard(reader, max_bytes).await;
        return Err(BodyFault::TooLarge(max_bytes));
    }
    Ok((bytes.into(), permit))
}

/// Reads and discards up to `max_bytes` further bytes. If the connection were closed while the client is
/// still sending, the client might see a connection error instead of the response.
pub async fn discard(rest: impl AsyncRead + Unpin, max_bytes: usize) {
    let mut rest = rest.take(max_bytes as u64);
    let _gone =
        tokio::time::timeout(DISCARD_TIMEOUT, tokio::io::copy(&mut rest, &mut tokio::io::sink())).await;
}

/// Parses `bytes` as the multipart form of the request.
pub async fn multipart(request: &Request, bytes: bytes::Bytes) -> Result<Multipart, BodyFault> {
    let mut body = RequestBody::new(RawBody::from_bytes(bytes));
    let form = <Multipart as FromRequest>::from_request(request, &mut body).await;
    form.map_err(|_| broken_form())
}

/// Returns the fault of an incomplete multipart form.
pub fn broken_form() -> BodyFault {
    BodyFault::Malformed("the multipart form cannot be read".to_owned())
}

fn form_pairs(bytes: &[u8]) -> Result<Vec<(String, String)>, BodyFault> {
    if std::str::from_utf8(bytes).is_err() {
        return Err(BodyFault::Malformed("the form is not UTF-8".to_owned()));
    }
    query::decoded_pairs(bytes, MAX_FORM_FIELDS + 1)
        .map_err(|name| BodyFault::Field(Fault::new("must be UTF-8 text").under(escaped(&name))))
}

async fn parts(request: &Request, bytes: bytes::Bytes) -> Result<Vec<(String, String)>, BodyFault> {
    let mut form = multipart(request, bytes).await?;
    let mut pairs = Vec::new();
    while let Some(part) = form.next_field().await.map_err(|_| broken_form())? {
        let name = part.name().unwrap_or_default().to_owned();
        let wrong = |reason: &str| BodyFault::Field(Fault::new(reason).under(escaped(&name)));
        if part.file_name().is_some() {
            return Err(wrong("must be a text field, not a file"));
        }
        let text = part.text().await.map_err(|_| wrong("must be UTF-8 text"))?;
        pairs.push((name, text));
        if pairs.len() > MAX_FORM_FIELDS {
            break;
        }
    }
    Ok(pairs)
}

/// Converts pairs to an object. The values of a repeated name become a list.
fn object_of(pairs: Vec<(String, String)>) -> Result<Value, BodyFault> {
    if pairs.len() > MAX_FORM_FIELDS {
        return Err(BodyFault::Malformed("the form has too many fields".to_owned()));
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn repeated_form_name_becomes_list() {
        let pairs = form_pairs(b"a=1&tags=x&tags=y&tags=z+%26").unwrap();
        assert_eq!(object_of(pairs).unwrap(), json!({"a": "1", "tags": ["x", "y", "z &"]}));
    }

    #[tokio::test]
    async fn body_of_declared_length_is_read_into_one_buffer() {
        const LENGTH: usize = 1_000_000;
        let request = Request::builder().header("content-length", LENGTH.to_string());
        let (request, mut body) = request.body(vec![b'x'; LENGTH]).split();
        let (bytes, _permit) = bytes_of(&request, &mut body, 2 * LENGTH).await.unwrap();
        assert_eq!(bytes.len(), LENGTH);
        assert!(Vec::<u8>::from(bytes).capacity() < LENGTH + 64, "the buffer did not double");
    }

    #[test]
    fn form_field_that_is_not_utf_8_is_rejected() {
        assert!(form_pairs(b"query=caf%C3%A9&url=b").is_ok());
        let fault = Fault::new("must be UTF-8 text").under("url");
        assert_eq!(form_pairs(b"query=a&url=caf%e9"), Err(BodyFault::Field(fault)));
    }

    #[test]
    fn form_with_too_many_fields_is_rejected() {
        let long = "a=1&".repeat(MAX_FORM_FIELDS + 1);
        assert!(object_of(form_pairs(long.as_bytes()).unwrap()).is_err());
    }
}

//! Responses with an OpenAPI description: a handler returns a finished response, and a type parameter
//! supplies the description. Each operation declares its description next to its handler.

use std::marker::PhantomData;

use bytes::Bytes;
use futures_util::stream;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, Registry};
use poem_openapi::types::{ToJSON, Type};
use serde_json::Value;

use super::fixture::example;
use super::schema::ReadResult;
use http_kit::http::openapi_type::inline;
use http_kit::problem::{Problem, ProblemBody};

/// Response with the description `D` in the OpenAPI document.
pub(super) struct Described<D>(Response, PhantomData<D>);

impl<D> From<Response> for Described<D> {
    fn from(response: Response) -> Self {
        Self(response, PhantomData)
    }
}

impl<D: Send> IntoResponse for Described<D> {
    fn into_response(self) -> Response {
        self.0
    }
}

/// Return type of an operation.
pub(super) type Answered<D> = Result<Described<D>, Problem>;

/// Description of a response.
pub(super) trait Describe {
    /// Status and description of the success response.
    const GOOD: (u16, &'static str);
    const PROBLEMS: &'static [u16];

    /// Returns the media types of the success response.
    fn content() -> Vec<MetaMediaType>;

    /// Returns the name and description of each additional header of the success response.
    fn headers() -> Vec<(&'static str, &'static str)>;

    fn register(registry: &mut Registry);
}

impl<D: Describe> ApiResponse for Described<D> {
    fn meta() -> MetaResponses {
        let header = |name: &str, description: &str| MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: false,
            deprecated: false,
            schema: inline(MetaSchema::new("string")),
        };
        let mut responses = vec![MetaResponse {
            description: D::GOOD.1,
            status: Some(D::GOOD.0),
            status_range: None,
            content: D::content(),
            headers: D::headers().into_iter().map(|(name, about)| header(name, about)).collect(),
        }];
        responses.extend(D::PROBLEMS.iter().map(|status| MetaResponse {
            description: description_of(*status),
            status: Some(*status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "application/problem+json",
                schema: ProblemBody::schema_ref(),
            }],
            headers: match status {
                429 | 503 => vec![header("Retry-After", "Seconds after which a retry may succeed.")],
                405 => vec![header("Allow", "Methods that this path supports.")],
                _ => Vec::new(),
            },
        }));
        MetaResponses { responses }
    }

    fn register(registry: &mut Registry) {
        ProblemBody::register(registry);
        D::register(registry);
    }
}

pub(super) fn json_response(status: StatusCode, body: &impl ToJSON) -> Response {
    json_body(status, Body::from_string(body.to_json_string()))
}

/// Builds a JSON response from pieces of serialized JSON, which are not copied.
pub(super) fn json_pieces(status: StatusCode, pieces: Vec<Bytes>) -> Response {
    let pieces = stream::iter(pieces.into_iter().map(Ok::<_, std::io::Error>));
    json_body(status, Body::from_bytes_stream(pieces))
}

fn json_body(status: StatusCode, body: Body) -> Response {
    let mut response = Response::builder().status(status).body(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn description_of(status: u16) -> &'static str {
    match status {
        400 => "The request is invalid; `code` and `detail` say why.",
        404 => "Not found.",
        405 => "The path does not support this method.",
        409 => "Conflict with an idempotency key, or with a cursor whose text is no longer stored.",
        413 => "The body is larger than 64 KiB.",
        415 => "The body is not JSON.",
        422 => "The source cannot be read. A retry will not help.",
        429 => "A limit of this network is exhausted.",
        502 => "The source failed. A retry may help.",
        503 => "The service is busy or unavailable. Retry later.",
        504 => "The read did not finish in time.",
        _ => "A problem.",
    }
}

/// Builds a media type with a text body.
fn text(content_type: &'static str, example: Option<String>) -> MetaMediaType {
    let example = example.map(Value::from);
    let schema = MetaSchema { example, ..MetaSchema::new("string") };
    MetaMediaType { content_type, schema: inline(schema) }
}

/// Builds the JSON media type with the schema of `T`.
pub(super) fn json<T: Type>() -> MetaMediaType {
    MetaMediaType { content_type: "application/json", schema: T::schema_ref() }
}

/// Returns all media types of a read.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method path is not general enough over lifetimes"
)]
pub(super) fn read_forms() -> Vec<MetaMediaType> {
    vec![
        json::<ReadResult>(),
        text("text/plain", Some(example(|reading| reading.text()))),
        text("text/markdown", Some(example(|reading| reading.markdown()))),
        text("text/html", None),
    ]
}

/// Headers of a read.
pub(super) const READ_HEADERS: &[(&str, &str)] = &[
    ("ETag", "Validator; changes with the text, the selection and the format."),
    ("Link", "URLs of the source (`canonical`) and of the next page (`next`)."),
    ("Content-Location", "Canonical API URL of this read."),
    ("X-Svc-Total-Tokens", "`o200k_base` tokens in the complete text."),
];

/// Declares a response: its status, the statuses of its problems, its media types, headers and schemas.
macro_rules! describe {
    ($(#[$about:meta])* $name:ident, $good:expr, [$($problem:literal),*], $content:expr, $headers:expr, [$($schema:ty),*]) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(super) struct $name;

        impl super::described::Describe for $name {
            const GOOD: (u16, &'static str) = $good;
            const PROBLEMS: &'static [u16] = &[$($problem),*];

            fn content() -> Vec<poem_openapi::registry::MetaMediaType> {
                $content
            }

            fn headers() -> Vec<(&'static str, &'static str)> {
                $headers.to_vec()
            }

            fn register(registry: &mut poem_openapi::registry::Registry) {
                $(<$schema as poem_openapi::types::Type>::register(registry);)*
            }
        }
    };
}

pub(super) use describe;

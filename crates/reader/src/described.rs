//! Responses with their description: what a handler returns is a finished response, and the type beside it
//! says what the API description shows of it. Each operation declares its own beside its handler.

use std::marker::PhantomData;

use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{
    MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::types::{ToJSON, Type};
use serde_json::Value;

use super::fixture::example;
use super::schema::ReadResult;
use http_kit::problem::{Problem, ProblemBody};

/// A response of which the API description says what `D` says.
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

/// What an operation returns.
pub(super) type Answered<D> = Result<Described<D>, Problem>;

/// The description of a response.
pub(super) trait Describe {
    /// The status and description of the good answer.
    const GOOD: (u16, &'static str);
    /// Statuses of problems.
    const PROBLEMS: &'static [u16];

    /// The forms of the good answer.
    fn content() -> Vec<MetaMediaType>;

    /// Headers of the good answer beyond those of every answer: name and description.
    fn headers() -> Vec<(&'static str, &'static str)>;

    /// Registers the schemas.
    fn register(registry: &mut Registry);
}

impl<D: Describe> ApiResponse for Described<D> {
    fn meta() -> MetaResponses {
        let header = |name: &str, description: &str| MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: false,
            deprecated: false,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
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
                429 | 503 => vec![header("Retry-After", "Seconds until a retry may help.")],
                405 => vec![header("Allow", "The methods this path answers.")],
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

/// A JSON response.
pub(super) fn json_response(status: StatusCode, body: &impl ToJSON) -> Response {
    json_bytes(status, body.to_json_string().into_bytes())
}

/// A response of bytes that are JSON.
pub(super) fn json_bytes(status: StatusCode, body: Vec<u8>) -> Response {
    let mut response = Response::builder().status(status).body(Body::from_vec(body));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn description_of(status: u16) -> &'static str {
    match status {
        400 => "The request is wrong; `code` and `detail` say how.",
        404 => "Not found.",
        405 => "The path does not answer this method.",
        409 => "A conflict with an idempotency key, or a cursor of a text that is no longer kept.",
        413 => "The body is larger than 64 KiB.",
        415 => "The body is not JSON.",
        422 => "The source cannot be read; a retry will not help.",
        429 => "A limit of this network is used up.",
        502 => "The source failed; a retry may help.",
        503 => "The service is busy or unavailable; retry later.",
        504 => "The read did not finish in time.",
        _ => "A problem.",
    }
}

/// A form that is text.
fn text(content_type: &'static str, example: Option<String>) -> MetaMediaType {
    let example = example.map(Value::from);
    let schema = MetaSchema { example, ..MetaSchema::new("string") };
    MetaMediaType { content_type, schema: MetaSchemaRef::Inline(Box::new(schema)) }
}

/// The JSON form.
pub(super) fn json<T: Type>() -> MetaMediaType {
    MetaMediaType { content_type: "application/json", schema: T::schema_ref() }
}

/// All forms of a read.
#[expect(clippy::redundant_closure_for_method_calls, reason = "the path of the method is not general enough")]
pub(super) fn read_forms() -> Vec<MetaMediaType> {
    vec![
        json::<ReadResult>(),
        text("text/plain", Some(example(|reading| reading.text()))),
        text("text/markdown", Some(example(|reading| reading.markdown()))),
        text("text/html", None),
    ]
}

/// The headers of a read.
pub(super) const READ_HEADERS: &[(&str, &str)] = &[
    ("ETag", "Changes with the text, the selection and the form."),
    ("Link", "The source (`canonical`) and the next page (`next`)."),
    ("Content-Location", "The canonical API form of this read."),
    ("X-Svc-Total-Tokens", "Tokens of the whole text."),
];

/// Declares a response: its status, the statuses of its problems, its forms, its headers and their schemas.
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

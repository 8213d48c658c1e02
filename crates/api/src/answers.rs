//! Answers that several operations give, and the errors that an operation names in its type.

use poem::http::StatusCode;
use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::{ToJSON, Type};

use super::error::{ApiError, ErrorBody};
use http_kit::http::conditional::etag_of;
use http_kit::problem::ProblemBody;

/// Done.
#[derive(ApiResponse)]
pub(super) enum NoContent {
    /// Done.
    #[oai(status = 204)]
    Done,
}

/// One object, with the validator of its present state; `surface` answers 304 to whoever has it already.
#[derive(ApiResponse)]
pub(super) enum Single<T: ToJSON> {
    /// The object.
    #[oai(status = 200)]
    Ok(
        Json<T>,
        /// Changes with the object.
        #[oai(header = "ETag")]
        String,
    ),
}

impl<T: ToJSON> Single<T> {
    /// The answer with `object`.
    pub(super) fn of(object: T) -> Self {
        let etag = etag_of(object.to_json_string().as_bytes());
        Self::Ok(Json(object), etag)
    }

    /// The answer with an object of a library: its validator is its place in the log, however much of it is shown.
    pub(super) fn at(object: T, sequence: i64) -> Self {
        Self::Ok(Json(object), version_of(sequence))
    }
}

/// The validator of an object with this place in the log of its library.
pub(super) fn version_of(sequence: i64) -> String {
    format!("\"{sequence}\"")
}

/// The errors of one operation, by their statuses. What [`super::authorize::Authorized`] refuses and 503 are
/// described for every operation and are not named here.
#[derive(Debug)]
pub(super) struct Errors<
    const A: u16,
    const B: u16 = 0,
    const C: u16 = 0,
    const D: u16 = 0,
    const E: u16 = 0,
    const F: u16 = 0,
>(ApiError);

impl<
    const A: u16,
    const B: u16,
    const C: u16,
    const D: u16,
    const E: u16,
    const F: u16,
    Cause: Into<ApiError>,
> From<Cause> for Errors<A, B, C, D, E, F>
{
    fn from(error: Cause) -> Self {
        Self(error.into())
    }
}

impl<const A: u16, const B: u16, const C: u16, const D: u16, const E: u16, const F: u16>
    From<Errors<A, B, C, D, E, F>> for poem::Error
{
    fn from(error: Errors<A, B, C, D, E, F>) -> Self {
        error.0.into()
    }
}

/// The statuses and the bodies: `document` adds headers and examples, which are the same everywhere.
impl<const A: u16, const B: u16, const C: u16, const D: u16, const E: u16, const F: u16> ApiResponse
    for Errors<A, B, C, D, E, F>
{
    fn meta() -> MetaResponses {
        let media = |content_type, schema| MetaMediaType { content_type, schema };
        let response = |status: u16| MetaResponse {
            description: "",
            status: Some(status),
            status_range: None,
            content: vec![
                media("application/json", ErrorBody::schema_ref()),
                media("application/problem+json", ProblemBody::schema_ref()),
            ],
            headers: Vec::new(),
        };
        let statuses = [A, B, C, D, E, F].into_iter().filter(|status| StatusCode::from_u16(*status).is_ok());
        MetaResponses { responses: statuses.map(response).collect() }
    }

    fn register(registry: &mut Registry) {
        ApiError::register(registry);
    }
}

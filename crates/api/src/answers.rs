//! Responses shared by several operations, and the error statuses that an operation declares in its return
//! type.

use poem::http::StatusCode;
use poem_openapi::ApiResponse;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::{ToJSON, Type};

use super::error::{ApiError, ErrorBody};
use http_kit::http::conditional::etag_of;
use http_kit::problem::ProblemBody;

#[derive(ApiResponse)]
pub(super) enum NoContent {
    /// Success without content.
    #[oai(status = 204)]
    Done,
}

/// A single object with its `ETag`. If the caller already has this version, `surface` replaces the response
/// with a 304.
#[derive(ApiResponse)]
pub(super) enum Single<T: ToJSON> {
    /// The object.
    #[oai(status = 200)]
    Ok(
        Json<T>,
        /// Validator of the object; changes whenever the object changes.
        #[oai(header = "ETag")]
        String,
    ),
}

impl<T: ToJSON> Single<T> {
    /// Builds a response with an `ETag` computed from the serialized object.
    pub(super) fn of(object: T) -> Self {
        let etag = etag_of(object.to_json_string().as_bytes());
        Self::Ok(Json(object), etag)
    }

    /// Builds the response for a library object. Its `ETag` is the object's sequence number in the library
    /// log, so it does not depend on which fields are included.
    pub(super) fn versioned(object: T, sequence: i64) -> Self {
        Self::Ok(Json(object), version_of(sequence))
    }
}

/// Returns the `ETag` of a library object with this sequence number in the library log.
pub(super) fn version_of(sequence: i64) -> String {
    format!("\"{sequence}\"")
}

/// Error statuses of one operation. The statuses with which [`super::authorize::Authorized`] refuses
/// requests, and 503, are documented for every operation and are not listed here.
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

/// Declares statuses and bodies; `document` adds the headers and examples, which all operations share.
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

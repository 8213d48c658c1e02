//! Answers that several operations give, and the errors that an operation names in its type.

use poem::http::StatusCode;
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};

use super::error::ApiError;

/// Done.
#[derive(ApiResponse)]
pub(super) enum NoContent {
    /// Done.
    #[oai(status = 204)]
    Done,
}

/// The errors of one operation, by their statuses. What [`super::authorize::Authorized`] refuses and 503 are
/// described for every operation and are not named here.
#[derive(Debug)]
pub(super) struct Errors<const A: u16, const B: u16 = 0, const C: u16 = 0>(ApiError);

impl<const A: u16, const B: u16, const C: u16, E: Into<ApiError>> From<E> for Errors<A, B, C> {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl<const A: u16, const B: u16, const C: u16> From<Errors<A, B, C>> for poem::Error {
    fn from(error: Errors<A, B, C>) -> Self {
        error.0.into()
    }
}

/// The statuses alone: `document` adds headers, content and an example, which are the same everywhere.
impl<const A: u16, const B: u16, const C: u16> ApiResponse for Errors<A, B, C> {
    fn meta() -> MetaResponses {
        let response = |status: u16| MetaResponse {
            description: "",
            status: Some(status),
            status_range: None,
            content: Vec::new(),
            headers: Vec::new(),
        };
        let statuses = [A, B, C].into_iter().filter(|status| StatusCode::from_u16(*status).is_ok());
        MetaResponses { responses: statuses.map(response).collect() }
    }

    fn register(_registry: &mut Registry) {}
}

//! Every request has an id: made here, logged with the request, told in `X-Request-Id`.

use poem::Request;

/// The id of a request.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// The id of `request`; empty before the id was given.
pub fn of(request: &Request) -> String {
    request.data::<RequestId>().map(|id| id.0.clone()).unwrap_or_default()
}

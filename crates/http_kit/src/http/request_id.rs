//! Request ids: assigned here, logged with the request, and returned in `X-Request-Id`.

use poem::Request;

#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Id of `request`. Empty before it was assigned.
pub fn of(request: &Request) -> String {
    request.data::<RequestId>().map(|id| id.0.clone()).unwrap_or_default()
}

//! Request ids: assigned to each request, logged with it, and returned in `X-Request-Id`.

use poem::Request;

#[derive(Debug, Clone)]
pub struct RequestId(pub String);

/// Returns the id of `request`. Empty if no id was assigned yet.
pub fn of(request: &Request) -> String {
    request.data::<RequestId>().map(|id| id.0.clone()).unwrap_or_default()
}

//! Query and result of a read: the parameters with the negotiated format, and the rendered content.

use bytes::Bytes;
use poem::http::HeaderMap;
use poem::{Body, Response};

use super::negotiate::ResponseFormat;
use super::params::ReadParams;
use http_kit::http::conditional::not_modified_or;

/// Read with its negotiated format.
#[derive(Debug, Clone)]
pub(super) struct ReadQuery {
    pub request: ReadParams,
    /// Format of the response.
    pub format: ResponseFormat,
}

/// Content of a successful read.
#[derive(Debug, Clone)]
pub(super) struct RenderedPage {
    pub format: ResponseFormat,
    pub body: Bytes,
    /// Content headers, including `ETag` and `Link`.
    pub headers: HeaderMap,
}

impl RenderedPage {
    /// Converts the page to a response, or to a 304 if the list `validators` contains its `ETag`.
    pub(super) fn respond(self, validators: Option<&str>) -> Response {
        let mut response = Response::builder().body(Body::from(self.body));
        *response.headers_mut() = self.headers;
        not_modified_or(response, validators)
    }
}

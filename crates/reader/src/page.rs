//! A read before and after: what is asked for in which form, and the content that answers it.

use bytes::Bytes;
use poem::http::HeaderMap;
use poem::{Body, Response};

use super::negotiate::Format;
use super::params::ReadParams;
use http_kit::http::conditional::unless_known;

/// A read whose form is settled.
#[derive(Debug, Clone)]
pub(super) struct ReadQuery {
    /// What is to be read.
    pub request: ReadParams,
    /// The form of the response.
    pub format: Format,
}

/// The content of a successful read.
#[derive(Debug, Clone)]
pub(super) struct Page {
    /// The form it is in.
    pub format: Format,
    /// The body.
    pub body: Bytes,
    /// Content headers, `ETag` and `Link` among them.
    pub headers: HeaderMap,
}

impl Page {
    /// The page as a response: 304 when the caller has it already.
    pub(super) fn respond(self, known: Option<&str>) -> Response {
        let mut response = Response::builder().body(Body::from(self.body));
        *response.headers_mut() = self.headers;
        unless_known(response, known)
    }
}

//! Errors of the public reader: problem details (RFC 9457) with a stable code and a concrete resolution.
//!
//! Handlers return a [`Problem`]. It is rendered only in `reader::surface`, which knows the request id and
//! the reader's address.

mod body;
mod catalogue;
mod group;

use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::types::ToJSON;

use kernel::{Class, Code, Error};

pub use body::ProblemBody;
pub use catalogue::ProblemEntry;
pub use group::ErrorGroup;

/// Problem type that the IETF defines for an exhausted quota (draft-ietf-httpapi-ratelimit-headers-10).
const QUOTA_EXCEEDED: &str = "https://iana.org/assignments/http-problem-types#quota-exceeded";

/// Problem that is not yet rendered for a caller.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{detail}")]
pub struct Problem {
    /// Code, title, and resolution from the catalogue.
    pub entry: ProblemEntry,
    /// HTTP status.
    pub status: u16,
    /// Explanation for this request.
    pub detail: String,
    /// Seconds after which a retry may succeed.
    pub retry_after: Option<u32>,
    /// Names of the exceeded limits, for 429.
    pub violated: Vec<&'static str>,
    /// Methods that the path supports, for the `Allow` header of a 405.
    pub allow: Option<&'static str>,
}

impl Problem {
    /// Creates a problem from the catalogue with a detail for this request.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let (entry, status) = ErrorGroup::Reader.entry(code);
        let retry_after = entry.retry_after;
        Self { entry, status, detail: detail.into(), retry_after, violated: Vec::new(), allow: None }
    }

    /// Creates the problem of an invalid parameter or field.
    pub fn parameter(name: &str, reason: impl std::fmt::Display) -> Self {
        Self::new(Code::InvalidParameter, format!("`{name}`: {reason}."))
    }

    /// Creates the problem of a parameter that is not UTF-8, because its decoded value would be another URL or text.
    pub fn undecodable_parameter(name: &str) -> Self {
        if name == "url" {
            let detail = "The URL is not UTF-8. Percent-encode the whole URL, so that `%` becomes `%25`.";
            return Self::new(Code::InvalidUrl, detail);
        }
        Self::parameter(name, "must be percent-encoded UTF-8")
    }

    /// Returns the body of the problem, as a response or as an item of a batch.
    pub fn body(&self, reader_url: &str, request_id: &str) -> ProblemBody {
        let kind = if self.status == 429 { QUOTA_EXCEEDED.to_owned() } else { self.type_url(reader_url) };
        let violated = self.violated.iter().map(|name| (*name).to_owned()).collect();
        ProblemBody {
            kind,
            title: self.entry.title.to_owned(),
            status: self.status,
            detail: self.detail.clone(),
            code: self.entry.code.to_string(),
            resolution: self.entry.resolution.to_owned(),
            retry_after: self.retry_after,
            violated_policies: (!self.violated.is_empty()).then_some(violated),
            details: None,
            request_id: (!request_id.is_empty()).then(|| request_id.to_owned()),
        }
    }

    /// Renders the problem as a response.
    pub fn render(&self, reader_url: &str, request_id: &str) -> Response {
        let body = self.body(reader_url, request_id).to_json_string();
        let mut response = body.with_content_type("application/problem+json").into_response();
        response.set_status(StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        let headers = response.headers_mut();
        if let Some(retry_after) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
        }
        if let Some(allow) = self.allow {
            headers.insert(header::ALLOW, HeaderValue::from_static(allow));
        }
        response
    }

    fn type_url(&self, reader_url: &str) -> String {
        format!("{reader_url}/problems/{}", self.entry.code)
    }
}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = if error.class() == Class::Internal {
            tracing::error!(error = error.report(), "read failed with an internal error");
            "The reader cannot answer at the moment. Retry later.".to_owned()
        } else {
            error.message
        };
        let problem = Self::new(error.code, detail);
        Self { retry_after: error.retry_after.or(problem.retry_after), ..problem }
    }
}

/// Empty, because each operation lists its own problems.
impl ApiResponse for Problem {
    fn meta() -> MetaResponses {
        MetaResponses { responses: Vec::new() }
    }

    fn register(_registry: &mut Registry) {}
}

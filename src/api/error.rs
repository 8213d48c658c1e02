//! The Developer API's errors: `{error, code, retryAfter?, details?}`, or problem details (RFC 9457) when
//! the caller asks for them. Handlers return an [`ApiError`]; `surface` is the one place that renders it.

use domain::Error;
use domain::caller::Scope;
use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponses, Registry};
use serde_json::{Map, Value, json};

use crate::http::fields::Fault;

/// One error, before it is dressed for a caller.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// What kind of error; with the surface it decides the status.
    pub kind: Kind,
    /// Stable word.
    pub code: &'static str,
    /// Sentence for people.
    pub message: String,
    /// Whole seconds until a retry may help.
    pub retry_after: Option<u32>,
    /// Pointer and reason, or `limit=… used=…`.
    pub details: Option<String>,
    /// The scope that the operation needs, for the challenge.
    pub scope: Option<Scope>,
    /// The methods that the path answers, for a 405.
    pub allow: Option<String>,
}

/// What a status is made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request fails its schema: 400 for article operations, 422 for all others.
    Malformed,
    /// Any other status.
    Status(u16),
}

impl ApiError {
    /// An error of a fixed status.
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind: Kind::Status(status),
            code,
            message: message.into(),
            retry_after: None,
            details: None,
            scope: None,
            allow: None,
        }
    }

    /// A request that fails its schema.
    pub fn malformed(code: &'static str, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self { kind: Kind::Malformed, details: Some(details.into()), ..Self::new(400, code, message) }
    }

    /// The same error for an operation that needs `scope`.
    #[must_use]
    pub fn needing(self, scope: Scope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// The status under `path`.
    pub fn status_at(&self, path: &str) -> StatusCode {
        let status = match self.kind {
            Kind::Malformed if path.starts_with("/v1/articles/") => 400,
            Kind::Malformed => 422,
            Kind::Status(status) => status,
        };
        StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE)
    }

    /// Renders the error as an answer of its own.
    pub fn render(&self, at: &At<'_>) -> Response {
        let status = self.status_at(at.path);
        let (kind, body) = match at.form {
            Form::Plain => ("application/json", self.plain()),
            Form::Problem => ("application/problem+json", self.problem(status, at)),
        };
        let mut response = Response::builder().status(status).body(Body::from_string(body.to_string()));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow.as_deref().and_then(|allow| HeaderValue::from_str(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        if let Some(challenge) = self.challenge(status, at.base_url) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    fn plain(&self) -> Value {
        let mut body = Map::new();
        body.insert("error".into(), self.message.clone().into());
        body.insert("code".into(), self.code.into());
        if let Some(seconds) = self.retry_after {
            body.insert("retryAfter".into(), seconds.into());
        }
        if let Some(details) = &self.details {
            body.insert("details".into(), details.clone().into());
        }
        body.into()
    }

    fn problem(&self, status: StatusCode, at: &At<'_>) -> Value {
        let mut body = json!({
            "type": format!("{}/docs#{}", at.base_url, self.code),
            "title": status.canonical_reason().unwrap_or("Error"),
            "status": status.as_u16(),
            "detail": self.message,
            "code": self.code,
            "resolution": resolution(status),
            "request_id": at.request_id,
        });
        if let Some(seconds) = self.retry_after {
            body["retry_after"] = seconds.into();
        }
        if let Some(details) = &self.details {
            body["details"] = details.clone().into();
        }
        body
    }

    /// RFC 6750 and 9728: where to find out how to get a credential, and what was wrong with this one.
    fn challenge(&self, status: StatusCode, base_url: &str) -> Option<HeaderValue> {
        let scope = self.scope.unwrap_or(Scope::Read).as_str();
        let error = match (status.as_u16(), self.code) {
            (401, "missing_credential") => "",
            (401, _) => "error=\"invalid_token\", ",
            (403, "insufficient_scope") => "error=\"insufficient_scope\", ",
            _ => return None,
        };
        let metadata = format!("{base_url}/.well-known/oauth-protected-resource");
        let line =
            format!("Bearer realm=\"carrel\", {error}resource_metadata=\"{metadata}\", scope=\"{scope}\"");
        HeaderValue::from_str(&line).ok()
    }
}

/// Where an error is told.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    /// The request's path.
    pub path: &'a str,
    /// The form that the caller wants.
    pub form: Form,
    /// The Developer API's own address.
    pub base_url: &'a str,
    /// The request's id.
    pub request_id: &'a str,
}

/// The two forms of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `{error, code, …}`.
    Plain,
    /// Problem details.
    Problem,
}

fn resolution(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 | 405 => "Change the request as `details` says.",
        401 => "Send a valid API key or access token.",
        403 => "Use a credential, or a plan, that allows this.",
        404 => "Check the id: it may be deleted, or another account's.",
        409 => "Read the present state and decide again.",
        410 => "Start again without the cursor.",
        422 => "Change the request, or give up on this source.",
        429 => "Wait as long as `retry_after` says.",
        502 => "The source misbehaved; try again later.",
        _ => "Wait as long as `retry_after` says, then try again.",
    }
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let (code, message, retry_after) = (error.code(), error.to_string(), error.retry_after());
        let base = Self { retry_after, ..Self::new(503, code, message) };
        let status = |status| Kind::Status(status);
        match error {
            Error::NotFound { .. } => Self { kind: status(404), ..base },
            Error::Invalid { details, code, .. } => {
                let (kind, code) = match code {
                    "credential_in_url" => (Kind::Malformed, "invalid_url"),
                    "invalid_request" | "invalid_url" | "url_not_allowed" => (Kind::Malformed, code),
                    code => (status(422), code),
                };
                Self { kind, code, details, ..base }
            }
            Error::Unauthenticated { .. } => Self { kind: status(401), ..base },
            Error::Forbidden { details, .. } => Self { kind: status(403), details, ..base },
            Error::Conflict { .. } => Self { kind: status(409), ..base },
            Error::Gone { .. } => Self { kind: status(410), ..base },
            Error::Limited { details, .. } => Self { kind: status(429), details, ..base },
            Error::Unreadable { .. } => Self { kind: status(422), ..base },
            Error::Source { .. } => Self { kind: status(502), ..base },
            Error::Unavailable { code, .. } => {
                // The reader's word for a deadline is not one of this surface.
                let code = if code == "read_timeout" { "service_unavailable" } else { code };
                Self { code, ..base }
            }
            Error::Internal(cause) => {
                tracing::error!(%cause, "an operation failed inside");
                Self {
                    message: "The service cannot answer at the moment.".into(),
                    retry_after: Some(5),
                    ..base
                }
            }
        }
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::malformed("invalid_request", "The request is not as it should be.", fault.to_string())
    }
}

impl ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.status_at("")
    }
}

/// The document lists each operation's errors itself; see `document`.
impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        MetaResponses { responses: Vec::new() }
    }

    fn register(_registry: &mut Registry) {}
}

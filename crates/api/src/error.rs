//! Errors of the Developer API: `{error, code, retryAfter?, details?}`, or problem details (RFC 9457) if the
//! caller asks for them. Handlers return an [`ApiError`]; only `surface` renders it.

use kernel::{Class, Code, Detail, Error, Scope, Used};
use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, Response};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::types::{ToJSON, Type};
use poem_openapi::{ApiResponse, Object};

use http_kit::http::fault::Fault;
use http_kit::http::request::camel_case;
use http_kit::problem::{ErrorGroup, ProblemBody, ProblemEntry};
use http_kit::protected_resource::ProtectedResource;

/// Error message with a stable code.
#[derive(Debug, Clone, Object)]
#[oai(rename = "Error", rename_all = "camelCase")]
pub struct ErrorBody {
    /// Human-readable message.
    pub error: String,
    /// Stable, machine-readable code.
    pub code: String,
    /// Whole seconds after which a retry may succeed; equal to `Retry-After`. Omitted if unknown.
    #[oai(skip_serializing_if_is_none)]
    pub retry_after: Option<u32>,
    /// JSON pointer and reason, or the limit and its usage. Omitted if there is nothing to add.
    #[oai(skip_serializing_if_is_none)]
    pub details: Option<String>,
}

impl ErrorBody {
    /// Fields that are omitted instead of being null.
    pub(super) const SKIPPED: (&'static str, &'static [&'static str]) = ("Error", &["retryAfter", "details"]);
}

/// Error of an operation, before it is rendered.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Machine-readable code, which this surface documents.
    pub code: Code,
    pub message: String,
    /// Group of the operation, which determines the status.
    pub group: ErrorGroup,
    /// Whole seconds after which a retry may succeed.
    pub retry_after: Option<u32>,
    /// JSON pointer and reason, or `limit=… used=…`.
    pub details: Option<String>,
    /// Scope required by the operation, for `WWW-Authenticate`.
    pub scope: Option<Scope>,
    /// Methods that the path supports, for the `Allow` header of a 405.
    pub allow: Option<String>,
    /// Value of `Content-Range` with the file size, for a 416.
    pub content_range: Option<String>,
}

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let group = ErrorGroup::Developer;
        let code = group.entry(code).0.code;
        Self {
            code,
            message: message.into(),
            group,
            retry_after: None,
            details: None,
            scope: None,
            allow: None,
            content_range: None,
        }
    }

    /// Creates the error of a request that does not match its schema.
    pub fn malformed(code: Code, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self { details: Some(details.into()), ..Self::new(code, message) }
    }

    /// Adds the scope that the operation needs.
    #[must_use]
    pub fn with_scope(self, scope: Scope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// Assigns the error to `group`.
    #[must_use]
    pub fn in_group(self, group: ErrorGroup) -> Self {
        Self { group, ..self }
    }

    /// Returns true if the caller could not be identified.
    pub fn is_unauthenticated(&self) -> bool {
        self.code.class() == Class::Unauthenticated
    }

    fn entry(&self) -> (ProblemEntry, StatusCode) {
        let (entry, status) = self.group.entry(self.code);
        (entry, StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE))
    }

    /// Renders the error as a response.
    pub fn render(&self, at: &RenderContext<'_>) -> Response {
        let (_, status) = self.entry();
        let (kind, body) = match at.form {
            ErrorForm::Plain => ("application/json", self.plain().to_json_string()),
            ErrorForm::Problem => ("application/problem+json", self.problem(at).to_json_string()),
        };
        let mut response = Response::builder().status(status).body(Body::from_string(body));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow.as_deref().and_then(|allow| HeaderValue::from_str(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        if let Some(range) = self.content_range.as_deref().and_then(|range| HeaderValue::from_str(range).ok())
        {
            headers.insert(header::CONTENT_RANGE, range);
        }
        let metadata = ProtectedResource::api().metadata_address(at.base_url);
        if let Some(challenge) = self.challenge(&metadata) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    /// Returns the JSON body in the default form.
    pub fn plain(&self) -> ErrorBody {
        ErrorBody {
            error: self.message.clone(),
            code: self.code.to_string(),
            retry_after: self.retry_after,
            details: self.details.clone(),
        }
    }

    /// Returns the JSON body in the problem details form.
    pub(super) fn problem(&self, at: &RenderContext<'_>) -> ProblemBody {
        let (entry, status) = self.entry();
        ProblemBody {
            kind: format!("{}/docs/developer#{}", at.base_url, self.code),
            title: entry.title.to_owned(),
            status: status.as_u16(),
            detail: self.message.clone(),
            code: self.code.to_string(),
            resolution: entry.resolution.to_owned(),
            retry_after: self.retry_after,
            violated_policies: None,
            details: self.details.clone(),
            request_id: Some(at.request_id.to_owned()),
        }
    }

    /// Returns the `WWW-Authenticate` challenge (RFC 6750, RFC 9728) with the URL of the resource metadata
    /// and the error of the credential. `None` if the status needs no challenge.
    pub fn challenge(&self, metadata: &str) -> Option<HeaderValue> {
        // Callers without a credential are asked for the smallest scope; larger scopes are requested where
        // needed.
        let (error, scope) = match (self.entry().1.as_u16(), self.code) {
            (401, Code::MissingCredential) => ("", Scope::Read),
            (401, _) => ("error=\"invalid_token\", ", Scope::Read),
            (403, Code::InsufficientScope) => {
                ("error=\"insufficient_scope\", ", self.scope.unwrap_or(Scope::Read))
            }
            _ => return None,
        };
        let scope = scope.as_str();
        let line =
            format!("Bearer realm=\"carrel\", {error}resource_metadata=\"{metadata}\", scope=\"{scope}\"");
        HeaderValue::from_str(&line).ok()
    }
}

/// Request-specific values for rendering an error.
#[derive(Debug, Clone, Copy)]
pub struct RenderContext<'a> {
    /// Error form that the caller asked for.
    pub form: ErrorForm,
    /// Base URL of the Developer API.
    pub base_url: &'a str,
    pub request_id: &'a str,
}

/// Form of an error response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// `{error, code, …}`.
    Plain,
    /// Problem details (RFC 9457).
    Problem,
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        if error.class() == Class::Internal {
            tracing::error!(error = error.report(), "operation failed");
        }
        let details = error.detail.as_ref().map(details_of);
        let api_error = Self::new(error.code, error.message);
        let retry_after = error.retry_after.or(api_error.entry().0.retry_after);
        Self { retry_after, details, ..api_error }
    }
}

/// Formats details in the notation of this surface.
fn details_of(detail: &Detail) -> String {
    match detail {
        Detail::Field(field) => format!("{}: {}", field.path.pointer(camel_case), field.reason),
        Detail::Limit(Used { limit, used, policy: None }) => format!("limit={limit} used={used}"),
        Detail::Limit(Used { limit, used, policy: Some(policy) }) => {
            format!("limit={limit} used={used} policy={policy}")
        }
        Detail::Item(id) => format!("item={id}"),
        Detail::Scope(scope) => format!("scope={}", scope.as_str()),
        Detail::Cursor { cursor, total_blocks } => format!("cursor={cursor} totalBlocks={total_blocks}"),
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> Self {
        Self::malformed(fault.code, "The request is invalid.", fault.to_string())
    }
}

impl ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.entry().1
    }
}

/// Registers schemas only, because `document` lists the errors of each operation.
impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        MetaResponses { responses: Vec::new() }
    }

    fn register(registry: &mut Registry) {
        ErrorBody::register(registry);
        ProblemBody::register(registry);
    }
}

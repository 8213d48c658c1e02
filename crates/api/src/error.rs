//! The Developer API's errors: `{error, code, retryAfter?, details?}`, or problem details (RFC 9457) when
//! the caller asks for them. Handlers return an [`ApiError`]; `surface` is the one place that renders it.

use kernel::{Class, Code, Detail, Error, Scope, Used};
use poem::error::ResponseError;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, Response};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::types::{ToJSON, Type};
use poem_openapi::{ApiResponse, Object};

use http_kit::http::fault::Fault;
use http_kit::http::request::camel_case;
use http_kit::problem::{Entry, ErrorGroup, ProblemBody};
use http_kit::protected_resource::ProtectedResource;

/// What went wrong, in words and as a stable code.
#[derive(Debug, Clone, Object)]
#[oai(rename = "Error", rename_all = "camelCase")]
pub struct ErrorBody {
    /// Human-readable message.
    pub error: String,
    /// Machine-readable code.
    pub code: String,
    /// Whole seconds until a retry may help; equal to `Retry-After`.
    #[oai(skip_serializing_if_is_none)]
    pub retry_after: Option<u32>,
    /// Pointer and reason, or the limit and how much of it is used.
    #[oai(skip_serializing_if_is_none)]
    pub details: Option<String>,
}

impl ErrorBody {
    /// Fields that are left out when there is nothing to say.
    pub(super) const SKIPPED: (&'static str, &'static [&'static str]) = ("Error", &["retryAfter", "details"]);
}

/// One error, before it is rendered for a caller.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// Machine-readable code, one of this surface's.
    pub code: Code,
    /// Human-readable message.
    pub message: String,
    /// The group of the operation, which decides the status.
    pub group: ErrorGroup,
    /// Whole seconds until a retry may help.
    pub retry_after: Option<u32>,
    /// Pointer and reason, or `limit=… used=…`.
    pub details: Option<String>,
    /// The scope that the operation needs, for the challenge.
    pub scope: Option<Scope>,
    /// The methods that the path answers, for a 405.
    pub allow: Option<String>,
    /// How long the file is whose bytes were asked for, for a 416.
    pub content_range: Option<String>,
}

impl ApiError {
    /// An error with its code and its message.
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

    /// A request that fails its schema.
    pub fn malformed(code: Code, message: impl Into<String>, details: impl Into<String>) -> Self {
        Self { details: Some(details.into()), ..Self::new(code, message) }
    }

    /// The same error for an operation that needs `scope`.
    #[must_use]
    pub fn needing(self, scope: Scope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// The same error as the operations of `group` answer it.
    #[must_use]
    pub fn in_group(self, group: ErrorGroup) -> Self {
        Self { group, ..self }
    }

    /// Whether nobody known asks.
    pub fn is_unauthenticated(&self) -> bool {
        self.code.class() == Class::Unauthenticated
    }

    fn entry(&self) -> (Entry, StatusCode) {
        let (entry, status) = self.group.entry(self.code);
        (entry, StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE))
    }

    /// Renders the error as an answer of its own.
    pub fn render(&self, at: &At<'_>) -> Response {
        let (_, status) = self.entry();
        let (kind, body) = match at.form {
            Form::Plain => ("application/json", self.plain().to_json_string()),
            Form::Problem => ("application/problem+json", self.problem(at).to_json_string()),
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

    /// The body that callers get unless they ask for problem details.
    pub fn plain(&self) -> ErrorBody {
        ErrorBody {
            error: self.message.clone(),
            code: self.code.to_string(),
            retry_after: self.retry_after,
            details: self.details.clone(),
        }
    }

    /// The body that callers get who ask for problem details.
    pub(super) fn problem(&self, at: &At<'_>) -> ProblemBody {
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

    /// RFC 6750 and 9728: where to find out how to get a credential (the address of the resource's metadata), and what
    /// was wrong with this one.
    pub fn challenge(&self, metadata: &str) -> Option<HeaderValue> {
        // Whoever comes anew is asked for the least; more is asked for where it is needed.
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

/// Where an error is rendered.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
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

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        if error.class() == Class::Internal {
            tracing::error!(error = error.report(), "an operation failed inside");
        }
        let details = error.detail.as_ref().map(details_of);
        let shown = Self::new(error.code, error.message);
        let retry_after = error.retry_after.or(shown.entry().0.retry_after);
        Self { retry_after, details, ..shown }
    }
}

/// What exactly is wrong, in this surface's spelling.
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
        Self::malformed(fault.code, "The request is not as it should be.", fault.to_string())
    }
}

impl ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.entry().1
    }
}

/// The document lists each operation's errors itself; see `document`.
impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        MetaResponses { responses: Vec::new() }
    }

    fn register(registry: &mut Registry) {
        ErrorBody::register(registry);
        ProblemBody::register(registry);
    }
}

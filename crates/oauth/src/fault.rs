//! Errors of the authorization server, in the format of RFC 6749, section 5.2.

use identity::oauth::{OAuthCode, OAuthError};
use kernel::Class;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use serde_json::json;

/// Error response.
#[derive(Debug)]
pub(super) struct OAuthRefusal {
    error: OAuthError,
    status: StatusCode,
    basic: Option<HeaderValue>,
}

impl From<OAuthError> for OAuthRefusal {
    fn from(error: OAuthError) -> Self {
        let status = status_of(&error);
        Self { error, status, basic: None }
    }
}

impl From<kernel::Error> for OAuthRefusal {
    fn from(error: kernel::Error) -> Self {
        OAuthError::from(error).into()
    }
}

impl OAuthRefusal {
    pub(super) fn malformed(description: &'static str) -> Self {
        OAuthError::new(OAuthCode::InvalidRequest, description).into()
    }

    /// Adds a `Basic` challenge, for clients that used `Basic` (RFC 6749, section 5.2).
    pub(super) fn with_basic(mut self) -> Self {
        if self.status == StatusCode::UNAUTHORIZED {
            self.basic = Some(HeaderValue::from_static("Basic realm=\"carrel\""));
        }
        self
    }

    /// Returns true if the error is the client's fault, not the server's.
    pub(super) fn is_client_fault(&self) -> bool {
        self.error.code != OAuthCode::TemporarilyUnavailable
    }

    pub(super) fn render(&self) -> Response {
        if let Some(source) = self.error.source.as_ref().filter(|source| source.class() == Class::Internal) {
            tracing::error!(error = source.report(), "OAuth endpoint failed");
        }
        let body = json!({"error": self.error.code.as_str(), "error_description": self.error.description});
        let mut response = json_answer(self.status, &body);
        let headers = response.headers_mut();
        if let Some(seconds) = self.error.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(challenge) = &self.basic {
            headers.insert(header::WWW_AUTHENTICATE, challenge.clone());
        }
        response
    }
}

fn status_of(error: &OAuthError) -> StatusCode {
    match error.code {
        OAuthCode::InvalidClient => StatusCode::UNAUTHORIZED,
        OAuthCode::TemporarilyUnavailable => match error.source.as_ref().map(kernel::Error::class) {
            Some(Class::Limited) => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        },
        OAuthCode::InvalidRequest
        | OAuthCode::InvalidGrant
        | OAuthCode::UnsupportedGrantType
        | OAuthCode::UnsupportedResponseType
        | OAuthCode::InvalidScope
        | OAuthCode::InvalidTarget
        | OAuthCode::AccessDenied
        | OAuthCode::InteractionRequired
        | OAuthCode::RequestNotSupported
        | OAuthCode::RequestUriNotSupported
        | OAuthCode::InvalidRedirectUri
        | OAuthCode::InvalidClientMetadata => StatusCode::BAD_REQUEST,
    }
}

/// Builds a JSON response that must not be cached.
pub(super) fn json_answer(status: StatusCode, body: &serde_json::Value) -> Response {
    body.to_string()
        .with_content_type("application/json")
        .with_header(header::CACHE_CONTROL, "no-store")
        .with_header(header::PRAGMA, "no-cache")
        .with_status(status)
        .into_response()
}

//! Errors of the OAuth endpoints, with the codes that the specifications define.

use kernel::Error;

/// An OAuth error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthCode {
    /// RFC 6749, 4.1.2.1 and 5.2.
    InvalidRequest,
    /// RFC 6749, 5.2: the app is unknown or its authentication failed.
    InvalidClient,
    /// RFC 6749, 5.2: the code or refresh token is invalid.
    InvalidGrant,
    /// RFC 6749, 5.2.
    UnsupportedGrantType,
    /// RFC 6749, 4.1.2.1.
    UnsupportedResponseType,
    /// RFC 6749, 4.1.2.1 and 5.2.
    InvalidScope,
    /// RFC 8707, 2.
    InvalidTarget,
    /// RFC 6749, 4.1.2.1: the person refused.
    AccessDenied,
    /// `OpenID` Connect Core, 3.1.2.6: the person would have to be prompted.
    InteractionRequired,
    /// `OpenID` Connect Core, 3.1.2.6.
    RequestNotSupported,
    /// `OpenID` Connect Core, 3.1.2.6.
    RequestUriNotSupported,
    /// RFC 7591, 3.2.2.
    InvalidRedirectUri,
    /// RFC 7591, 3.2.2.
    InvalidClientMetadata,
    /// RFC 6749, 4.1.2.1: temporary, and not the app's fault.
    TemporarilyUnavailable,
}

impl OAuthCode {
    /// Code in responses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AccessDenied => "access_denied",
            Self::InteractionRequired => "interaction_required",
            Self::RequestNotSupported => "request_not_supported",
            Self::RequestUriNotSupported => "request_uri_not_supported",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::TemporarilyUnavailable => "temporarily_unavailable",
        }
    }
}

/// Error response of an OAuth endpoint. The description is ASCII and contains neither quotes nor data of the
/// request.
#[derive(Debug, thiserror::Error)]
#[error("{}: {description}", code.as_str())]
pub struct OAuthError {
    pub code: OAuthCode,
    /// A sentence for the app's developer.
    pub description: &'static str,
    /// Whole seconds until a retry may succeed, if known.
    pub retry_after: Option<u32>,
    /// Cause, for the log only.
    pub source: Option<Error>,
}

impl OAuthError {
    pub const fn new(code: OAuthCode, description: &'static str) -> Self {
        Self { code, description, retry_after: None, source: None }
    }

    /// Error for every invalid code or refresh token. It does not contain the reason, which would only help
    /// attackers.
    pub(super) const fn invalid_grant() -> Self {
        Self::new(OAuthCode::InvalidGrant, "The code or refresh token is not valid for this client.")
    }
}

/// An error that is not the app's fault is never reported as an error of the app, because apps discard their
/// credentials after such errors.
impl From<Error> for OAuthError {
    fn from(error: Error) -> Self {
        let description = "The service is temporarily unavailable. Try again.";
        let retry_after = error.retry_after.or(Some(5));
        Self { code: OAuthCode::TemporarilyUnavailable, description, retry_after, source: Some(error) }
    }
}

impl From<sea_orm::DbErr> for OAuthError {
    fn from(error: sea_orm::DbErr) -> Self {
        Error::from(error).into()
    }
}

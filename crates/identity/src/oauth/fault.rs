//! The errors of OAuth's own endpoints, in the words of its specifications.

use kernel::error::Error;

/// An error code of OAuth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OAuthCode {
    /// RFC 6749, 4.1.2.1 and 5.2.
    InvalidRequest,
    /// RFC 6749, 5.2: the app is not known, or did not prove itself.
    InvalidClient,
    /// RFC 6749, 5.2: the code or refresh token does not hold.
    InvalidGrant,
    /// RFC 6749, 5.2.
    UnsupportedGrantType,
    /// RFC 6749, 4.1.2.1.
    UnsupportedResponseType,
    /// RFC 6749, 4.1.2.1 and 5.2.
    InvalidScope,
    /// RFC 8707, 2.
    InvalidTarget,
    /// RFC 6749, 4.1.2.1: the person said no.
    AccessDenied,
    /// `OpenID` Connect Core, 3.1.2.6: the person would have to be asked.
    InteractionRequired,
    /// `OpenID` Connect Core, 3.1.2.6.
    RequestNotSupported,
    /// `OpenID` Connect Core, 3.1.2.6.
    RequestUriNotSupported,
    /// RFC 7591, 3.2.2.
    InvalidRedirectUri,
    /// RFC 7591, 3.2.2.
    InvalidClientMetadata,
    /// RFC 6749, 4.1.2.1: not the app's fault, and passing.
    TemporarilyUnavailable,
}

impl OAuthCode {
    /// The code as apps know it.
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

/// Why an OAuth endpoint refuses. The description is ASCII, holds no quotes, and nothing that was sent.
#[derive(Debug, thiserror::Error)]
#[error("{}: {description}", code.as_str())]
pub struct OAuthError {
    /// The code.
    pub code: OAuthCode,
    /// A sentence for whoever writes the app.
    pub description: &'static str,
    /// Whole seconds until a retry may help, where that is known.
    pub retry_after: Option<u32>,
    /// What made this happen, for the log alone.
    pub source: Option<Error>,
}

impl OAuthError {
    /// An error with its sentence.
    pub const fn new(code: OAuthCode, description: &'static str) -> Self {
        Self { code, description, retry_after: None, source: None }
    }

    /// What is said of every code and refresh token that does not hold: which of the reasons it is helps nobody honest.
    pub(super) const fn void() -> Self {
        Self::new(OAuthCode::InvalidGrant, "The code or refresh token is not valid for this client.")
    }
}

/// What is not the app's fault is never told as its fault: apps throw their credentials away for less.
impl From<Error> for OAuthError {
    fn from(error: Error) -> Self {
        let description = "The service cannot answer at the moment. Try again.";
        let retry_after = error.retry_after.or(Some(5));
        Self { code: OAuthCode::TemporarilyUnavailable, description, retry_after, source: Some(error) }
    }
}

impl From<sea_orm::DbErr> for OAuthError {
    fn from(error: sea_orm::DbErr) -> Self {
        Error::from(error).into()
    }
}

//! Errors of fetches. They map one to one to the API's error codes.
//!
//! Messages are written for the person who sent the URL: they never repeat a library's message about an
//! internal address. [`Error::source_answered`] decides whether a failure costs a credit.

use std::path::PathBuf;
use std::time::Duration;

use crate::url_check::UrlError;

/// Reason of [`Error::Tls`] if the server does not use TLS at this port.
pub const NO_TLS: &str = "the server did not answer with TLS";

/// Error of a fetch.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The URL is invalid: it is not an absolute http(s) URL, contains user info or an API key of this
    /// service, or is too long.
    #[error("{0}")]
    InvalidUrl(UrlError),
    /// The URL, one of its redirects, or one of its addresses is not public, or belongs to this service.
    #[error("this address may not be fetched: {reason}")]
    NotAllowed {
        /// Violated rule.
        reason: &'static str,
    },
    /// The source answered 404 or 410.
    #[error("the source has no page at this address")]
    NotFound {
        /// True for 410, which is final at the first response, unlike 404.
        gone: bool,
    },
    /// The source answered 403, 451, or 999.
    #[error("the source refused access (status {status})")]
    Forbidden { status: u16 },
    /// The source answered 401.
    #[error("the source requires a login")]
    LoginRequired,
    /// The source answered 402.
    #[error("the source requires payment")]
    Paywalled,
    /// The source's robots.txt excludes this path for the crawler of this service (RFC 9309).
    #[error("the source's robots.txt excludes this page")]
    RobotsDisallowed,
    /// The source sent another kind of content than requested, for example audio or images instead of a page.
    #[error("the source sent {content_type}, which contains no text")]
    UnsupportedContent {
        /// Media type, at most 100 characters.
        content_type: String,
    },
    /// The body exceeded the cap, counted after decompression.
    #[error("the source sent more than {limit_bytes} bytes")]
    TooLarge {
        /// Exceeded cap, in bytes.
        limit_bytes: usize,
    },
    /// More redirects than allowed, or a redirect back to a visited URL.
    #[error("the source redirects too many times")]
    TooManyRedirects,
    /// The name has no addresses, the source cannot be connected to, or the connection broke before a
    /// response.
    #[error("the source cannot be reached: {reason}")]
    Unreachable {
        /// Failed step.
        reason: &'static str,
    },
    /// The proxy of the request cannot be reached, or refuses to connect to the source.
    #[error("the proxy {name} failed: {reason}")]
    Proxy {
        name: String,
        /// Failed step.
        reason: &'static str,
    },
    /// The operator offers no proxy of this name.
    #[error("the proxy {name} is not offered by this service")]
    UnknownProxy { name: String },
    /// The name lookup, the connection setup, a pause between bytes, or the whole fetch took too long.
    #[error("the source took too long: {reason}")]
    Timeout {
        /// Exceeded limit.
        reason: &'static str,
        /// True if the source had started to respond.
        answered: bool,
    },
    /// The TLS handshake or the certificate failed.
    #[error("secure connection to the source failed: {reason}")]
    Tls {
        /// Reason given by the TLS library, at most 200 characters.
        reason: String,
    },
    /// The source answered with a status that has no variant of its own, such as a 5xx or another 4xx.
    #[error("the source answered with status {status}")]
    Status {
        status: u16,
        /// `Retry-After` of the response.
        retry_after: Option<Duration>,
    },
    /// The source answered 429, or a pause that it requested earlier has not ended.
    #[error("the source limits the rate of requests")]
    RateLimited {
        /// Delay until the next attempt.
        retry_after: Option<Duration>,
    },
    /// Invalid HTTP, an invalid or unsupported encoding, or an incomplete body.
    #[error("the source's response is invalid: {reason}")]
    InvalidResponse {
        /// Cause of the error.
        reason: &'static str,
    },
    /// Too many requests of this process are waiting for this host or for memory.
    #[error("too many requests are waiting for this host")]
    Busy {
        /// Delay until the next attempt.
        retry_after: Duration,
    },
}

impl Error {
    /// Label of this error in metrics and logs. Not visible to callers.
    pub fn label(&self) -> &'static str {
        match self {
            Self::InvalidUrl(_) => "invalid_url",
            Self::NotAllowed { .. } => "url_not_allowed",
            Self::NotFound { .. } => "source_not_found",
            Self::Forbidden { .. } => "source_forbidden",
            Self::LoginRequired => "login_required",
            Self::Paywalled => "paywalled",
            Self::RobotsDisallowed => "robots_disallowed",
            Self::UnsupportedContent { .. } => "unsupported_content",
            Self::TooLarge { .. } => "content_too_large",
            Self::TooManyRedirects => "too_many_redirects",
            Self::Unreachable { .. } => "source_unreachable",
            Self::Proxy { .. } => "proxy_failed",
            Self::UnknownProxy { .. } => "proxy_not_offered",
            Self::Timeout { .. } => "source_timeout",
            Self::Tls { .. } => "source_tls_error",
            Self::Status { .. } => "source_error",
            Self::RateLimited { .. } => "source_rate_limited",
            Self::InvalidResponse { .. } => "source_invalid_response",
            Self::Busy { .. } => "capacity_exhausted",
        }
    }

    /// True if the server does not use TLS at this port.
    pub fn is_without_tls(&self) -> bool {
        matches!(self, Self::Tls { reason } if reason == NO_TLS)
    }

    /// Delay until the next attempt, as requested by the source or by the queue of this process.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } | Self::RateLimited { retry_after } => *retry_after,
            Self::Busy { retry_after } => Some(*retry_after),
            _ => None,
        }
    }

    /// Error for an invalid URL that the caller sent.
    pub(crate) fn from_caller_url(fault: UrlError) -> Self {
        match fault {
            UrlError::NotAllowed(reason) => Self::NotAllowed { reason },
            fault @ (UrlError::Invalid(_) | UrlError::Credential) => Self::InvalidUrl(fault),
        }
    }

    /// Error for an invalid URL to which a source redirected. It is not the caller's mistake, so it is never
    /// `invalid_url`.
    pub(crate) fn from_redirect_url(fault: UrlError) -> Self {
        match fault {
            UrlError::NotAllowed(reason) | UrlError::Invalid(reason) => Self::NotAllowed { reason },
            UrlError::Credential => Self::NotAllowed { reason: "the URL contains an API key or token" },
        }
    }

    /// True if the source had answered before the error. A failure before that costs nothing.
    pub fn source_answered(&self) -> bool {
        match self {
            Self::InvalidUrl(_)
            | Self::NotAllowed { .. }
            | Self::RobotsDisallowed
            | Self::Unreachable { .. }
            | Self::Proxy { .. }
            | Self::UnknownProxy { .. }
            | Self::Tls { .. }
            | Self::RateLimited { .. }
            | Self::Busy { .. } => false,
            Self::Timeout { answered, .. } => *answered,
            Self::NotFound { .. }
            | Self::Forbidden { .. }
            | Self::LoginRequired
            | Self::Paywalled
            | Self::UnsupportedContent { .. }
            | Self::TooLarge { .. }
            | Self::TooManyRedirects
            | Self::Status { .. }
            | Self::InvalidResponse { .. } => true,
        }
    }
}

/// Setup error of a [`crate::Fetcher`].
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The file of extra root certificates cannot be used.
    #[error("cannot use the root certificates in {path}: {reason}")]
    RootCertificates {
        /// Path from the settings.
        path: PathBuf,
        reason: String,
    },
    /// The TLS library refused its own defaults.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// The resolver could not be created.
    #[error("cannot set up name lookup: {0}")]
    Resolver(String),
    /// The HTTP client could not be created, for example because of control characters in the User-Agent.
    #[error("cannot set up the HTTP client: {0}")]
    Client(String),
}

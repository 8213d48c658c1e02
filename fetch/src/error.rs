//! What can go wrong between us and another server, in words that map one to one to the contract's codes.
//!
//! Messages are written for the person who sent the URL: they never repeat what an inner library said about
//! an internal address. Whether a failure costs a credit follows from [`Error::source_answered`].

use std::path::PathBuf;
use std::time::Duration;

use crate::target::UrlError;

/// Why a fetch did not end in a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The URL is not one we can read: not absolute http(s), userinfo, too long, a key of ours inside it.
    #[error("{0}")]
    InvalidUrl(UrlError),
    /// The URL, one of its redirects or one of its addresses is not public, or is our own.
    #[error("this address may not be fetched: {reason}")]
    NotAllowed {
        /// Which rule refused it.
        reason: &'static str,
    },
    /// The source says 404 or 410; `gone` is true for 410, which is final at once.
    #[error("the source says that there is nothing at this address")]
    NotFound {
        /// True when the answer was 410.
        gone: bool,
    },
    /// The source says 403, 451 or 999.
    #[error("the source refused access (status {status})")]
    Forbidden {
        /// The HTTP status.
        status: u16,
    },
    /// The source says 401.
    #[error("the source wants a login")]
    LoginRequired,
    /// The source says 402.
    #[error("the source wants a payment")]
    Paywalled,
    /// The source's robots.txt excludes this path for us (RFC 9309).
    #[error("the source's robots.txt excludes this page")]
    RobotsDisallowed,
    /// A page was asked for and the source sent sound, pictures, video or fonts.
    #[error("the source sent {content_type}, which holds no text")]
    UnsupportedContent {
        /// The media type, at most 100 characters.
        content_type: String,
    },
    /// The body passed the cap, counted after decompression.
    #[error("the source sent more than {limit_bytes} bytes")]
    TooLarge {
        /// The cap that was passed.
        limit_bytes: usize,
    },
    /// More redirects than allowed, or a redirect back to a URL already visited.
    #[error("the source redirects too often")]
    TooManyRedirects,
    /// No DNS answer, no connection, or the connection broke before an answer.
    #[error("the source cannot be reached: {reason}")]
    Unreachable {
        /// What failed.
        reason: &'static str,
    },
    /// DNS, connect, a pause between bytes or the whole fetch took too long.
    #[error("the source took too long: {reason}")]
    Timeout {
        /// Which limit ran out.
        reason: &'static str,
        /// True when the source had begun an answer.
        answered: bool,
    },
    /// The TLS handshake or the certificate failed.
    #[error("no secure connection to the source: {reason}")]
    Tls {
        /// What the check said, at most 200 characters.
        reason: String,
    },
    /// The source answered with a status that holds no page: 5xx, or a 4xx that no other variant names.
    #[error("the source answered with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// `Retry-After`, when it was sent.
        retry_after: Option<Duration>,
    },
    /// The source says 429, or said so a moment ago and asked for a pause that is not over.
    #[error("the source limits how often it may be read")]
    RateLimited {
        /// When to come back.
        retry_after: Option<Duration>,
    },
    /// Broken HTTP, a broken or unknown encoding, or a body that ended early.
    #[error("the source's answer is broken: {reason}")]
    InvalidResponse {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Too many of our own requests wait for this host already.
    #[error("too many requests wait for this host")]
    Busy {
        /// When to come back.
        retry_after: Duration,
    },
}

impl Error {
    /// The word that metrics and the log have for this failure. What callers are told is decided above.
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
            Self::Timeout { .. } => "source_timeout",
            Self::Tls { .. } => "source_tls_error",
            Self::Status { .. } => "source_error",
            Self::RateLimited { .. } => "source_rate_limited",
            Self::InvalidResponse { .. } => "source_invalid_response",
            Self::Busy { .. } => "capacity_exhausted",
        }
    }

    /// When the source, or our own queue, asks to come back.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } | Self::RateLimited { retry_after } => *retry_after,
            Self::Busy { retry_after } => Some(*retry_after),
            _ => None,
        }
    }

    /// The error for a fault in the URL that the user typed.
    pub(crate) fn as_typed(fault: UrlError) -> Self {
        match fault {
            UrlError::NotAllowed(reason) => Self::NotAllowed { reason },
            fault @ (UrlError::Invalid(_) | UrlError::Credential) => Self::InvalidUrl(fault),
        }
    }

    /// The error for a fault in a URL that a source sent us to: not the caller's mistake, so never
    /// `invalid_url`.
    pub(crate) fn on_the_way(fault: UrlError) -> Self {
        match fault {
            UrlError::NotAllowed(reason) | UrlError::Invalid(reason) => Self::NotAllowed { reason },
            UrlError::Credential => Self::NotAllowed { reason: "the URL contains an API key or token" },
        }
    }

    /// Whether the source had answered when this went wrong: a failure before that costs nothing.
    pub fn source_answered(&self) -> bool {
        match self {
            Self::InvalidUrl(_)
            | Self::NotAllowed { .. }
            | Self::RobotsDisallowed
            | Self::Unreachable { .. }
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

/// Why a [`crate::Fetcher`] could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The file of extra root certificates cannot be used.
    #[error("cannot use the root certificates in {path}: {reason}")]
    RootCertificates {
        /// The file as it was named in the settings.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The TLS library refused its own defaults.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
    /// The resolver could not be made.
    #[error("cannot set up name lookup: {0}")]
    Resolver(String),
    /// The HTTP client could not be made, for instance because of a User-Agent with control characters.
    #[error("cannot set up the HTTP client: {0}")]
    Client(String),
}

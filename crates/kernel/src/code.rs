//! Stable error codes of the API, rows and metrics, each with one meaning and one class. Each surface maps
//! codes to status, title and resolution by exhaustive matches.

use std::str::FromStr;

/// Class of an error code. It determines whether a retry may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The object does not exist, or belongs to another account.
    NotFound,
    /// The request is invalid.
    Invalid,
    /// The caller is not authenticated.
    Unauthenticated,
    /// The caller, or its plan, does not permit this.
    Forbidden,
    /// The request conflicts with the current state.
    Conflict,
    /// The object existed and is no longer retained.
    Gone,
    /// A rate limit or a quota is used up for now.
    Limited,
    /// The source cannot be read, and a retry does not help.
    Unreadable,
    /// The source failed; a retry may help.
    Upstream,
    /// The service is unavailable at the moment.
    Unavailable,
    /// Internal error.
    Internal,
}

impl Class {
    /// True if a retry of the unchanged request may succeed.
    pub const fn is_transient(self) -> bool {
        match self {
            Self::NotFound
            | Self::Invalid
            | Self::Unauthenticated
            | Self::Forbidden
            | Self::Conflict
            | Self::Gone
            | Self::Unreadable => false,
            Self::Limited | Self::Upstream | Self::Unavailable | Self::Internal => true,
        }
    }
}

/// Error for a text that is not an error code of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an error code of this version")]
pub struct UnknownCode;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident => $text:literal, $class:ident;)+) => {
        /// Stable error code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code as text, for the API and database rows.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// Class of the code.
            pub const fn class(self) -> Class {
                match self {
                    $(Self::$name => Class::$class,)+
                }
            }
        }
    };
}

codes! {
    /// The object does not exist, or belongs to another account.
    NotFound => "not_found", NotFound;
    /// The read job does not exist, or has expired.
    JobNotFound => "job_not_found", NotFound;

    /// A body or parameter of the Developer API does not match its schema.
    InvalidRequest => "invalid_request", Invalid;
    /// A parameter of the reader is unknown or out of bounds.
    InvalidParameter => "invalid_parameter", Invalid;
    /// Mutually exclusive parameters are set.
    ConflictingParameters => "conflicting_parameters", Invalid;
    /// The URL is missing or empty.
    MissingUrl => "missing_url", Invalid;
    /// The URL is not absolute http(s), is too long, or contains user information.
    InvalidUrl => "invalid_url", Invalid;
    /// The URL points to a non-public address, or to this service.
    UrlNotAllowed => "url_not_allowed", Invalid;
    /// The URL contains an API key or token of this service.
    CredentialInUrl => "credential_in_url", Invalid;
    /// The line range begins beyond the end.
    LinesOutOfRange => "lines_out_of_range", Invalid;
    /// The cursor is malformed, or belongs to another list.
    InvalidCursor => "invalid_cursor", Invalid;
    /// The cursor was created with other filters.
    CursorMismatch => "cursor_mismatch", Invalid;
    /// The cursor is beyond the end.
    CursorOutOfRange => "cursor_out_of_range", Invalid;
    /// The body is not the expected JSON.
    InvalidJson => "invalid_json", Invalid;
    /// The batch has too few or too many items.
    BatchSize => "batch_size", Invalid;
    /// The `Idempotency-Key` is malformed.
    InvalidIdempotencyKey => "invalid_idempotency_key", Invalid;
    /// The path does not support this method.
    MethodNotAllowed => "method_not_allowed", Invalid;
    /// The body or file is too large.
    PayloadTooLarge => "payload_too_large", Invalid;
    /// The body or file has an unsupported media type.
    UnsupportedMediaType => "unsupported_media_type", Invalid;
    /// Neither a URL nor a text was sent.
    MissingSource => "missing_source", Invalid;
    /// The external id belongs to another item.
    ExternalIdConflict => "external_id_conflict", Invalid;
    /// The changes contradict each other.
    ConflictingChanges => "conflicting_changes", Invalid;
    /// The built-in collection cannot be changed.
    CollectionImmutable => "collection_immutable", Invalid;
    /// The interval is shorter than the plan allows.
    IntervalTooShort => "interval_too_short", Invalid;
    /// The bytes do not match the declared checksum.
    ChecksumMismatch => "checksum_mismatch", Invalid;
    /// The requested byte range is outside of the file.
    RangeNotSatisfiable => "range_not_satisfiable", Invalid;

    /// No credential was sent.
    MissingCredential => "missing_credential", Unauthenticated;
    /// The credential is unknown, or the password is wrong.
    InvalidCredential => "invalid_credential", Unauthenticated;
    /// The credential has expired.
    ExpiredCredential => "expired_credential", Unauthenticated;
    /// The credential was revoked.
    RevokedCredential => "revoked_credential", Unauthenticated;
    /// Two different credentials were sent.
    ConflictingCredentials => "conflicting_credentials", Unauthenticated;

    /// The credential lacks a scope.
    InsufficientScope => "insufficient_scope", Forbidden;
    /// The plan does not include this feature.
    PlanRequired => "plan_required", Forbidden;
    /// The plan's limit for this kind of object is reached.
    LimitReached => "limit_reached", Forbidden;
    /// The plan's storage is used up.
    StorageLimitReached => "storage_limit_reached", Forbidden;
    /// The person must approve the call first.
    ApprovalRequired => "approval_required", Forbidden;
    /// Only the signed-in person may do this.
    OwnerRequired => "owner_required", Forbidden;
    /// The member may read what the team shares, but not change it.
    EditorRequired => "editor_required", Forbidden;
    /// Sign-up is closed on this installation.
    SignupClosed => "signup_closed", Forbidden;
    /// The form was open for too long, or was sent from another site.
    FormExpired => "form_expired", Forbidden;

    /// The name or address is already taken.
    NameTaken => "name_taken", Conflict;
    /// The target was changed before the request was carried out.
    Superseded => "superseded", Conflict;
    /// A consumer of this name exists with other settings.
    ConsumerConflict => "consumer_conflict", Conflict;
    /// The cursor was not delivered to this consumer.
    CursorNotDeliverable => "cursor_not_deliverable", Conflict;
    /// The item got another file during the upload.
    AssetConflict => "asset_conflict", Conflict;
    /// The object was changed since it was read.
    PreconditionFailed => "precondition_failed", Conflict;
    /// The text of the item is not ready yet.
    NotReady => "not_ready", Conflict;
    /// Another change was committed first.
    CommitConflict => "commit_conflict", Conflict;
    /// The `Idempotency-Key` belongs to another request.
    IdempotencyKeyReused => "idempotency_key_reused", Conflict;
    /// The first request with this `Idempotency-Key` is still running.
    IdempotencyKeyInProgress => "idempotency_key_in_progress", Conflict;
    /// The text that the cursor belongs to no longer exists.
    ContentChanged => "content_changed", Conflict;
    /// The state of the job does not allow this.
    JobConflict => "conflict", Conflict;
    /// The job was claimed by another worker, or released.
    LeaseLost => "lease_lost", Conflict;
    /// The job was cancelled.
    Cancelled => "cancelled", Conflict;

    /// The cursor is older than the retained data.
    CursorExpired => "cursor_expired", Gone;
    /// The feed moved to another address, or no longer exists.
    FeedGone => "feed_gone", Gone;

    /// Too many requests in a short time.
    RateLimited => "rate_limited", Limited;
    /// The day's operations are used up.
    DailyLimitReached => "daily_limit_reached", Limited;
    /// The fresh extractions of the minute or the day are used up.
    FreshExtractionLimit => "fresh_extraction_limit", Limited;
    /// The month's monitor credits are used up.
    MonitorCreditsExhausted => "monitor_credits_exhausted", Limited;

    /// The source answered 404 or 410.
    SourceNotFound => "source_not_found", Unreadable;
    /// The source refuses access.
    SourceForbidden => "source_forbidden", Unreadable;
    /// The source requires a login.
    LoginRequired => "login_required", Unreadable;
    /// The source requires a payment.
    Paywalled => "paywalled", Unreadable;
    /// The source's robots.txt excludes the page.
    RobotsDisallowed => "robots_disallowed", Unreadable;
    /// The source has an unsupported type.
    UnsupportedContent => "unsupported_content", Unreadable;
    /// The source is too large.
    ContentTooLarge => "content_too_large", Unreadable;
    /// The source contains no text.
    NoReadableText => "no_readable_text", Unreadable;
    /// The source redirects too often.
    TooManyRedirects => "too_many_redirects", Unreadable;
    /// There is no feed at the address, and its page links to none.
    NoFeedFound => "no_feed_found", Unreadable;
    /// The selector of the monitor matches nothing in the source.
    SelectorNotFound => "selector_not_found", Unreadable;
    /// The selector of the monitor cannot be evaluated on the source.
    SelectorFailed => "selector_failed", Unreadable;
    /// The proxy of the monitor is no longer offered by the operator.
    ProxyNotOffered => "proxy_not_offered", Unreadable;
    /// A step of the monitor on the rendered page is impossible.
    StepFailed => "step_failed", Unreadable;
    /// The service has no browser that can render the page of the monitor.
    RendererUnavailable => "renderer_unavailable", Unreadable;

    /// The host name does not resolve, or the connection failed.
    SourceUnreachable => "source_unreachable", Upstream;
    /// The proxy of the monitor failed.
    ProxyFailed => "proxy_failed", Upstream;
    /// The source took too long.
    SourceTimeout => "source_timeout", Upstream;
    /// The certificate or the TLS handshake failed.
    SourceTlsError => "source_tls_error", Upstream;
    /// The source answered with an error status.
    SourceError => "source_error", Upstream;
    /// The source limits how often it may be fetched.
    SourceRateLimited => "source_rate_limited", Upstream;
    /// The response of the source is malformed.
    SourceInvalidResponse => "source_invalid_response", Upstream;

    /// No capacity for more work at the moment.
    CapacityExhausted => "capacity_exhausted", Unavailable;
    /// The disk for files has no space left. A retry helps only after the operator has made space.
    StoreFull => "store_full", Unavailable;
    /// A required service is unavailable at the moment.
    ServiceUnavailable => "service_unavailable", Unavailable;
    /// The operator is performing maintenance.
    Maintenance => "maintenance", Unavailable;
    /// The text was not ready within the maximum waiting time.
    ReadTimeout => "read_timeout", Unavailable;

    /// Internal error; callers see `service_unavailable`.
    Internal => "internal_error", Internal;
    /// The job lost too many workers and is dead.
    WorkerLost => "worker_lost", Internal;
    /// The run of the job exceeded the run limit of its kind.
    RunTimeout => "run_timeout", Internal;
}

impl Code {
    /// True if a retry of the unchanged request may succeed.
    pub const fn is_transient(self) -> bool {
        self.class().is_transient()
    }

    /// Parses the code of a row. A code unknown to this version counts as an internal error.
    pub fn from_stored(text: &str) -> Self {
        text.parse().unwrap_or(Self::Internal)
    }
}

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(text: &str) -> Result<Self, UnknownCode> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text).ok_or(UnknownCode)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Maps fetch errors to codes. This is the only such mapping.
impl From<&fetch::Error> for Code {
    fn from(error: &fetch::Error) -> Self {
        match error {
            fetch::Error::InvalidUrl(_) => Self::InvalidUrl,
            fetch::Error::NotAllowed { .. } => Self::UrlNotAllowed,
            fetch::Error::NotFound { .. } => Self::SourceNotFound,
            fetch::Error::Forbidden { .. } => Self::SourceForbidden,
            fetch::Error::LoginRequired => Self::LoginRequired,
            fetch::Error::Paywalled => Self::Paywalled,
            fetch::Error::RobotsDisallowed => Self::RobotsDisallowed,
            fetch::Error::UnsupportedContent { .. } => Self::UnsupportedContent,
            fetch::Error::TooLarge { .. } => Self::ContentTooLarge,
            fetch::Error::TooManyRedirects => Self::TooManyRedirects,
            fetch::Error::Unreachable { .. } => Self::SourceUnreachable,
            fetch::Error::Proxy { .. } => Self::ProxyFailed,
            fetch::Error::UnknownProxy { .. } => Self::ProxyNotOffered,
            fetch::Error::Timeout { .. } => Self::SourceTimeout,
            fetch::Error::Tls { .. } => Self::SourceTlsError,
            fetch::Error::Status { .. } => Self::SourceError,
            fetch::Error::RateLimited { .. } => Self::SourceRateLimited,
            fetch::Error::InvalidResponse { .. } => Self::SourceInvalidResponse,
            fetch::Error::Busy { .. } => Self::CapacityExhausted,
        }
    }
}

#[cfg(test)]
mod tests;

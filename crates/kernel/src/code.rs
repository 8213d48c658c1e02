//! Every stable code that callers, rows and metrics know, each with one meaning and one class. What a code
//! is called, explained and answered with on a surface is decided above, by exhaustive matches.

use std::str::FromStr;

/// What kind of refusal a code is. The class decides whether trying again may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// There is no such thing, or it belongs to somebody else.
    NotFound,
    /// The request cannot be carried out as it stands.
    Invalid,
    /// Nobody known asks.
    Unauthenticated,
    /// The caller may not do this, or not under this plan.
    Forbidden,
    /// The present state speaks against it.
    Conflict,
    /// It existed and is not kept any longer.
    Gone,
    /// A rate or a quota is used up for now.
    Limited,
    /// The source cannot be had, and trying again changes nothing.
    Unreadable,
    /// The source misbehaved; another try may go better.
    Upstream,
    /// We cannot answer now.
    Unavailable,
    /// A fault of ours.
    Internal,
}

impl Class {
    /// Whether the same call may succeed later without being changed.
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

/// A text that is no code of this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a code that this version knows")]
pub struct UnknownCode;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident => $text:literal, $class:ident;)+) => {
        /// A stable code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code as callers and rows have it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// What kind of refusal it is.
            pub const fn class(self) -> Class {
                match self {
                    $(Self::$name => Class::$class,)+
                }
            }
        }
    };
}

codes! {
    /// No such thing, or somebody else's.
    NotFound => "not_found", NotFound;
    /// No such read job, or it has expired.
    JobNotFound => "job_not_found", NotFound;

    /// A body or parameter of the Developer API fails its schema.
    InvalidRequest => "invalid_request", Invalid;
    /// A parameter of the reader is out of its bounds or unknown.
    InvalidParameter => "invalid_parameter", Invalid;
    /// Parameters that exclude each other.
    ConflictingParameters => "conflicting_parameters", Invalid;
    /// The URL is missing or empty.
    MissingUrl => "missing_url", Invalid;
    /// The URL is not absolute http(s), too long, or holds user information.
    InvalidUrl => "invalid_url", Invalid;
    /// The URL points to a place that is not public, or to us.
    UrlNotAllowed => "url_not_allowed", Invalid;
    /// The URL holds an API key or token of ours.
    CredentialInUrl => "credential_in_url", Invalid;
    /// A range of lines begins beyond the end.
    LinesOutOfRange => "lines_out_of_range", Invalid;
    /// A cursor that is broken, or was made for something else.
    InvalidCursor => "invalid_cursor", Invalid;
    /// A cursor that was made with other filters.
    CursorMismatch => "cursor_mismatch", Invalid;
    /// A cursor beyond the end.
    CursorOutOfRange => "cursor_out_of_range", Invalid;
    /// The body is not the JSON that was expected.
    InvalidJson => "invalid_json", Invalid;
    /// A batch with too few or too many items.
    BatchSize => "batch_size", Invalid;
    /// A malformed `Idempotency-Key`.
    InvalidIdempotencyKey => "invalid_idempotency_key", Invalid;
    /// The path does not answer this method.
    MethodNotAllowed => "method_not_allowed", Invalid;
    /// The body or file is too large.
    PayloadTooLarge => "payload_too_large", Invalid;
    /// The body or file is of the wrong type.
    UnsupportedMediaType => "unsupported_media_type", Invalid;
    /// Neither a URL nor a text was sent.
    MissingSource => "missing_source", Invalid;
    /// The external id belongs to another item.
    ExternalIdConflict => "external_id_conflict", Invalid;
    /// Changes that contradict each other.
    ConflictingChanges => "conflicting_changes", Invalid;
    /// The built-in collection cannot be changed.
    CollectionImmutable => "collection_immutable", Invalid;
    /// An interval shorter than the plan allows.
    IntervalTooShort => "interval_too_short", Invalid;
    /// The bytes do not have the checksum that was announced.
    ChecksumMismatch => "checksum_mismatch", Invalid;
    /// A file has no such bytes.
    RangeNotSatisfiable => "range_not_satisfiable", Invalid;

    /// No credential was sent.
    MissingCredential => "missing_credential", Unauthenticated;
    /// A credential that is none of ours, or a wrong password.
    InvalidCredential => "invalid_credential", Unauthenticated;
    /// A credential whose time is over.
    ExpiredCredential => "expired_credential", Unauthenticated;
    /// A credential that was revoked.
    RevokedCredential => "revoked_credential", Unauthenticated;
    /// Two different credentials were sent.
    ConflictingCredentials => "conflicting_credentials", Unauthenticated;

    /// The credential lacks a scope.
    InsufficientScope => "insufficient_scope", Forbidden;
    /// The plan does not include this.
    PlanRequired => "plan_required", Forbidden;
    /// The plan's room for this is used up.
    LimitReached => "limit_reached", Forbidden;
    /// The plan's storage is used up.
    StorageLimitReached => "storage_limit_reached", Forbidden;
    /// Only the signed-in person may do this.
    OwnerRequired => "owner_required", Forbidden;
    /// Nobody can sign up here.
    SignupClosed => "signup_closed", Forbidden;
    /// A form that was open for too long, or came from elsewhere.
    FormExpired => "form_expired", Forbidden;

    /// The name or address is used already.
    NameTaken => "name_taken", Conflict;
    /// What was asked for was changed before it was done.
    Superseded => "superseded", Conflict;
    /// A consumer of this name has other settings.
    ConsumerConflict => "consumer_conflict", Conflict;
    /// The cursor was not delivered to this consumer.
    CursorNotDeliverable => "cursor_not_deliverable", Conflict;
    /// The file belongs to something else already.
    AssetConflict => "asset_conflict", Conflict;
    /// The thing was changed since it was read.
    PreconditionFailed => "precondition_failed", Conflict;
    /// The text of an item is not there yet.
    NotReady => "not_ready", Conflict;
    /// Another change was committed first.
    CommitConflict => "commit_conflict", Conflict;
    /// The `Idempotency-Key` belongs to another request.
    IdempotencyKeyReused => "idempotency_key_reused", Conflict;
    /// The first request with this `Idempotency-Key` is still running.
    IdempotencyKeyInProgress => "idempotency_key_in_progress", Conflict;
    /// The text that a cursor belongs to is gone.
    ContentChanged => "content_changed", Conflict;
    /// A job's state does not allow this.
    JobConflict => "conflict", Conflict;
    /// Another worker has the job now, or nobody.
    LeaseLost => "lease_lost", Conflict;
    /// The job was cancelled.
    Cancelled => "cancelled", Conflict;

    /// The cursor is older than what is retained.
    CursorExpired => "cursor_expired", Gone;
    /// A feed that got another address, or ended.
    FeedGone => "feed_gone", Gone;

    /// Too many requests in a short time.
    RateLimited => "rate_limited", Limited;
    /// The day's operations are used up.
    DailyLimitReached => "daily_limit_reached", Limited;
    /// The downloads of the minute or the day are used up.
    FreshExtractionLimit => "fresh_extraction_limit", Limited;
    /// The month's monitor credits are used up.
    MonitorCreditsExhausted => "monitor_credits_exhausted", Limited;

    /// The source answered 404 or 410.
    SourceNotFound => "source_not_found", Unreadable;
    /// The source refuses access.
    SourceForbidden => "source_forbidden", Unreadable;
    /// The source wants a login.
    LoginRequired => "login_required", Unreadable;
    /// The source wants a payment.
    Paywalled => "paywalled", Unreadable;
    /// The source's robots.txt excludes the page.
    RobotsDisallowed => "robots_disallowed", Unreadable;
    /// The source is of a kind that cannot be read.
    UnsupportedContent => "unsupported_content", Unreadable;
    /// The source is too large.
    ContentTooLarge => "content_too_large", Unreadable;
    /// The source holds no text.
    NoReadableText => "no_readable_text", Unreadable;
    /// The source redirects too often.
    TooManyRedirects => "too_many_redirects", Unreadable;
    /// There is no feed at the address, and its page names none.
    NoFeedFound => "no_feed_found", Unreadable;
    /// What a monitor's selector looks for is not in the source.
    SelectorNotFound => "selector_not_found", Unreadable;

    /// No such name, no connection, or it broke.
    SourceUnreachable => "source_unreachable", Upstream;
    /// The source took too long.
    SourceTimeout => "source_timeout", Upstream;
    /// The certificate or the TLS handshake failed.
    SourceTlsError => "source_tls_error", Upstream;
    /// The source answered with a status that holds no page.
    SourceError => "source_error", Upstream;
    /// The source limits how often it may be read.
    SourceRateLimited => "source_rate_limited", Upstream;
    /// The source's answer is broken.
    SourceInvalidResponse => "source_invalid_response", Upstream;

    /// No room for more work at the moment.
    CapacityExhausted => "capacity_exhausted", Unavailable;
    /// Something that we need is away for the moment.
    ServiceUnavailable => "service_unavailable", Unavailable;
    /// The operator is at work.
    Maintenance => "maintenance", Unavailable;
    /// The text was not ready within the time a caller can be kept waiting.
    ReadTimeout => "read_timeout", Unavailable;

    /// A fault of ours; callers see `service_unavailable`.
    Internal => "internal_error", Internal;
    /// A job was started as often as allowed without ever ending.
    WorkerLost => "worker_lost", Internal;
    /// A run of a job took longer than its kind may.
    RunTimeout => "run_timeout", Internal;
}

impl Code {
    /// Whether the same call may succeed later without being changed.
    pub const fn is_transient(self) -> bool {
        self.class().is_transient()
    }

    /// The code that a row holds. One of another version counts as a fault of ours.
    pub fn stored(text: &str) -> Self {
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

/// The code of a fetch that failed. This is the one place where the two vocabularies meet.
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

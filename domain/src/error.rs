//! The one error of this room, in the product's words. Every surface renders it; none inspects text.

use sea_orm::DbErr;

/// What a domain call returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call did not do what was asked.
///
/// `code` is the stable word of the contract that a caller may rely on; `message` is a sentence for
/// people and never holds a secret or another account's data.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing, or it belongs to somebody else.
    #[error("{message}")]
    NotFound {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
    },
    /// The request itself cannot be carried out as it stands.
    #[error("{message}")]
    Invalid {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
        /// Pointer and reason, as in `/changes/tags/3: longer than 32`.
        details: Option<String>,
    },
    /// Nobody known asks: the credential is missing, wrong, expired or revoked.
    #[error("{message}")]
    Unauthenticated {
        /// Stable word.
        code: &'static str,
        /// Sentence for people; never the credential.
        message: String,
    },
    /// The caller may not do this, or not any more under this plan.
    #[error("{message}")]
    Forbidden {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
        /// `limit=… used=…` where a limit is the reason.
        details: Option<String>,
    },
    /// The state of things speaks against it.
    #[error("{message}")]
    Conflict {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
    },
    /// It was there and is not kept any longer.
    #[error("{message}")]
    Gone {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
    },
    /// A rate or a quota is used up for now.
    #[error("{message}")]
    Limited {
        /// Stable word.
        code: &'static str,
        /// Sentence for people.
        message: String,
        /// Whole seconds until a retry may help.
        retry_after: u32,
        /// `limit=… used=…` where that is known.
        details: Option<String>,
    },
    /// The source that was asked for cannot be had: final by its nature.
    #[error("{message}")]
    Unreadable {
        /// Stable word, one of the contract's 422 source codes.
        code: &'static str,
        /// Sentence for people.
        message: String,
    },
    /// The source misbehaved; another try may go better.
    #[error("{message}")]
    Source {
        /// Stable word, one of the contract's 502 codes.
        code: &'static str,
        /// Sentence for people.
        message: String,
        /// Whole seconds the source asked us to wait, when it did.
        retry_after: Option<u32>,
    },
    /// We cannot now: no room, no database, no queue, no time left.
    #[error("{message}")]
    Unavailable {
        /// Stable word: `capacity_exhausted`, `service_unavailable`, `read_timeout`, `maintenance`.
        code: &'static str,
        /// Sentence for people.
        message: String,
        /// Whole seconds until a retry may help.
        retry_after: u32,
    },
    /// A fault of ours. Callers learn nothing but that.
    #[error("internal error: {0}")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The stable word that callers may rely on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { code, .. }
            | Self::Invalid { code, .. }
            | Self::Unauthenticated { code, .. }
            | Self::Forbidden { code, .. }
            | Self::Conflict { code, .. }
            | Self::Gone { code, .. }
            | Self::Limited { code, .. }
            | Self::Unreadable { code, .. }
            | Self::Source { code, .. }
            | Self::Unavailable { code, .. } => code,
            Self::Internal(_) => "service_unavailable",
        }
    }

    /// Whether the same call may succeed later without being changed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::NotFound { .. }
            | Self::Invalid { .. }
            | Self::Unauthenticated { .. }
            | Self::Forbidden { .. }
            | Self::Conflict { .. }
            | Self::Gone { .. }
            | Self::Unreadable { .. } => false,
            Self::Limited { .. } | Self::Source { .. } | Self::Unavailable { .. } | Self::Internal(_) => true,
        }
    }

    /// Whole seconds after which a retry may help, when that is known.
    pub fn retry_after(&self) -> Option<u32> {
        match self {
            Self::Limited { retry_after, .. } | Self::Unavailable { retry_after, .. } => Some(*retry_after),
            Self::Source { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// A request that fails its schema, with the word the contract has for it.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid { code, message: message.into(), details: None }
    }

    /// An error of ours that no caller can mend.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(error.into())
    }
}

/// The error for a thing that is not there, or is somebody else's.
pub(crate) fn not_found(what: &str) -> Error {
    Error::NotFound { code: "not_found", message: format!("There is no such {what}.") }
}

/// The error for one field of a request, by its pointer.
pub(crate) fn invalid_at(pointer: &str, reason: &str) -> Error {
    Error::Invalid {
        code: "invalid_request",
        message: format!("The request is not valid: {pointer} {reason}."),
        details: Some(format!("{pointer}: {reason}")),
    }
}

/// A database that is away or busy is a passing state; everything else it says is a fault of ours.
impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if crate::db::is_passing(&error) {
            tracing::warn!(%error, "the database cannot answer now");
            return Self::Unavailable {
                code: "service_unavailable",
                message: "The database cannot answer at the moment.".into(),
                retry_after: 5,
            };
        }
        Self::Internal(Box::new(error))
    }
}

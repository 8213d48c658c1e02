//! Error type of the domain. Every surface renders it; none parses its text.
//!
//! The [`Code`] identifies the failure. Whether the failure is transient, and its status on a surface, follow
//! from the code.

use entities::ids::ItemId;
use sea_orm::DbErr;

use crate::code::{Class, Code};
use crate::field::{FieldError, FieldPath};
use crate::scope::Scope;

/// Result of a domain call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Failure of a domain call.
///
/// Callers may see the message: it never contains a secret, another account's data, or an error text of a library. Such
/// a text is in `source`, for the log.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub code: Code,
    pub message: String,
    /// Details of the failure, if they are known.
    pub detail: Option<Detail>,
    /// Whole seconds after which a retry may help, if known.
    pub retry_after: Option<u32>,
    /// Cause, for the log only.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Details of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The invalid field of the request.
    Field(FieldError),
    /// The exhausted limit.
    Limit(Used),
    /// The scope that the credential lacks.
    Scope(Scope),
    /// The conflicting item.
    Item(ItemId),
    /// A cursor beyond the end of a document.
    Cursor {
        /// Cursor of the request.
        cursor: u64,
        /// Number of blocks of the document.
        total_blocks: usize,
    },
}

/// Usage of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    pub limit: u64,
    /// Amount used.
    pub used: u64,
    /// Name of the rate limit, if the limit is a rate.
    pub policy: Option<&'static str>,
}

impl Error {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None, retry_after: None, source: None }
    }

    /// Error for an invalid field of the request.
    pub fn invalid_field(path: impl Into<FieldPath>, reason: impl Into<String>) -> Self {
        let field = FieldError::new(path, reason);
        let message = format!("The request is not valid: {} {}.", field.path.words(), field.reason);
        Self { detail: Some(Detail::Field(field)), ..Self::new(Code::InvalidRequest, message) }
    }

    /// Error for the invalid field at a JSON pointer, which has names in snake case.
    pub fn invalid_at(pointer: &str, reason: impl Into<String>) -> Self {
        Self::invalid_field(FieldPath::of_pointer(pointer), reason)
    }

    /// Error for a cursor beyond the end of a document.
    pub fn cursor_out_of_range(cursor: u64, total_blocks: usize) -> Self {
        let message = "The cursor lies beyond the end of this article. Start again without it.";
        let detail = Some(Detail::Cursor { cursor, total_blocks });
        Self { detail, ..Self::new(Code::CursorOutOfRange, message) }
    }

    /// Internal error.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let message = "The service cannot answer at the moment.";
        Self { source: Some(cause.into()), ..Self::new(Code::Internal, message) }
    }

    /// Adds the invalid field at `path`.
    #[must_use]
    pub fn at(self, path: impl Into<FieldPath>, reason: impl Into<String>) -> Self {
        Self { detail: Some(Detail::Field(FieldError::new(path, reason))), ..self }
    }

    /// Adds the exhausted limit.
    #[must_use]
    pub fn limit(self, used: Used) -> Self {
        Self { detail: Some(Detail::Limit(used)), ..self }
    }

    /// Adds the required scope.
    #[must_use]
    pub fn scope(self, scope: Scope) -> Self {
        Self { detail: Some(Detail::Scope(scope)), ..self }
    }

    /// Adds the number of seconds after which a retry may help.
    #[must_use]
    pub fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// Class of the error.
    pub fn class(&self) -> Class {
        self.code.class()
    }

    /// True if a retry of the unchanged request may succeed.
    pub fn is_transient(&self) -> bool {
        self.code.is_transient()
    }

    /// The invalid field, if the error has one.
    pub fn field(&self) -> Option<&FieldError> {
        match &self.detail {
            Some(Detail::Field(field)) => Some(field),
            Some(Detail::Limit(_) | Detail::Scope(_) | Detail::Item(_) | Detail::Cursor { .. }) | None => {
                None
            }
        }
    }

    /// Message with its cause, for operators. Never displayed to callers.
    pub fn report(&self) -> String {
        match &self.source {
            Some(cause) => format!("{} ({cause})", self.message),
            None => self.message.clone(),
        }
    }
}

/// Error for an object that does not exist or belongs to another account.
pub fn not_found(what: &str) -> Error {
    Error::new(Code::NotFound, format!("There is no such {what}."))
}

/// Errors of an unavailable or busy database are transient; every other database error is internal.
impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        crate::db::record_error(&error);
        if crate::db::is_transient(&error) {
            tracing::warn!(%error, "database unavailable");
            let message = "The database is unavailable at the moment.";
            return Self::new(Code::ServiceUnavailable, message).retry_after(5);
        }
        Self::internal(error)
    }
}

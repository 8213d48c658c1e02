//! The one error of this room, in the product's words. Every surface renders it; none inspects text.
//!
//! What went wrong is the [`Code`]; whether it may pass, and what a surface answers with, follows from it.

use entities::ids::ItemId;
use sea_orm::DbErr;

use crate::code::{Class, Code};
use crate::field::{FieldError, FieldPath};
use crate::scope::Scope;

/// What a domain call returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call did not do what was asked.
///
/// The message may be shown to callers: it never holds a secret, another account's data, or what an inner
/// library said. That is in `source`, for the log.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// Machine-readable code.
    pub code: Code,
    /// Human-readable message.
    pub message: String,
    /// What exactly is wrong, where that can be said.
    pub detail: Option<Detail>,
    /// Whole seconds until a retry may help, where that is known.
    pub retry_after: Option<u32>,
    /// What made this happen, for the log alone.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What exactly is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// A field of the request.
    Field(FieldError),
    /// A limit that is used up.
    Limit(Used),
    /// The scope that the credential lacks.
    Scope(Scope),
    /// The item that stands against it.
    Item(ItemId),
    /// A cursor beyond the end of a document.
    Cursor {
        /// The cursor that was sent.
        cursor: u64,
        /// How many blocks there are.
        total_blocks: usize,
    },
}

/// How much of a limit is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// The limit.
    pub limit: u64,
    /// What is used of it.
    pub used: u64,
    /// The name of the rate, where the limit is one.
    pub policy: Option<&'static str>,
}

impl Error {
    /// An error with its code and its message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None, retry_after: None, source: None }
    }

    /// A request with a wrong field.
    pub fn invalid_field(path: impl Into<FieldPath>, reason: impl Into<String>) -> Self {
        let field = FieldError::new(path, reason);
        let message = format!("The request is not valid: {} {}.", field.path.words(), field.reason);
        Self { detail: Some(Detail::Field(field)), ..Self::new(Code::InvalidRequest, message) }
    }

    /// A cursor beyond the end of a document.
    pub fn cursor_out_of_range(cursor: u64, total_blocks: usize) -> Self {
        let message = "The cursor lies beyond the end of this article. Start again without it.";
        let detail = Some(Detail::Cursor { cursor, total_blocks });
        Self { detail, ..Self::new(Code::CursorOutOfRange, message) }
    }

    /// An error of ours that no caller can mend.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let message = "The service cannot answer at the moment.";
        Self { source: Some(cause.into()), ..Self::new(Code::Internal, message) }
    }

    /// The same error, about the field at `path`.
    #[must_use]
    pub fn at(self, path: impl Into<FieldPath>, reason: impl Into<String>) -> Self {
        Self { detail: Some(Detail::Field(FieldError::new(path, reason))), ..self }
    }

    /// The same error, with the limit that is used up.
    #[must_use]
    pub fn limit(self, used: Used) -> Self {
        Self { detail: Some(Detail::Limit(used)), ..self }
    }

    /// The same error, with the scope that is needed.
    #[must_use]
    pub fn scope(self, scope: Scope) -> Self {
        Self { detail: Some(Detail::Scope(scope)), ..self }
    }

    /// The same error, with the seconds after which a retry may help.
    #[must_use]
    pub fn retry_after(self, seconds: u32) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// What kind of refusal this is.
    pub fn class(&self) -> Class {
        self.code.class()
    }

    /// Whether the same call may succeed later without being changed.
    pub fn is_transient(&self) -> bool {
        self.code.is_transient()
    }

    /// The field that is wrong, where it is one.
    pub fn field(&self) -> Option<&FieldError> {
        match &self.detail {
            Some(Detail::Field(field)) => Some(field),
            Some(Detail::Limit(_) | Detail::Scope(_) | Detail::Item(_) | Detail::Cursor { .. }) | None => {
                None
            }
        }
    }

    /// The message with its cause, for operators: never shown to callers.
    pub fn report(&self) -> String {
        match &self.source {
            Some(cause) => format!("{} ({cause})", self.message),
            None => self.message.clone(),
        }
    }
}

/// The error for a thing that is not there, or is somebody else's.
pub fn not_found(what: &str) -> Error {
    Error::new(Code::NotFound, format!("There is no such {what}."))
}

/// A database that is away or busy is a passing state; everything else it says is a fault of ours.
impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        crate::db::note(&error);
        if crate::db::is_passing(&error) {
            tracing::warn!(%error, "the database cannot answer now");
            let message = "The database cannot answer at the moment.";
            return Self::new(Code::ServiceUnavailable, message).retry_after(5);
        }
        Self::internal(error)
    }
}

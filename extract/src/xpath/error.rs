//! Error of an expression.

/// Reason why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}, at character {character}")]
pub(crate) struct XPathError {
    pub(crate) reason: String,
    /// Position in the expression, counted from 1.
    pub(crate) character: usize,
}

impl XPathError {
    /// Error at a byte of the text.
    pub(super) fn new(text: &str, at: usize, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), character: text[..at].chars().count() + 1 }
    }
}

//! Parse error of an expression.

/// Reason why an expression is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}, at character {character}")]
pub(crate) struct XPathError {
    pub(crate) reason: String,
    /// Position of the error in the expression, in characters, counted from 1.
    pub(crate) character: usize,
}

impl XPathError {
    /// Creates an error at a byte offset of the expression.
    pub(super) fn new(text: &str, at: usize, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), character: text[..at].chars().count() + 1 }
    }
}

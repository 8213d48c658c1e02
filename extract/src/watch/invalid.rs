//! Why a value that a person configures is refused, and where it stands.

/// Longest selector, JSONPath, pattern or ignored text, in characters.
pub const MAX_TEXT_CHARS: usize = 500;

/// A value that is refused, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {problem}")]
pub struct Invalid {
    /// JSON pointer into what was checked, in the names of the wire (`/fields/0/selector`).
    pub pointer: String,
    /// Why.
    pub problem: Problem,
}

/// Why a value is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Nothing but white space.
    #[error("must not be empty")]
    Empty,
    /// Over the limit.
    #[error("longer than {0}")]
    TooLong(usize),
    /// More than the limit.
    #[error("more than {0}")]
    TooMany(usize),
    /// Does not parse, or uses what is not supported.
    #[error("is not a usable CSS selector: {0}")]
    Selector(String),
    /// Does not parse, or would cost too much.
    #[error("is not a usable JSONPath: {0}")]
    JsonPath(String),
    /// Does not parse, or is too big when compiled.
    #[error("is not a usable regular expression: {0}")]
    Regex(String),
    /// Cannot match any address.
    #[error("is not a usable URL pattern: {0}")]
    Pattern(&'static str),
    /// Two fields with one name.
    #[error("is a name that another field has")]
    Repeated,
    /// One selector is CSS and another JSONPath.
    #[error("must be JSONPath when another selector is, and CSS when another is")]
    Mixed,
    /// A trigger's kind needs a value.
    #[error("is required for this kind of trigger")]
    Required,
    /// Not a number, or out of its range.
    #[error("must be a number{0}")]
    Number(&'static str),
    /// A trigger on a number has none that it could be about.
    #[error("needs a number to be about: {0}")]
    NoNumber(&'static str),
    /// A trigger names a field that the target does not have.
    #[error("is not the name of a field")]
    UnknownField,
}

impl Invalid {
    pub(super) fn new(pointer: impl Into<String>, problem: Problem) -> Self {
        Self { pointer: pointer.into(), problem }
    }
}

/// A text that is there and not too long.
pub(super) fn text(words: &str) -> Result<(), Problem> {
    if words.trim().is_empty() {
        return Err(Problem::Empty);
    }
    if words.chars().count() > MAX_TEXT_CHARS {
        return Err(Problem::TooLong(MAX_TEXT_CHARS));
    }
    Ok(())
}

//! Reasons why a configured value is rejected, with the location of the value.

/// Maximum number of characters in a selector, JSONPath, pattern or ignored text.
pub const MAX_TEXT_CHARS: usize = 500;

/// Rejected value and its location.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {problem}")]
pub struct Invalid {
    /// JSON pointer into the checked value, with the field names of the API (`/fields/0/selector`).
    pub pointer: String,
    pub problem: InvalidReason,
}

/// Reason for a rejection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReason {
    /// The value is empty or consists of white space.
    #[error("must not be empty")]
    Empty,
    /// The value is longer than this limit.
    #[error("longer than {0}")]
    TooLong(usize),
    /// The list is longer than this limit.
    #[error("more than {0}")]
    TooMany(usize),
    /// The CSS selector does not parse, or uses unsupported syntax.
    #[error("is not a usable CSS selector: {0}")]
    Selector(String),
    /// The XPath does not parse, or selects values that cannot be used.
    #[error("is not a usable XPath: {0}")]
    XPath(String),
    /// The jq program does not compile.
    #[error("is not a usable jq program: {0}")]
    Jq(String),
    /// The JSONPath does not parse, or would be too expensive.
    #[error("is not a usable JSONPath: {0}")]
    JsonPath(String),
    /// The regular expression does not parse, or is too large when compiled.
    #[error("is not a usable regular expression: {0}")]
    Regex(String),
    /// The pattern cannot match any URL.
    #[error("is not a usable URL pattern: {0}")]
    Pattern(&'static str),
    /// A line of the value is rejected. Lines are counted from 1.
    #[error("line {0} {1}")]
    Line(usize, Box<InvalidReason>),
    /// The value is not the name of a header.
    #[error("must be the name of a header, such as ETag")]
    Header,
    /// Two fields have the same name.
    #[error("is the name of another field")]
    Repeated,
    /// Selectors of markup and of JSON are mixed.
    #[error("must select from JSON or from markup like the other selectors")]
    Mixed,
    /// The trigger kind requires a value.
    #[error("is required for this kind of trigger")]
    Required,
    /// The trigger or test does not use the value.
    #[error("is not used by this kind")]
    Unused,
    /// The value is not a number, or out of range.
    #[error("must be a number{0}")]
    Number(&'static str),
    /// A numeric trigger has no number to compare.
    #[error("needs a number to compare: {0}")]
    NoNumber(&'static str),
    /// The trigger names a field that the target does not have.
    #[error("is not the name of a field")]
    UnknownField,
}

impl Invalid {
    pub(super) fn new(pointer: impl Into<String>, problem: InvalidReason) -> Self {
        Self { pointer: pointer.into(), problem }
    }

    /// Returns the same problem for a part of the value at `pointer`.
    pub(super) fn below(self, pointer: &str) -> Self {
        Self { pointer: format!("{pointer}{}", self.pointer), ..self }
    }
}

/// Checks that a text is not empty and not too long.
pub(super) fn text(words: &str) -> Result<(), InvalidReason> {
    if words.trim().is_empty() {
        return Err(InvalidReason::Empty);
    }
    if words.chars().count() > MAX_TEXT_CHARS {
        return Err(InvalidReason::TooLong(MAX_TEXT_CHARS));
    }
    Ok(())
}

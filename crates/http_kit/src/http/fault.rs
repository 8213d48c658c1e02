//! What is wrong with one field of a request.

use std::fmt::{self, Display, Formatter};

use kernel::Code;

/// A field and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer (RFC 6901) to the field; empty for the request as a whole.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: String,
    /// The code of a request that is wrong in this way.
    pub code: Code,
}

impl Fault {
    /// A fault of the value itself.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { pointer: String::new(), reason: reason.into(), code: Code::InvalidRequest }
    }

    /// A fault of the value itself, which is a URL that no surface could read.
    pub fn of_url(reason: impl Into<String>) -> Self {
        Self { code: Code::InvalidUrl, ..Self::new(reason) }
    }

    /// The same fault, of the field `name` of an object or the item `name` of a list.
    #[must_use]
    pub fn under(self, name: impl Display) -> Self {
        Self { pointer: format!("/{name}{}", self.pointer), ..self }
    }
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let pointer = if self.pointer.is_empty() { "/" } else { &self.pointer };
        write!(formatter, "{pointer}: {}", self.reason)
    }
}

//! Invalid field of a request.

use std::fmt::{self, Display, Formatter};

use kernel::Code;

/// Pointer to an invalid field, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON pointer (RFC 6901) to the field. Empty if the whole request is invalid.
    pub pointer: String,
    pub reason: String,
    /// Error code of the request.
    pub code: Code,
}

impl Fault {
    /// Creates a fault of the whole value, with an empty pointer and the code `InvalidRequest`.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { pointer: String::new(), reason: reason.into(), code: Code::InvalidRequest }
    }

    /// Creates the fault of a URL that cannot be parsed, with code `InvalidUrl`.
    pub fn of_url(reason: impl Into<String>) -> Self {
        Self { code: Code::InvalidUrl, ..Self::new(reason) }
    }

    /// Prefixes the pointer with the field or list index `name`.
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

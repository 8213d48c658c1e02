//! Error of one form field.

use kernel::{Code, Error};

/// Validation error of one form field.
pub(super) fn field(name: &'static str, message: &str) -> Error {
    Error::new(Code::InvalidRequest, message).at(name, message)
}

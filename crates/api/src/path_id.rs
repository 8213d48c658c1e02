//! Ids in paths.

use std::str::FromStr;

use kernel::Code;

use crate::error::ApiError;

/// Parses the id in a path. A malformed id yields `not_found`, like the id of an object that does not exist.
pub(crate) fn path_id<Id: FromStr>(text: &str, object: &str) -> Result<Id, ApiError> {
    text.parse().map_err(|_| ApiError::new(Code::NotFound, format!("There is no such {object}.")))
}

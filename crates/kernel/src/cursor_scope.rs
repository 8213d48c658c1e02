//! Scope of a cursor: a list of an account, and the filters with which the cursor was created.

use entities::ids::AccountId;
use sha2::{Digest, Sha256};

use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Number of bytes of the hash of the filters.
const FILTERS: usize = 8;

/// Scope for which a cursor is valid.
#[derive(Clone, Debug)]
pub struct CursorScope<'a> {
    pub account_id: AccountId,
    /// Name of the list.
    pub operation: &'a str,
    /// Filters in canonical form.
    pub filters: String,
}

impl CursorScope<'_> {
    /// Creates a cursor for a position in the list.
    pub async fn seal(&self, domain: &Domain, position: &[u8]) -> Result<String> {
        let payload = [position, &self.filters_hash()].concat();
        Ok(domain.cursor_key().await?.seal(&self.binding(), &payload))
    }

    /// Returns the position in a cursor.
    ///
    /// # Errors
    /// `invalid_cursor` if it belongs to another list or account; `cursor_mismatch` if it was created with
    /// other filters.
    pub async fn open(&self, domain: &Domain, cursor: &str) -> Result<Vec<u8>> {
        let payload = domain.cursor_key().await?.open(&self.binding(), cursor);
        let mut position = payload.ok_or_else(invalid_cursor)?;
        let at = position.len().checked_sub(FILTERS).ok_or_else(invalid_cursor)?;
        if position.split_off(at) != self.filters_hash() {
            return Err(Error::new(Code::CursorMismatch, "The cursor was created with other filters."));
        }
        Ok(position)
    }

    fn binding(&self) -> String {
        format!("{}|{}", self.operation, self.account_id)
    }

    fn filters_hash(&self) -> [u8; FILTERS] {
        let mut first = [0; FILTERS];
        first.copy_from_slice(&Sha256::digest(self.filters.as_bytes())[..FILTERS]);
        first
    }
}

/// Error for a malformed cursor.
pub fn invalid_cursor() -> Error {
    Error::new(Code::InvalidCursor, "The cursor is malformed, or belongs to another account or list.")
}

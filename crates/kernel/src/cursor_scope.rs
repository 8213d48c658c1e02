//! What a cursor is good for: one list of one account, under the filters that it was made with.

use entities::ids::AccountId;
use sha2::{Digest, Sha256};

use crate::code::Code;
use crate::error::{Error, Result};
use crate::handle::Domain;

/// Bytes of the hash of the filters.
const FILTERS: usize = 8;

/// What a cursor is good for.
#[derive(Clone, Debug)]
pub struct CursorScope<'a> {
    /// Whose list it is.
    pub account_id: AccountId,
    /// Which list.
    pub operation: &'a str,
    /// The filters, written the same way each time.
    pub filters: String,
}

impl CursorScope<'_> {
    /// The cursor that carries `place`.
    ///
    /// # Errors
    /// What the database said.
    pub async fn seal(&self, domain: &Domain, place: &[u8]) -> Result<String> {
        let payload = [place, &self.filters_hash()].concat();
        Ok(domain.cursor_key().await?.seal(&self.binding(), &payload))
    }

    /// The place that a cursor carries.
    ///
    /// # Errors
    /// `invalid_cursor` for one of another list or account; `cursor_mismatch` for one of other filters.
    pub async fn open(&self, domain: &Domain, cursor: &str) -> Result<Vec<u8>> {
        let payload = domain.cursor_key().await?.open(&self.binding(), cursor);
        let mut place = payload.ok_or_else(invalid_cursor)?;
        let at = place.len().checked_sub(FILTERS).ok_or_else(invalid_cursor)?;
        if place.split_off(at) != self.filters_hash() {
            return Err(Error::new(Code::CursorMismatch, "The cursor was made with other filters."));
        }
        Ok(place)
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

/// The error of a cursor that cannot be read.
pub fn invalid_cursor() -> Error {
    Error::new(Code::InvalidCursor, "The cursor is broken, or was made for another account or list.")
}

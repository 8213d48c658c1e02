//! Cursors of the RSS lists: the id to go on after, signed for the account and the operation, with a
//! hash of the filters it was made under.

use domain::Domain;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::api::error::ApiError;

/// What a cursor is good for.
pub(super) struct Bound<'a> {
    pub(super) account_id: Uuid,
    pub(super) operation: &'a str,
    /// The filters, written the same way each time.
    pub(super) filters: String,
}

impl Bound<'_> {
    /// The cursor of the page after `id`.
    pub(super) async fn seal(&self, domain: &Domain, id: Option<i64>) -> Result<Option<String>, ApiError> {
        let Some(id) = id else { return Ok(None) };
        let mut payload = id.to_be_bytes().to_vec();
        payload.extend(self.filters_hash());
        Ok(Some(domain.cursor_key().await?.seal(&self.binding(), &payload)))
    }

    /// The id that a cursor goes on after; none for no cursor or an empty one.
    pub(super) async fn open(&self, domain: &Domain, cursor: Option<&str>) -> Result<Option<i64>, ApiError> {
        let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else { return Ok(None) };
        let payload = domain.cursor_key().await?.open(&self.binding(), cursor).ok_or_else(invalid)?;
        let (id, filters) = payload.split_first_chunk::<8>().ok_or_else(invalid)?;
        if filters != self.filters_hash() {
            let message = "The cursor was made with other filters.";
            return Err(ApiError::new(422, "cursor_mismatch", message));
        }
        Ok(Some(i64::from_be_bytes(*id)))
    }

    fn binding(&self) -> String {
        format!("{}|{}", self.operation, self.account_id)
    }

    fn filters_hash(&self) -> [u8; 8] {
        let mut first = [0; 8];
        first.copy_from_slice(&Sha256::digest(self.filters.as_bytes())[..8]);
        first
    }
}

fn invalid() -> ApiError {
    ApiError::new(422, "invalid_cursor", "The cursor is broken, or was made for another account or list.")
}

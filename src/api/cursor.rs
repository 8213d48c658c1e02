//! Cursors of lists: the id to go on after, signed for the account and the operation, with a hash of the
//! filters it was made under.

use domain::Code;
use domain::Domain;
use domain::library::sync::{MARK_BYTES, Mark};
use domain::library::{PLACE_BYTES, Place};
use domain::{AccountId, ChangeId, EntryId, MonitorId, MonitorRunId, SubscriptionId};
use poem_openapi::param::Query;
use sha2::{Digest, Sha256};

use super::error::ApiError;
use super::library::TagKey;
use crate::http::params::{Integer, Text};

/// The cursor that a list goes on from.
pub(super) type Cursor = Query<Option<Text<0, 500>>>;
/// Bytes of the hash of the filters.
const FILTERS: usize = 8;
/// The most items on a page.
pub(super) type Limit<const MAX: i64 = 100> = Query<Option<Integer<1, MAX>>>;

/// How many items a page has.
pub(super) fn page_size<const MAX: i64>(limit: &Limit<MAX>) -> u32 {
    limit.0.map_or(50, Integer::get)
}

/// An id that a list goes on after.
pub(super) trait CursorId: Sized {
    /// As many bytes as every such id has.
    fn bytes(&self) -> Vec<u8>;
    /// The id at the front of `bytes`, and what follows it.
    fn split(bytes: &[u8]) -> Option<(Self, &[u8])>;
}

macro_rules! numbered_ids {
    ($($id:ident),*) => {$(
        impl CursorId for $id {
            fn bytes(&self) -> Vec<u8> {
                self.as_i64().to_be_bytes().to_vec()
            }

            fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
                bytes.split_first_chunk::<8>().map(|(id, rest)| (Self::new(i64::from_be_bytes(*id)), rest))
            }
        }
    )*};
}

numbered_ids!(EntryId, SubscriptionId);

macro_rules! uuid_ids {
    ($($id:ident),*) => {$(
        impl CursorId for $id {
            fn bytes(&self) -> Vec<u8> {
                self.as_bytes().to_vec()
            }

            fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
                let (id, rest) = bytes.split_at_checked(16)?;
                Some((Self::from_slice(id)?, rest))
            }
        }
    )*};
}

uuid_ids!(MonitorId, MonitorRunId, ChangeId);

impl CursorId for Place {
    fn bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (place, rest) = bytes.split_first_chunk::<PLACE_BYTES>()?;
        Some((Self::from_bytes(place), rest))
    }
}

impl CursorId for Mark {
    fn bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (mark, rest) = bytes.split_first_chunk::<MARK_BYTES>()?;
        Some((Self::from_bytes(mark), rest))
    }
}

impl CursorId for TagKey {
    fn bytes(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }

    /// The hash of the filters has its own length.
    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (key, rest) = bytes.split_at_checked(bytes.len().checked_sub(FILTERS)?)?;
        Some((Self(String::from_utf8(key.to_vec()).ok()?), rest))
    }
}

/// What a cursor is good for.
pub(super) struct CursorScope<'a> {
    pub(super) account_id: AccountId,
    pub(super) operation: &'a str,
    /// The filters, written the same way each time.
    pub(super) filters: String,
}

impl CursorScope<'_> {
    /// The cursor of the page after `id`.
    pub(super) async fn seal(
        &self,
        domain: &Domain,
        id: Option<impl CursorId>,
    ) -> Result<Option<String>, ApiError> {
        let Some(id) = id else { return Ok(None) };
        let mut payload = id.bytes();
        payload.extend(self.filters_hash());
        Ok(Some(domain.cursor_key().await?.seal(&self.binding(), &payload)))
    }

    /// The id that a cursor goes on after; none for no cursor or an empty one.
    pub(super) async fn open<P: CursorId, const MAX: usize>(
        &self,
        domain: &Domain,
        cursor: Option<&Text<0, MAX>>,
    ) -> Result<Option<P>, ApiError> {
        let Some(cursor) = cursor.map(|text| text.0.as_str()).filter(|cursor| !cursor.is_empty()) else {
            return Ok(None);
        };
        let payload = domain.cursor_key().await?.open(&self.binding(), cursor).ok_or_else(invalid)?;
        let (id, filters) = P::split(&payload).ok_or_else(invalid)?;
        if filters != self.filters_hash() {
            let message = "The cursor was made with other filters.";
            return Err(ApiError::new(Code::CursorMismatch, message));
        }
        Ok(Some(id))
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

fn invalid() -> ApiError {
    ApiError::new(Code::InvalidCursor, "The cursor is broken, or was made for another account or list.")
}

//! Cursors of lists: the id to go on after, signed for the account and the operation, with a hash of the
//! filters it was made under.

use feeds::{CHANGE_MARK_BYTES, ChangeMark, QueryPlace};
use kernel::Domain;
use kernel::cursor_scope;
use kernel::{AccountId, ChangeId, EntryId, MonitorId, MonitorRunId, SubscriptionId};
use library::sync::{MARK_BYTES, Mark};
use library::{PLACE_BYTES, Place};
use poem_openapi::param::Query;

use super::error::ApiError;
use super::library::TagKey;
use http_kit::http::params::{Integer, Text};

/// The cursor that a list goes on from.
pub(super) type Cursor = Query<Option<Text<0, 500>>>;
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

numbered_ids!(EntryId, QueryPlace, SubscriptionId);

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

impl CursorId for ChangeMark {
    fn bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (mark, rest) = bytes.split_first_chunk::<CHANGE_MARK_BYTES>()?;
        Some((Self::from_bytes(mark), rest))
    }
}

impl CursorId for TagKey {
    fn bytes(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        Some((Self(String::from_utf8(bytes.to_vec()).ok()?), &[]))
    }
}

/// What a cursor is good for.
pub(super) struct CursorScope<'a> {
    pub(super) account_id: AccountId,
    pub(super) operation: &'a str,
    /// The filters, written the same way each time.
    pub(super) filters: String,
}

impl<'a> From<cursor_scope::CursorScope<'a>> for CursorScope<'a> {
    fn from(scope: cursor_scope::CursorScope<'a>) -> Self {
        let cursor_scope::CursorScope { account_id, operation, filters } = scope;
        Self { account_id, operation, filters }
    }
}

impl CursorScope<'_> {
    /// The cursor of the page after `id`.
    pub(super) async fn seal(
        &self,
        domain: &Domain,
        id: Option<impl CursorId>,
    ) -> Result<Option<String>, ApiError> {
        let Some(id) = id else { return Ok(None) };
        Ok(Some(self.scope().seal(domain, &id.bytes()).await?))
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
        let place = self.scope().open(domain, cursor).await?;
        match P::split(&place) {
            Some((id, [])) => Ok(Some(id)),
            Some(_) | None => Err(cursor_scope::invalid_cursor().into()),
        }
    }

    fn scope(&self) -> cursor_scope::CursorScope<'_> {
        let Self { account_id, operation, filters } = self;
        cursor_scope::CursorScope { account_id: *account_id, operation, filters: filters.clone() }
    }
}

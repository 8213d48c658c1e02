//! Pagination cursors. A cursor contains the id after which a list continues and a hash of the list's
//! filters, and is signed for the account and the operation.

use feeds::{CHANGE_MARK_BYTES, ChangeMark, QueryCursor};
use kernel::cursor_scope::{CursorScope, invalid_cursor};
use kernel::{ChangeId, Domain, EntryId, InboxMessageId, MonitorId, MonitorRunId, SubscriptionId};
use library::sync::{SYNC_MARK_BYTES, SyncMark};
use library::{ListPosition, POSITION_BYTES};
use poem_openapi::param::Query;

use super::error::ApiError;
use http_kit::http::params::{Integer, Text};

/// Cursor parameter: `nextCursor` of the previous page.
pub(super) type Cursor = Query<Option<Text<0, 500>>>;
/// Page size parameter.
pub(super) type Limit<const MAX: i64 = 100> = Query<Option<Integer<1, MAX>>>;

/// Returns the requested page size, 50 by default.
pub(super) fn page_size<const MAX: i64>(limit: &Limit<MAX>) -> u32 {
    limit.0.map_or(50, Integer::get)
}

/// Id or position after which a list continues.
pub(super) trait CursorId: Sized {
    /// Encodes the id. The length is fixed, unless the id is always the whole cursor.
    fn bytes(&self) -> Vec<u8>;
    /// Decodes an id from the front of `bytes` and returns the remaining bytes.
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

numbered_ids!(EntryId, QueryCursor, SubscriptionId);

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

uuid_ids!(MonitorId, MonitorRunId, ChangeId, InboxMessageId);

/// Number of a row of an import.
pub(super) struct RowNumber(pub(super) u64);

impl CursorId for RowNumber {
    fn bytes(&self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        bytes.split_first_chunk::<8>().map(|(row, rest)| (Self(u64::from_be_bytes(*row)), rest))
    }
}

impl CursorId for ListPosition {
    fn bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (position, rest) = bytes.split_first_chunk::<POSITION_BYTES>()?;
        Some((Self::from_bytes(position), rest))
    }
}

impl CursorId for SyncMark {
    fn bytes(&self) -> Vec<u8> {
        self.to_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (mark, rest) = bytes.split_first_chunk::<SYNC_MARK_BYTES>()?;
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

/// Creates the cursor of the page after `id`. `None` if `id` is `None`: there is no next page.
pub(super) async fn seal_cursor(
    scope: &CursorScope<'_>,
    domain: &Domain,
    id: Option<impl CursorId>,
) -> Result<Option<String>, ApiError> {
    let Some(id) = id else { return Ok(None) };
    Ok(Some(scope.seal(domain, &id.bytes()).await?))
}

/// Returns the id after which the cursor continues. `None` if the cursor is missing or empty.
pub(super) async fn open_cursor<P: CursorId, const MAX: usize>(
    scope: &CursorScope<'_>,
    domain: &Domain,
    cursor: Option<&Text<0, MAX>>,
) -> Result<Option<P>, ApiError> {
    let Some(cursor) = cursor.map(|text| text.0.as_str()).filter(|cursor| !cursor.is_empty()) else {
        return Ok(None);
    };
    let position = scope.open(domain, cursor).await?;
    match P::split(&position) {
        Some((id, [])) => Ok(Some(id)),
        Some(_) | None => Err(invalid_cursor().into()),
    }
}

//! Cursor of a paged read. It contains the snapshot, the next block, and the page size limits of the first request.

use crate::Address;
use entities::ids::SnapshotId;
use kernel::cursor::CursorKey;
use kernel::{Code, Error, Result};

/// Context to which the cursors of paged reads are bound, in addition to the key of their URL.
pub const CURSOR_BINDING: &str = "reader/read/1";

/// Position at which a paged read continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bookmark {
    /// Snapshot that all pages of the read return.
    pub snapshot_id: SnapshotId,
    /// Anchor of the next block.
    pub next: u32,
    /// Anchor of the last requested block. 0 means the last block of the text.
    pub last: u32,
    /// Maximum number of blocks per page. 0 means no limit.
    pub limit: u32,
    /// Maximum number of tokens per page. 0 means no limit.
    pub max_tokens: u32,
}

impl Bookmark {
    /// Encodes the bookmark as an opaque cursor that is bound to `address`.
    pub fn seal(&self, key: &CursorKey, address: &Address) -> String {
        let mut bytes = self.snapshot_id.as_bytes().to_vec();
        for number in [self.next, self.last, self.limit, self.max_tokens] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        key.seal(&binding(address), &bytes)
    }

    /// Decodes a cursor that was created for `address`.
    ///
    /// # Errors
    /// `Invalid` with `invalid_cursor` if the cursor was altered or created for another address.
    pub fn open(key: &CursorKey, address: &Address, cursor: &str) -> Result<Self> {
        let error = || {
            Error::new(
                Code::InvalidCursor,
                "The cursor was not created for this URL. Start again without a cursor.",
            )
        };
        let bytes = key.open(&binding(address), cursor).ok_or_else(error)?;
        let (id, numbers) = bytes.split_first_chunk::<16>().ok_or_else(error)?;
        let numbers: Vec<u32> =
            numbers.as_chunks::<4>().0.iter().map(|chunk| u32::from_be_bytes(*chunk)).collect();
        let [next, last, limit, max_tokens] = numbers[..] else { return Err(error()) };
        Ok(Self { snapshot_id: SnapshotId::from_slice(id).ok_or_else(error)?, next, last, limit, max_tokens })
    }
}

fn binding(address: &Address) -> String {
    format!("{CURSOR_BINDING}/{}", address.key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::testing::TestDatabase;

    #[tokio::test]
    async fn cursor_is_valid_only_for_its_address() {
        let database = TestDatabase::create(kernel::Backend::Sqlite).await;
        let address = |url| Address::parse(&database.domain, url).unwrap();
        let (key, target) = (CursorKey::new([7; 32]), address("https://example.com/a"));
        let bookmark =
            Bookmark { snapshot_id: database.domain.new_id(), next: 3, last: 40, limit: 5, max_tokens: 6 };
        let cursor = bookmark.seal(&key, &target);
        assert_eq!(Bookmark::open(&key, &target, &cursor).unwrap(), bookmark);
        for (key, address, cursor) in [
            (&key, &address("https://example.com/b"), cursor.as_str()),
            (&CursorKey::new([8; 32]), &target, cursor.as_str()),
            (&key, &target, &cursor[1..]),
            (&key, &target, ""),
        ] {
            assert_eq!(Bookmark::open(key, address, cursor).unwrap_err().code, Code::InvalidCursor);
        }
    }
}

//! The place where a paged read goes on: a text, a block and the sizes the first page was asked with.

use crate::Address;
use entities::ids::SnapshotId;
use kernel::code::Code;
use kernel::cursor::CursorKey;
use kernel::error::{Error, Result};

/// What read cursors are sealed for, together with the key of their URL.
pub const CURSOR_BINDING: &str = "reader/read/1";

/// Where a paged read goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bookmark {
    /// The text that all pages are cut from.
    pub snapshot_id: SnapshotId,
    /// Anchor of the next block.
    pub next: u32,
    /// Anchor of the last block that was asked for; 0 means the end of the text.
    pub last: u32,
    /// Blocks a page; 0 means no such limit.
    pub limit: u32,
    /// Tokens a page; 0 means no such limit.
    pub max_tokens: u32,
}

impl Bookmark {
    /// Writes the bookmark as an opaque cursor for `address`.
    pub fn seal(&self, key: &CursorKey, address: &Address) -> String {
        let mut bytes = self.snapshot_id.as_bytes().to_vec();
        for number in [self.next, self.last, self.limit, self.max_tokens] {
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        key.seal(&binding(address), &bytes)
    }

    /// Reads a cursor that was made for `address`.
    ///
    /// # Errors
    /// `Invalid` with `invalid_cursor`.
    pub fn open(key: &CursorKey, address: &Address, cursor: &str) -> Result<Self> {
        let wrong =
            || Error::new(Code::InvalidCursor, "The cursor was not made by this reader for this URL.");
        let bytes = key.open(&binding(address), cursor).ok_or_else(wrong)?;
        let (id, numbers) = bytes.split_first_chunk::<16>().ok_or_else(wrong)?;
        let numbers: Vec<u32> =
            numbers.as_chunks::<4>().0.iter().map(|chunk| u32::from_be_bytes(*chunk)).collect();
        let [next, last, limit, max_tokens] = numbers[..] else { return Err(wrong()) };
        Ok(Self { snapshot_id: SnapshotId::from_slice(id).ok_or_else(wrong)?, next, last, limit, max_tokens })
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
    async fn a_cursor_is_good_for_the_address_it_was_made_for_alone() {
        let database = TestDatabase::create(kernel::Backend::Sqlite).await;
        let address = |url| Address::parse(&database.domain, url).unwrap();
        let (key, here) = (CursorKey::new([7; 32]), address("https://example.com/a"));
        let bookmark =
            Bookmark { snapshot_id: database.domain.new_id(), next: 3, last: 40, limit: 5, max_tokens: 6 };
        let cursor = bookmark.seal(&key, &here);
        assert_eq!(Bookmark::open(&key, &here, &cursor).unwrap(), bookmark);
        for (key, address, cursor) in [
            (&key, &address("https://example.com/b"), cursor.as_str()),
            (&CursorKey::new([8; 32]), &here, cursor.as_str()),
            (&key, &here, &cursor[1..]),
            (&key, &here, ""),
        ] {
            assert_eq!(Bookmark::open(key, address, cursor).unwrap_err().code, Code::InvalidCursor);
        }
    }
}

//! Cursor position in the tag list.

use crate::cursor::CursorId;

/// Key of the tag after which a list continues.
pub(super) struct TagKey(pub(super) String);

/// The key is the last part of the cursor, because its length is not fixed.
impl CursorId for TagKey {
    fn bytes(&self) -> Vec<u8> {
        self.0.as_bytes().to_vec()
    }

    fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        Some((Self(String::from_utf8(bytes.to_vec()).ok()?), &[]))
    }
}

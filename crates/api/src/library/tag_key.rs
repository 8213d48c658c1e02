//! Cursor position in the tag list.

/// Key of the tag after which a list continues.
pub(crate) struct TagKey(pub String);

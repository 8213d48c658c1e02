//! Where a list of tags goes on.

/// The tag that a list goes on after.
pub(crate) struct TagKey(pub String);

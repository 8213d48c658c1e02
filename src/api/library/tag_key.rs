//! Where a list of tags goes on.

/// The tag that a list goes on after.
pub(in crate::api) struct TagKey(pub String);

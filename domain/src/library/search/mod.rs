//! Searching a library: its words, its index, its queries.

pub(crate) mod found;
pub(crate) mod index;
pub(crate) mod matches;
pub(crate) mod query;
pub(crate) mod snippet;
pub(crate) mod spelling;
pub(crate) mod words;

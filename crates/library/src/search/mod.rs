//! Search in a library: index, ranking, phrases, spelling correction, and snippets.

pub(crate) mod hits;
mod id_ranges;
pub(crate) mod index;
pub(crate) mod matches;
mod object_heads;
mod phrases;
pub(crate) mod snippet;
pub(crate) mod spelling;

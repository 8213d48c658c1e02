//! The library: what a person keeps to read, with its tags, notes and highlights, and the way in and out of it.

pub(super) mod actions;
pub(super) mod bulk;
pub(super) mod edit;
pub(super) mod export;
mod fields;
pub(super) mod import;
pub(super) mod item;
pub(super) mod list;
mod marked;
pub(super) mod notes;
pub(super) mod rows;
pub(super) mod save;

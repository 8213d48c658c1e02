//! The library: items that a person has saved, with tags, notes, and highlights; and its import and export.

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

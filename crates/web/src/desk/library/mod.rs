//! The library: items that a person has saved, with tags, notes, and highlights; and its import and export.

pub(super) mod actions;
pub(super) mod bulk_actions;
pub(super) mod edit;
pub(super) mod export;
mod fields;
mod highlight_markup;
pub(super) mod import;
pub(super) mod import_rows;
pub(super) mod import_servers;
pub(super) mod item;
pub(super) mod item_list;
pub(super) mod item_rows;
pub(super) mod notes;
pub(super) mod save;

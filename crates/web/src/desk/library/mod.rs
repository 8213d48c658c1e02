//! Library: saved items with tags, notes, and highlights, and the import and export of the library.

pub(super) mod actions;
pub(super) mod bulk_actions;
mod copy_statement;
pub(super) mod edit;
pub(super) mod export;
mod fields;
pub(super) mod file_upload;
pub(super) mod highlight_card;
mod highlight_list;
pub(super) mod highlight_markup;
mod highlight_picture;
pub(super) mod import;
mod import_fields;
pub(super) mod import_rows;
pub(super) mod import_servers;
pub(super) mod item;
pub(super) mod item_list;
pub(super) mod item_question;
pub(super) mod item_rows;
pub(super) mod item_summary;
pub(super) mod notes;
pub(super) mod page_copies;
pub(super) mod public_tags;
pub(super) mod quote_share;
pub(super) mod review;
pub(super) mod save;
pub(super) mod shared;

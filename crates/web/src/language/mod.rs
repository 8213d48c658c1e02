//! Texts, numbers, and dates of pages in the languages of [`kernel::Language`]. The texts are in
//! `crates/web/locales`, one folder per language, and are compiled into the executable.

mod catalogue;
pub(crate) mod choice;
pub(crate) mod formats;
mod pieces;
pub(crate) mod text;

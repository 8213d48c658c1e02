//! Texts, numbers, dates, and sort orders of pages in the languages of [`kernel::Language`]. The texts are in the
//! folder `locales` of this crate, one folder per language.

mod catalogue;
pub(crate) mod choice;
pub(crate) mod formats;
pub(crate) mod job_kind_name;
pub(crate) mod order;
mod pieces;
pub(crate) mod text;

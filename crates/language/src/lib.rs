//! Texts, numbers, dates, and sort orders in the languages of [`kernel::Language`].
//!
//! A crate with texts has Fluent files in its folder `locales`, one folder per language, and declares them as a
//! [`Catalogue`] with [`catalogue!`]. The files are compiled into the executable.

mod catalogue;
pub mod collation;
pub mod formats;
mod pseudo;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
mod words;

pub use catalogue::{Catalogue, Files};
pub use fluent_bundle::{FluentArgs, FluentValue};
pub use kernel::Language;
pub use text::{CatalogueText, Key};
pub use words::values_between;

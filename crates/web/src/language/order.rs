//! Order of names on pages.

use http_kit::page_language;
use language::collation;

/// Sorts a list by names, in the language of the reader. Lists with further pages keep their order: see
/// [`collation`].
pub(crate) fn sort_by_name<T>(list: &mut [T], name: impl Fn(&T) -> &str) {
    collation::sort_by_name(page_language::current().shell, list, name);
}

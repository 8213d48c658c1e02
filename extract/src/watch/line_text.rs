//! Text of one line of a snapshot.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::clean;

/// Separator between the parts of a list item.
pub(super) const PART_SEPARATOR: &str = " · ";

/// Normalises text: NFC, collapsed white space, no control characters and no characters that reorder text.
pub(super) fn tidy(text: &str) -> String {
    let mut text = clean::fold(text);
    clean::strip_controls(&mut text);
    compose(text)
}

/// Converts a text to NFC.
pub(super) fn compose(text: String) -> String {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        text
    } else {
        text.nfc().collect()
    }
}

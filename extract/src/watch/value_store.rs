//! Values of items, with their size bounded.

use super::line_text::tidy;
use crate::text_hash::hash;

/// A longer value, in characters, may be stored as its start and a hash of the whole.
const MAX_VALUE_CHARS: usize = 4_000;
/// Bytes of long values that a snapshot stores as a whole.
const MAX_LONG_BYTES: usize = 16 << 20;

/// Bounds the size of the values of a snapshot. Long values are stored as a whole while their sum is within
/// the limit. Others are stored with a hash, so that they differ if anything in the rest differs.
#[derive(Default)]
pub(super) struct ValueStore {
    long_bytes: usize,
    pub(super) is_cut: bool,
}

impl ValueStore {
    /// Normalised value to store, or `None` if it is empty.
    pub(super) fn value(&mut self, text: &str) -> Option<String> {
        let text = tidy(text);
        (!text.is_empty()).then(|| self.bounded(text))
    }

    /// Value to store.
    pub(super) fn bounded(&mut self, text: String) -> String {
        if text.chars().nth(MAX_VALUE_CHARS).is_none() {
            return text;
        }
        if self.long_bytes + text.len() <= MAX_LONG_BYTES {
            self.long_bytes += text.len();
            return text;
        }
        self.is_cut = true;
        with_hash(&text)
    }
}

/// Start of a long text with the number of characters that are left out, and a hash of the whole.
pub(super) fn with_hash(text: &str) -> String {
    let left_out = text.chars().count().saturating_sub(MAX_VALUE_CHARS);
    if left_out == 0 {
        return text.to_owned();
    }
    format!("{} [{left_out} more characters, {:016x}]", cut(text, MAX_VALUE_CHARS), hash(text))
}

/// First characters of a text.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

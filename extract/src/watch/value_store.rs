//! Values of items, with limited size.

use super::line_text::tidy;
use crate::text_hash::hash;

/// Maximum number of characters in a value that is always stored as a whole. A longer value may be stored as
/// its beginning and a hash.
const MAX_VALUE_CHARS: usize = 4_000;
/// Maximum total number of bytes of longer values that a snapshot stores as a whole.
const MAX_LONG_BYTES: usize = 16 << 20;

/// Limits the size of the values of a snapshot. Longer values are stored as a whole until their total size
/// reaches the limit. Further long values are stored as their beginning and a hash, so that a difference in
/// the omitted text is still detected.
#[derive(Default)]
pub(super) struct ValueStore {
    long_bytes: usize,
    pub(super) is_cut: bool,
}

impl ValueStore {
    /// Normalises a value for storage. `None` if it is empty.
    pub(super) fn value(&mut self, text: &str) -> Option<String> {
        let text = tidy(text);
        (!text.is_empty()).then(|| self.bounded(text))
    }

    /// Shortens a value if the limit is reached.
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

/// Beginning of a long text, the number of omitted characters, and a hash of the whole text.
pub(super) fn with_hash(text: &str) -> String {
    let left_out = text.chars().count().saturating_sub(MAX_VALUE_CHARS);
    if left_out == 0 {
        return text.to_owned();
    }
    format!("{} [{left_out} more characters, {:016x}]", cut(text, MAX_VALUE_CHARS), hash(text))
}

/// First `most` characters of a text, followed by `…` if the text is longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

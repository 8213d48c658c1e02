//! Texts in XML documents.

use extract::render::escape;

/// A text as it stands in XML, which cannot write every character.
pub(super) fn written(text: &str) -> String {
    let is_written = |c: &char| {
        (!c.is_control() || matches!(c, '\t' | '\n' | '\r')) && !matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    escape(text).chars().filter(is_written).collect()
}

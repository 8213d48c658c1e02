//! Text escaping for XML documents.

use extract::render::escape;

/// Escapes text for XML, and removes characters that XML cannot represent.
pub(super) fn xml_text(text: &str) -> String {
    let is_written = |c: &char| {
        (!c.is_control() || matches!(c, '\t' | '\n' | '\r')) && !matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    escape(text).chars().filter(is_written).collect()
}

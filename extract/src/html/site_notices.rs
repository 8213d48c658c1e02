//! Lines in which the site speaks to its reader: placeholders of embedded content, sharing, sign-in. They are not
//! part of the text.

use crate::{clean, metadata::is_eastern};

/// Maximum number of words in a notice.
const MAX_NOTICE_WORDS: usize = 40;
/// Maximum number of words in a label above links to other texts.
const MAX_LABEL_WORDS: usize = 5;

/// Beginnings of notices, in lower case.
const BEGINNINGS: [&str; 26] = [
    "externer inhalt nicht verfügbar",
    "ich bin damit einverstanden, dass mir",
    "personenbezogene daten können an drittplattformen",
    "an dieser stelle finden sie",
    "empfohlener redaktioneller inhalt",
    "external content is not available",
    "this content is hosted by",
    "to view this content",
    "ce contenu est bloqué",
    "este contenido no se puede",
    "teilen sie dies mit",
    "share this:",
    "share this article",
    "like this:",
    "gefällt mir:",
    "wird geladen",
    "partager :",
    "comparte esto:",
    "sie müssen sich einloggen",
    "sie müssen angemeldet sein",
    "du musst angemeldet sein",
    "you must be logged in",
    "please log in to",
    "vous devez être connecté",
    "zum newsletter anmelden",
    "sign up for our newsletter",
];

/// True for a line in which the site speaks to its reader, and for a variable that the page failed to replace.
pub(super) fn is_notice(text: &str) -> bool {
    let text = text.trim();
    let variable = text.strip_prefix("$$").and_then(|rest| rest.strip_suffix("$$"));
    let is_variable = variable.is_some_and(|name| {
        name.len() > 5 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    let words = clean::words(text);
    is_variable
        || words <= MAX_NOTICE_WORDS && {
            let lower = text.to_lowercase();
            BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        }
}

/// True for a line that can be a label above links, such as `Read more:`.
pub(super) fn may_be_label(text: &str) -> bool {
    let text = text.trim();
    let is_short =
        clean::words(text) <= MAX_LABEL_WORDS && text.chars().filter(|c| is_eastern(*c)).count() <= 8;
    is_short && text.ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_the_site_are_recognised_by_their_beginning() {
        for text in [
            "Externer Inhalt nicht verfügbar",
            "Share this:",
            "$$ARTICLEAD$$",
            "Sie müssen sich einloggen, um zu kommentieren.",
        ] {
            assert!(is_notice(text), "{text}");
        }
        for text in
            ["$$x + y$$", "$$E$$", "Share this secret with nobody.", "The external content of the box"]
        {
            assert!(!is_notice(text), "{text}");
        }
        assert!(may_be_label("Mehr lesen:") && !may_be_label("Mehr lesen"));
    }
}

//! Name of an installed font that a person chose for texts. It is part of the appearance cookie and of the address of
//! a stylesheet, because pages allow no inline styles.

/// Maximum number of characters in the name of a font.
pub(super) const MAX_FACE_NAME: usize = 60;
/// Prefix of the word of the cookie that contains the name.
const WORD: &str = "own-";
/// Prefix of the file name of the stylesheet.
const FILE: &str = "face-";
/// Character that replaces a space in the cookie and in addresses.
const SPACE: char = '_';

/// Name of 1 to 60 ASCII letters, digits, spaces, and hyphens, none of which can end a string in a stylesheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FaceName {
    bytes: [u8; MAX_FACE_NAME],
    length: usize,
}

impl FaceName {
    /// Parses a name. `None` if it is blank, too long, or has another character.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-');
        if text.is_empty() || !text.bytes().all(is_allowed) {
            return None;
        }
        let mut bytes = [0; MAX_FACE_NAME];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { bytes, length: text.len() })
    }

    /// Parses a word of the cookie. `None` if it contains no valid name.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::parse(&word.strip_prefix(WORD)?.replace(SPACE, " "))
    }

    /// Parses the file name of a stylesheet.
    pub(super) fn of_file(name: &str) -> Option<Self> {
        Self::parse(&name.strip_prefix(FILE)?.strip_suffix(".css")?.replace(SPACE, " "))
    }

    pub(super) fn as_str(&self) -> &str {
        let name = self.bytes.get(..self.length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        name.unwrap_or_default()
    }

    /// Returns the word that the cookie stores.
    pub(super) fn word(self) -> String {
        format!("{WORD}{}", self.without_spaces())
    }

    /// Returns the path of the stylesheet.
    pub(super) fn stylesheet_path(self) -> String {
        format!("/assets/{FILE}{}.css", self.without_spaces())
    }

    /// Returns the stylesheet, which defines the font of texts.
    pub(super) fn stylesheet(self) -> String {
        format!(":root {{ --own-face: \"{}\"; }}\n", self.as_str())
    }

    fn without_spaces(self) -> String {
        self.as_str().replace(' ', &SPACE.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_with_characters_that_could_end_a_stylesheet_string_is_rejected() {
        for name in ["Inter", "Source Serif 4", "Noto-Sans CJK", &"x".repeat(MAX_FACE_NAME)] {
            assert_eq!(FaceName::parse(name).unwrap().as_str(), name);
        }
        let long = "x".repeat(MAX_FACE_NAME + 1);
        for name in [
            "", "  ", "a\"b", "a\\b", "a;b", "a}b", "a/b", "a.b", "a_b", "a\nb", "a\u{e9}", "a(b)", "a<b",
            &long,
        ] {
            assert_eq!(FaceName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn name_round_trips_through_cookie_and_address() {
        let name = FaceName::parse("Source Serif 4").unwrap();
        assert_eq!(FaceName::of_word(&name.word()), Some(name));
        let path = name.stylesheet_path();
        assert_eq!(path, "/assets/face-Source_Serif_4.css");
        assert_eq!(FaceName::of_file(path.trim_start_matches("/assets/")), Some(name));
        assert_eq!(name.stylesheet(), ":root { --own-face: \"Source Serif 4\"; }\n");
        assert_eq!((FaceName::of_word("browser"), FaceName::of_file("face-a%22.css")), (None, None));
    }
}

//! The `Content-Disposition` header of a download (RFC 6266).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters of a `filename*` that need no escape (RFC 8187).
const NAME: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_');

/// Returns the header value for a file name: `filename` in ASCII for old clients, and `filename*` with the
/// exact name.
pub fn disposition(name: &str) -> String {
    let plain = plain_name(name);
    let exact = utf8_percent_encode(name, &NAME);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

/// Converts a file name to ASCII. A run of other characters becomes an underscore. A stem without ASCII
/// letters or digits becomes `file`.
fn plain_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_ascii_alphanumeric() || "._- ".contains(character) {
            plain.push(character);
        } else if !plain.ends_with('_') {
            plain.push('_');
        }
    }
    let stem_end = plain.rfind('.').unwrap_or(plain.len());
    if plain[..stem_end].contains(|character: char| character.is_ascii_alphanumeric()) {
        return plain;
    }
    format!("file{}", &plain[stem_end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_non_ascii_characters_of_a_file_name_are_escaped() {
        assert_eq!(
            disposition("a \"b\"\u{fc}.pdf"),
            "attachment; filename=\"a _b_.pdf\"; filename*=UTF-8''a%20%22b%22%C3%BC.pdf"
        );
    }

    #[test]
    fn characters_outside_ascii_are_replaced_in_the_plain_name() {
        for (name, plain) in [
            ("日本語 ファイル.txt", "file.txt"),
            ("Größe.pdf", "Gr_e.pdf"),
            ("十六", "file"),
            (".txt", "file.txt"),
        ] {
            assert_eq!(plain_name(name), plain);
        }
    }
}

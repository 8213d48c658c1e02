//! Names of files for texts that somebody downloads.

/// The longest name without its ending, in characters.
const NAME_CHARS: usize = 80;

/// The name of a file for a text of this title: what every system takes as a name.
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
    fn a_name_has_no_letters_that_lead_elsewhere() {
        assert_eq!(of_title("../a\\b: \"c\"\u{7} ü", "epub"), ".. a b c ü.epub");
        assert_eq!(of_title("???", "md"), "text.md");
    }
}

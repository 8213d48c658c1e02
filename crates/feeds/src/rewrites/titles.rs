//! Titles without words in capitals.

/// Minimum number of letters of a word in capitals that does not count as an abbreviation.
const LONG_WORD: usize = 6;

/// Converts words in capitals to lower case: all of them if they are at least two thirds of the title,
/// otherwise only the long ones. The first letter of the title stays a capital.
pub(super) fn without_capitals(title: &str) -> String {
    let words: Vec<&str> = title.split(' ').collect();
    let with_letters = words.iter().filter(|word| letters(word) > 1).count();
    let in_capitals = words.iter().filter(|word| is_in_capitals(word)).count();
    let is_most = in_capitals > 1 && in_capitals * 3 >= with_letters * 2;
    let word = |word: &&str| {
        if is_in_capitals(word) && (is_most || letters(word) >= LONG_WORD) {
            word.to_lowercase()
        } else {
            (*word).to_owned()
        }
    };
    let lowered = words.iter().map(word).collect::<Vec<_>>().join(" ");
    if title.starts_with(char::is_uppercase) { with_capital(&lowered) } else { lowered }
}

/// Returns the number of letters that have a lower and an upper case.
fn letters(word: &str) -> usize {
    word.chars().filter(|letter| letter.is_uppercase() || letter.is_lowercase()).count()
}

fn is_in_capitals(word: &str) -> bool {
    letters(word) > 1 && !word.chars().any(char::is_lowercase)
}

fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_capitals;

    #[test]
    fn words_in_capitals_are_converted_to_lower_case() {
        for (title, expected) in [
            ("YOU WILL NEVER GUESS THIS", "You will never guess this"),
            ("This is UNBELIEVABLE, says NASA", "This is unbelievable, says NASA"),
            ("ЦЕ НЕЙМОВІРНА НОВИНА", "Це неймовірна новина"),
            ("BREAKING: ferry sinks", "Breaking: ferry sinks"),
            ("iPhone and HTML", "iPhone and HTML"),
            ("NASA", "NASA"),
            ("港の船", "港の船"),
            ("", ""),
        ] {
            assert_eq!(without_capitals(title), expected);
        }
    }
}

//! Pseudolocale for layout tests: every text of the catalogue has accents, is about a third longer, and has
//! brackets, so that tests detect truncated and untranslated texts. Arguments are unchanged.

use std::borrow::Cow;

/// Encloses a text in brackets.
pub(crate) fn in_brackets(text: &str) -> String {
    format!("⟦{text}⟧")
}

/// Adds accents to the letters of a text and doubles its vowels.
pub(crate) fn lengthened(text: &str) -> Cow<'_, str> {
    let mut longer = String::with_capacity(text.len() * 2);
    for letter in text.chars() {
        match accented(letter) {
            Some((accented, is_vowel)) => {
                longer.push(accented);
                if is_vowel {
                    longer.push(accented);
                }
            }
            None => longer.push(letter),
        }
    }
    Cow::Owned(longer)
}

/// Returns a letter with an accent, and whether it is a vowel. `None` for other characters.
const fn accented(letter: char) -> Option<(char, bool)> {
    Some(match letter {
        'a' => ('á', true),
        'e' => ('é', true),
        'i' => ('î', true),
        'o' => ('ö', true),
        'u' => ('û', true),
        'A' => ('Å', true),
        'E' => ('É', true),
        'I' => ('Î', true),
        'O' => ('Ö', true),
        'U' => ('Û', true),
        'c' => ('ç', false),
        'n' => ('ñ', false),
        's' => ('š', false),
        'y' => ('ý', false),
        'C' => ('Ç', false),
        'N' => ('Ñ', false),
        'S' => ('Š', false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pseudo_text_is_a_third_longer_and_retains_its_markup() {
        assert_eq!(lengthened("Save it"), "Šáávéé îît");
        assert_eq!(lengthened("Read <1>this</1>."), "Rééáád <1>thîîš</1>.");
        let text = "A monitor checks a page by a schedule and reports its changes.";
        let (before, after) = (text.chars().count(), lengthened(text).chars().count());
        assert!((125..=145).contains(&(after * 100 / before)), "{before} {after}");
    }
}

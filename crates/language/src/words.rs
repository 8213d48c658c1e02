//! Words of English texts, by which a stored text is recognised.

use fluent_bundle::FluentArgs;
use kernel::Language;

use crate::catalogue::Catalogue;
use crate::text::Key;

/// Mark of an argument. Texts contain no private characters.
const MARK: char = '\u{e000}';

impl Catalogue {
    /// Returns the words of the English text before, between, and after its arguments.
    pub fn english_words(&self, key: Key, arguments: &[&'static str]) -> Vec<String> {
        let mut marks = FluentArgs::new();
        for name in arguments {
            marks.set(*name, MARK.to_string());
        }
        let text = self.format(Language::English, key.0, Some(&marks));
        text.split(MARK).map(str::to_owned).collect()
    }
}

/// Returns the values between `words` in a text. `None` if the text has other words.
pub fn values_between<'a>(text: &'a str, words: &[String]) -> Option<Vec<&'a str>> {
    let (first, rest) = words.split_first()?;
    let mut text = text.strip_prefix(first.as_str())?;
    let Some((last, middle)) = rest.split_last() else { return text.is_empty().then(Vec::new) };
    let mut values = Vec::new();
    for words in middle {
        let (value, after) = text.split_once(words.as_str())?;
        values.push(value);
        text = after;
    }
    values.push(text.strip_suffix(last.as_str())?);
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_the_words_are_returned() {
        let words = ["from ", " to ", "."].map(str::to_owned);
        assert_eq!(values_between("from 1 to 2.", &words), Some(vec!["1", "2"]));
        for other in ["from 1 to 2", "to 1 from 2.", "from 1."] {
            assert_eq!(values_between(other, &words), None, "{other}");
        }
        assert_eq!(values_between("alone", &["alone".to_owned()]), Some(Vec::new()));
        assert_eq!(values_between("alone.", &["alone".to_owned()]), None);
    }
}

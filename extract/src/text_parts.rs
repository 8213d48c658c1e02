//! Parts of a page that belong to its text: the elements that a person selected, without those that the person
//! removed.

/// Separates the selectors in the text form.
const SEPARATOR: char = '\u{1f}';

/// CSS selectors of the parts of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextParts {
    /// Selector of the elements to read. `None` for the main part of the page.
    pub selector: Option<String>,
    /// Selectors of the elements to remove.
    pub removed: Vec<String>,
}

impl TextParts {
    /// Parses the text form.
    pub fn parse(text: &str) -> Self {
        let mut selectors = text.split(SEPARATOR).map(str::to_owned);
        let selector = selectors.next().filter(|selector| !selector.is_empty());
        Self { selector, removed: selectors.collect() }
    }

    /// Text form: the selector, followed by the text form of the removed parts. `None` for the whole main part.
    pub fn text(&self) -> Option<String> {
        let text =
            format!("{}{}", self.selector.as_deref().unwrap_or_default(), Self::of_removed(&self.removed));
        Some(text).filter(|text| !text.is_empty())
    }

    /// Text form of removed parts. Empty if there are none.
    pub fn of_removed(removed: &[String]) -> String {
        removed.iter().flat_map(|selector| [SEPARATOR.to_string(), selector.clone()]).collect()
    }

    /// True if a selector cannot be part of the text form.
    pub fn is_ambiguous(selector: &str) -> bool {
        selector.contains(SEPARATOR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_formatted_as_text_and_parsed() {
        for (selector, removed, text) in [
            (None, vec![], None),
            (Some(".story"), vec![], Some(".story")),
            (None, vec![".a", "aside p"], Some("\u{1f}.a\u{1f}aside p")),
            (Some(".story"), vec![".a"], Some(".story\u{1f}.a")),
        ] {
            let removed = removed.into_iter().map(str::to_owned).collect();
            let parts = TextParts { selector: selector.map(str::to_owned), removed };
            assert_eq!(parts.text().as_deref(), text);
            assert_eq!(TextParts::parse(text.unwrap_or_default()), parts);
        }
        assert!(TextParts::is_ambiguous("a\u{1f}b") && !TextParts::is_ambiguous("a b"));
    }
}

//! A text of a catalogue with its arguments.

use fluent_bundle::{FluentArgs, FluentValue};
use kernel::Language;

use crate::catalogue::Catalogue;

/// Key of a text. A test compares the keys in the code with the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(pub &'static str);

/// Text of a catalogue in one language.
pub struct CatalogueText<'a> {
    catalogue: &'static Catalogue,
    language: Language,
    key: Key,
    arguments: Option<FluentArgs<'a>>,
}

impl Catalogue {
    /// Returns the text with this key.
    pub const fn text<'a>(&'static self, language: Language, key: Key) -> CatalogueText<'a> {
        CatalogueText { catalogue: self, language, key, arguments: None }
    }
}

impl<'a> CatalogueText<'a> {
    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<FluentValue<'a>>) -> Self {
        self.arguments.get_or_insert_with(FluentArgs::new).set(name, value);
        self
    }

    /// Returns the formatted text. URLs in it contain no direction marks, which programs would treat as
    /// part of the URL.
    #[must_use]
    pub fn get(&self) -> String {
        let text = self.catalogue.format(self.language, self.key.0, self.arguments.as_ref());
        if self.language.is_right_to_left() { without_isolated_urls(&text) } else { text }
    }
}

/// Removes the marks that isolate a URL from the text next to it.
fn without_isolated_urls(text: &str) -> String {
    let mut parts = text.split('\u{2068}');
    let mut cleaned = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if part.starts_with("http") {
            cleaned.push_str(&part.replacen('\u{2069}', "", 1));
        } else {
            cleaned.push('\u{2068}');
            cleaned.push_str(part);
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isolation_marks_are_removed_from_urls_and_retained_in_names() {
        assert_eq!(
            without_isolated_urls("at \u{2068}https://a.example\u{2069} by \u{2068}Ada\u{2069}."),
            "at https://a.example by \u{2068}Ada\u{2069}."
        );
        assert_eq!(without_isolated_urls("plain"), "plain");
    }
}

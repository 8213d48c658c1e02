//! Texts of the catalogue by their keys, for templates. A test compares the keys in the code with the
//! catalogue.

use http_kit::page_language;
use language::{FluentArgs, FluentValue, Key};
use maud::{Markup, Render, html};

use super::catalogue::PAGES;
use super::choice::tag_of_english;
use super::pieces::{mark, split_at_links, split_at_marks};

/// Text in the language of the page's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) &'static str);

/// Text in the language of the page's shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShellText(pub(crate) &'static str);

/// Text with arguments, in the language of the page's content.
pub(crate) struct FilledText<'a> {
    key: &'static str,
    arguments: FluentArgs<'a>,
}

impl Text {
    /// Returns the words of a text without arguments.
    pub(crate) fn get(self) -> String {
        PAGES.format(page_language::current().content, self.0, None)
    }

    /// Adds an argument.
    pub(crate) fn with<'a>(self, name: &'static str, value: impl Into<FluentValue<'a>>) -> FilledText<'a> {
        FilledText { key: self.0, arguments: FluentArgs::new() }.with(name, value)
    }

    /// Returns the words of the text with these arguments.
    pub(crate) fn with_values(self, values: impl Iterator<Item = (&'static str, String)>) -> String {
        let filled = FilledText { key: self.0, arguments: FluentArgs::new() };
        values.fold(filled, |filled, (name, value)| filled.with(name, value)).get()
    }

    /// Returns the words of the English text before, between, and after its arguments.
    pub(crate) fn english_words(self, arguments: &[&'static str]) -> Vec<String> {
        PAGES.english_words(Key(self.0), arguments)
    }

    /// Renders the text with its numbered links: `<1>` leads to the first address.
    pub(crate) fn linked(self, addresses: &[&str]) -> Markup {
        links(&self.get(), addresses)
    }

    /// Renders the text with markup as arguments.
    pub(crate) fn markup(self, arguments: &[(&'static str, Markup)]) -> Markup {
        FilledText { key: self.0, arguments: FluentArgs::new() }.markup(arguments)
    }
}

impl Render for Text {
    fn render_to(&self, buffer: &mut String) {
        self.get().render_to(buffer);
    }
}

impl ShellText {
    /// Returns the words of the text.
    pub(crate) fn get(self) -> String {
        PAGES.format(page_language::current().shell, self.0, None)
    }
}

impl Render for ShellText {
    fn render_to(&self, buffer: &mut String) {
        self.get().render_to(buffer);
    }
}

impl<'a> FilledText<'a> {
    /// Adds an argument.
    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<FluentValue<'a>>) -> Self {
        self.arguments.set(name, value);
        self
    }

    /// Returns the words of the text.
    pub(crate) fn get(&self) -> String {
        PAGES.format(page_language::current().content, self.key, Some(&self.arguments))
    }

    /// Renders the text with its numbered links: `<1>` leads to the first address. Arguments contain no links.
    pub(crate) fn linked(&self, addresses: &[&str]) -> Markup {
        links(&self.get(), addresses)
    }

    /// Renders the text with more arguments, which are markup.
    pub(crate) fn markup(mut self, arguments: &[(&'static str, Markup)]) -> Markup {
        for (number, (name, _)) in arguments.iter().enumerate() {
            self.arguments.set(*name, mark(number));
        }
        let text = self.get();
        html! { @for (number, words) in split_at_marks(&text) {
            @if let Some((_, markup)) = number.and_then(|number| arguments.get(number)) { (markup) }
            (words)
        } }
    }
}

impl Render for FilledText<'_> {
    fn render_to(&self, buffer: &mut String) {
        self.get().render_to(buffer);
    }
}

/// Renders a text with its numbered links.
fn links(text: &str, addresses: &[&str]) -> Markup {
    html! { @for (number, words) in split_at_links(text) {
        @match number.and_then(|number| addresses.get(number)) {
            Some(address) => { a href=(address) { (words) } },
            None => { (words) },
        }
    } }
}

/// Renders words that are English on every page, such as the title of an error.
pub(crate) fn in_english(words: &str) -> Markup {
    html! { @if let Some(language) = tag_of_english() { span lang=(language) { (words) } } @else { (words) } }
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    #[test]
    fn shell_and_content_have_their_own_languages_and_are_escaped() {
        let page = || html! { (ShellText("skip")) "|" (Text("error-title").with("title", "<b>")) };
        assert_eq!(page().into_string(), "Skip to content|Error: &lt;b&gt;");
        let languages = PageLanguages { shell: Language::German, content: Language::French };
        assert_eq!(with_sync(languages, page).into_string(), "Zum Inhalt springen|Erreur : &lt;b&gt;");
    }

    #[test]
    fn links_and_markup_are_inserted_at_their_marks_in_the_text() {
        let new = || Text("sign-in-new").linked(&["/sign-up?a&b"]);
        assert_eq!(new().into_string(), "No account yet? <a href=\"/sign-up?a&amp;b\">Create one</a>.");
        let title = || Text("error-title").markup(&[("title", html! { b { "<" } })]);
        assert_eq!(title().into_string(), "Error: <b>&lt;</b>");
        let languages = PageLanguages { shell: Language::Arabic, content: Language::Arabic };
        let isolated = with_sync(languages, title).into_string();
        assert_eq!(isolated, "خطأ: \u{2068}<b>&lt;</b>\u{2069}");
    }
}

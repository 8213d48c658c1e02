//! Scripts with their texts, which the page gives them as a data attribute, in its language.

use http_kit::page_language;
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::assets::Asset;
use super::language::text::{ShellText, Text};

/// Numbers with all plural forms of all languages. A script uses the form of the number that belongs to the same
/// plural category as its own.
const SAMPLES: [u32; 6] = [1, 2, 3, 5, 11, 100];

/// Texts of the script of desk pages: the list of keys, in the language of the shell.
const DESK: [ShellText; 36] = [
    ShellText("keys-title"),
    ShellText("script-close"),
    ShellText("key-next"),
    ShellText("key-previous"),
    ShellText("key-open"),
    ShellText("key-next-page"),
    ShellText("key-back"),
    ShellText("key-mark"),
    ShellText("key-mark-previous"),
    ShellText("key-mark-all"),
    ShellText("key-star"),
    ShellText("key-archive"),
    ShellText("key-full"),
    ShellText("key-original-tab"),
    ShellText("key-original"),
    ShellText("key-attachment"),
    ShellText("key-feed"),
    ShellText("key-refresh"),
    ShellText("key-follow"),
    ShellText("key-unfollow"),
    ShellText("key-select"),
    ShellText("key-undo"),
    ShellText("key-search"),
    ShellText("key-today"),
    ShellText("key-unread"),
    ShellText("key-all"),
    ShellText("key-read"),
    ShellText("key-starred"),
    ShellText("key-feeds"),
    ShellText("key-collections"),
    ShellText("key-library"),
    ShellText("key-monitors"),
    ShellText("key-settings"),
    ShellText("key-top"),
    ShellText("key-close"),
    ShellText("key-help"),
];

/// Texts of the script of reading pages, in the language of the content.
const READING: [Text; 11] = [
    Text("script-close"),
    Text("copy-markdown"),
    Text("copy-markdown-done"),
    Text("copy-markdown-failed"),
    Text("script-copy"),
    Text("copy-done"),
    Text("copy-failed"),
    Text("copy-failed-selected"),
    Text("script-share"),
    Text("note-jump"),
    Text("reading-stop"),
];

/// Renders the script of desk pages.
pub(super) fn desk_script() -> Markup {
    let mut texts: Map<String, Value> =
        DESK.iter().map(|text| (text.0.to_owned(), text.get().into())).collect();
    for text in [Text("entries-new-count"), Text("entries-new-most")] {
        texts.insert(text.0.to_owned(), plural_forms(text));
    }
    let language = page_language::current().content.tag();
    html! {
        script src=(Asset::Desk.path()) defer data-language=(language) data-texts=(Value::Object(texts).to_string()) {}
    }
}

/// Renders the script of reading pages.
pub(super) fn reading_script() -> Markup {
    let mut texts: Map<String, Value> =
        READING.iter().map(|text| (text.0.to_owned(), text.get().into())).collect();
    let left = Text("minutes-left");
    texts.insert(left.0.to_owned(), plural_forms(left));
    let language = page_language::current().content;
    html! {
        script src=(Asset::Reading.path()) defer data-language=(language.tag()) data-direction=(language.direction()) data-texts=(Value::Object(texts).to_string()) {}
    }
}

/// Returns the plural forms of a text by the numbers that they contain.
fn plural_forms(text: Text) -> Value {
    let forms = SAMPLES.map(|count| (count.to_string(), Value::from(text.with("count", count).get())));
    Value::Object(forms.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_gets_its_texts_with_all_plural_forms() {
        let page = desk_script().into_string();
        assert!(page.starts_with("<script src=\"/assets/desk-"), "{page}");
        assert!(page.contains("&quot;key-back&quot;:&quot;back&quot;"), "{page}");
        let page = reading_script().into_string();
        assert!(page.contains("&quot;1&quot;:&quot;1 minute left&quot;"), "{page}");
        assert!(page.contains("&quot;100&quot;:&quot;100 minutes left&quot;"), "{page}");
    }

    #[test]
    fn scripts_use_every_text_that_they_get() {
        let desk = include_str!("desk.js");
        for text in DESK {
            assert!(desk.contains(&format!("\"{}\"", text.0)), "{}", text.0);
        }
        let reading = include_str!("reading.js");
        for text in READING {
            assert!(reading.contains(&format!("\"{}\"", text.0)), "{}", text.0);
        }
    }
}

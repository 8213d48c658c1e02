//! Scripts of pages. A page passes the texts of a script in a data attribute, in the language of the page.

use http_kit::page_language;
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::assets::Asset;
use super::language::text::{ShellText, Text};

/// Numbers that cover the plural categories of all languages. To format a number, a script uses the form of the
/// sample in the same plural category.
const SAMPLES: [u32; 6] = [1, 2, 3, 5, 11, 100];

/// Texts of the script of desk pages: the list of keys, in the language of the shell.
const DESK: [ShellText; 41] = [
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
    ShellText("key-next-paragraph"),
    ShellText("key-previous-paragraph"),
    ShellText("key-highlight"),
    ShellText("key-highlight-note"),
    ShellText("key-passage"),
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

/// Texts of the scripts of reading pages, in the language of the content.
const READING: [Text; 20] = [
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
    Text("listen-pause"),
    Text("listen-continue"),
    Text("listen-previous"),
    Text("listen-next"),
    Text("listen-next-text"),
    Text("listen-voice"),
    Text("listen-voice-any"),
    Text("listen-failed"),
    Text("recording-speed"),
];

/// Texts of the script for offline reading, in the language of the content.
const OFFLINE: [Text; 15] = [
    Text("entries-mark-read"),
    Text("entries-star"),
    Text("items-archive"),
    Text("highlight-add"),
    Text("stored-not-possible"),
    Text("stored-not-allowed"),
    Text("queued-text"),
    Text("queued-waiting"),
    Text("queued-remove"),
    Text("queued-removed"),
    Text("queued-stored"),
    Text("queued-highlight-stored"),
    Text("queued-not-stored"),
    Text("queued-show"),
    Text("queued-reload"),
];

/// Texts of the script that asks the browser for a passkey.
const PASSKEY: [Text; 3] = [Text("passkey-unsupported"), Text("passkey-exists"), Text("passkey-not-given")];

/// Texts of the script that renders a quote as a picture.
const QUOTE_PICTURE: [Text; 9] = [
    Text("picture-of-quote"),
    Text("picture-description"),
    Text("picture-failed"),
    Text("picture-download"),
    Text("picture-share"),
    Text("picture-share-failed"),
    Text("picture-shortened"),
    Text("appearance-theme-light"),
    Text("appearance-theme-dark"),
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
        script src=(Asset::Desk.path()) defer data-language=(language) data-texts=(json(texts)) {}
    }
}

/// Renders the script of reading pages.
pub(super) fn reading_script() -> Markup {
    let mut texts = values(&READING);
    let left = Text("minutes-left");
    texts.insert(left.0.to_owned(), plural_forms(left));
    let language = page_language::current().content;
    html! {
        script src=(Asset::Reading.path()) defer data-language=(language.tag()) data-direction=(language.direction()) data-texts=(json(texts)) {}
    }
}

/// Renders the script of pages in browsers that store texts for offline reading. At run time, the script
/// replaces placeholders such as `{count}`.
pub(super) fn offline_script() -> Markup {
    let mut texts = values(&OFFLINE);
    let stored =
        Text("stored-count").with("stored", "{stored}").with("count", "{count}").with("size", "{size}");
    texts.insert("stored-count".to_owned(), stored.get().into());
    let failed = Text("queued-failed").with("reason", "{reason}");
    texts.insert("queued-failed".to_owned(), failed.get().into());
    for text in [Text("queued-sent-count"), Text("queued-failed-count")] {
        texts.insert(text.0.to_owned(), plural_forms(text));
    }
    let language = page_language::current().content.tag();
    html! {
        script src=(Asset::Offline.path()) defer data-language=(language) data-texts=(json(texts)) {}
    }
}

/// Renders the script that asks the browser for a passkey.
pub(super) fn passkey_script() -> Markup {
    html! { script src=(Asset::Passkey.path()) data-texts=(json(values(&PASSKEY))) {} }
}

/// Renders the script that renders a quote as a picture.
pub(super) fn quote_picture_script() -> Markup {
    html! { script src=(Asset::QuotePicture.path()) defer data-texts=(json(values(&QUOTE_PICTURE))) {} }
}

/// Returns texts by their keys.
fn values(texts: &[Text]) -> Map<String, Value> {
    texts.iter().map(|text| (text.0.to_owned(), text.get().into())).collect()
}

fn json(texts: Map<String, Value>) -> String {
    Value::Object(texts).to_string()
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
    fn script_gets_arguments_as_names_in_braces() {
        let page = offline_script().into_string();
        assert!(page.contains("in this browser: {stored} of {count} ({size})"), "{page}");
        assert!(page.contains("&quot;Not applied: {reason}&quot;"), "{page}");
        assert!(page.contains("&quot;1&quot;:&quot;1 offline change was sent.&quot;"), "{page}");
    }

    #[test]
    fn scripts_use_every_text_that_they_get() {
        let scripts = [
            (DESK.map(|text| text.0).to_vec(), include_str!("desk.js")),
            (
                READING.map(|text| text.0).to_vec(),
                concat!(include_str!("reading.js"), include_str!("listen.js")),
            ),
            (OFFLINE.map(|text| text.0).to_vec(), include_str!("offline.js")),
            (PASSKEY.map(|text| text.0).to_vec(), include_str!("passkey.js")),
            (QUOTE_PICTURE.map(|text| text.0).to_vec(), include_str!("quote_picture.js")),
        ];
        for (texts, script) in scripts {
            for text in texts {
                assert!(script.contains(&format!("\"{text}\"")), "{text}");
            }
        }
    }
}

//! Statements about content that a page copy does not contain, and about cookie notices that were dismissed. They are
//! stored in English, and displayed in the language of the page.

use extract::page_copy::Omissions;
use library::{NOTICE_HIDDEN, NOTICE_REJECTED};
use maud::{Markup, html};

use crate::language::formats;
use crate::language::text::Text;
use crate::page::error_text::message_text;

/// Start of a statement about omitted content.
const LEFT_OUT: &str = "Left out: ";

/// Endings of the stored sentences about cookie notices, with their translations.
const NOTICES: [(&str, Text); 2] = [
    (NOTICE_REJECTED, Text("warning-cookie-notice-rejected")),
    (NOTICE_HIDDEN, Text("warning-cookie-notice-hidden")),
];

/// Renders a stored statement.
pub(super) fn copy_statement(stored: &str) -> Markup {
    let (statement, notices) = split_notices(stored);
    html! {
        @if !statement.is_empty() {
            @match omissions_of(statement) {
                Some(omissions) => { (omitted(omissions)) },
                None => { (message_text(statement)) },
            }
        }
        @for (index, (text, platform)) in notices.iter().enumerate() {
            @if index > 0 || !statement.is_empty() { " " }
            (text.with("platform", *platform))
        }
    }
}

/// Splits a statement into the description of omitted content, and the translations and platforms of its sentences
/// about cookie notices.
fn split_notices(stored: &str) -> (&str, Vec<(Text, &str)>) {
    let (mut rest, mut notices) = (stored, Vec::new());
    while let Some((before, notice)) = NOTICES.iter().find_map(|(last_words, text)| {
        let (before, platform) = rest.strip_suffix(last_words)?.rsplit_once("The ")?;
        let is_sentence = before.is_empty() || before.ends_with(". ");
        is_sentence.then_some((before.trim_end(), (*text, platform)))
    }) {
        rest = before;
        notices.insert(0, notice);
    }
    (rest, notices)
}

/// Returns the omissions that a statement describes. `None` if the statement is not about omissions.
fn omissions_of(stored: &str) -> Option<Omissions> {
    let (list, rest) = match stored.strip_prefix(LEFT_OUT) {
        Some(list) => list.split_once('.')?,
        None => ("", stored),
    };
    let mut omissions = Omissions { is_cut: !rest.is_empty(), ..Omissions::default() };
    for part in list.split(", ").filter(|part| !part.is_empty()) {
        let (count, name) = part.split_once(' ')?;
        let count = count.parse().ok()?;
        match name {
            "picture" | "pictures" => omissions.pictures = count,
            "font" | "fonts" => omissions.fonts = count,
            "style sheet" | "style sheets" => omissions.styles = count,
            "audio or video" | "audios or videos" => omissions.media = count,
            "frame or object" | "frames or objects" => omissions.frames = count,
            _ => return None,
        }
    }
    (omissions.statement().as_deref() == Some(stored)).then_some(omissions)
}

fn omitted(omissions: Omissions) -> Markup {
    let parts = [
        (omissions.pictures, Text("copy-pictures")),
        (omissions.fonts, Text("copy-fonts")),
        (omissions.styles, Text("copy-styles")),
        (omissions.media, Text("copy-media")),
        (omissions.frames, Text("copy-frames")),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, text)| text.with("count", count).get()).collect();
    html! {
        @if !parts.is_empty() { (Text("copy-left-out").with("parts", formats::list(&parts))) }
        @if !parts.is_empty() && omissions.is_cut { " " }
        @if omissions.is_cut { (Text("copy-cut")) }
    }
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    const GERMAN: PageLanguages = PageLanguages { shell: Language::German, content: Language::German };

    #[test]
    fn stored_statements_are_translated() {
        let omissions = Omissions { pictures: 1, styles: 2, is_cut: true, ..Omissions::default() };
        let stored = omissions.statement().unwrap();
        assert_eq!(copy_statement(&stored).into_string(), stored);
        let german = |stored: &str| with_sync(GERMAN, || copy_statement(stored).into_string());
        assert_eq!(
            german(&stored),
            "Ausgelassen: 1 Bild, 2 Stylesheets. Die Seite ist vielleicht unvollständig, weil sie eine Grenze erreichte."
        );
        let picture = "The picture has only the first 16384 pixels of the page.";
        assert_eq!(german(picture), "Das Bild enthält nur die ersten 16384 Pixel der Seite.");
        let noticed = format!(
            "{stored} The OneTrust cookie notice was rejected. The Cookiebot cookie notice was hidden, because it has \
             no button to reject it."
        );
        assert_eq!(copy_statement(&noticed).into_string(), noticed);
        let only = "The OneTrust cookie notice was rejected.";
        assert_eq!(german(only), "Der Cookie-Hinweis von OneTrust wurde abgelehnt.");
        for unknown in ["Left out: 1 picture", "Left out: 1 sound.", "Left out: 01 picture."] {
            assert_eq!(german(unknown), format!("<span lang=\"en\">{unknown}</span>"));
        }
    }
}

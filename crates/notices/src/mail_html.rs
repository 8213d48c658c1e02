//! HTML part of a daily digest with the content of Today. It links only to this service, and loads nothing.

use kernel::Language;
use language::Key;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::message::Message;
use super::plain_text::unlinked;
use super::text::NOTICES;
use super::today::{TodayDigest, TodayList};

/// Renders the content of the HTML part. `None` for a message without the content of Today.
pub(super) fn content(message: &Message) -> Option<String> {
    let today = message.today.as_ref()?;
    let text = &message.content.text;
    let language = message.language;
    let markup = html! {
        h1 style="font-size:1.3em" { (message.content.title) }
        @if !message.collected.is_empty() {
            p { (unlinked(text)) }
            ul { @for (_, one) in &message.collected {
                li { a href=(one.link) { @if let Some(name) = &one.monitor { (name) ": " } (one.title) } }
            } }
        }
        @if message.more > 0 { p { (NOTICES.text(language, Key("more")).with("count", message.more).get()) } }
        (sections(today, language))
        p { a href=(message.content.link) { (message.content.link) } }
    };
    Some(markup.into_string())
}

fn sections(today: &TodayDigest, language: Language) -> Markup {
    html! {
        @for list in &today.lists { (section(list, language)) }
        @if today.due_highlights > 0 {
            p { a href=(today.review_link) { (NOTICES.text(language, Key("today-review")).with("count", today.due_highlights).get()) } }
        }
    }
}

fn section(list: &TodayList, language: Language) -> Markup {
    html! {
        h2 style="font-size:1.1em" { bdi { (list.heading(language)) } }
        ul { @for row in &list.rows {
            li {
                a href=(row.link()) { bdi { (row.title()) } }
                @if !row.note().is_empty() { br; bdi { (unlinked(row.note())) } }
            }
        } }
    }
}

/// Renders the document of the HTML part from its content, with the unsubscribe link.
pub(super) fn page(content: &str, language: Language, unsubscribe: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.tag()) dir=(language.direction()) {
            head { meta charset="utf-8"; meta name="color-scheme" content="light dark"; }
            body style="font-family:sans-serif;line-height:1.5;max-width:40em" {
                (PreEscaped(content))
                hr;
                p { small { a href=(unsubscribe) { (NOTICES.text(language, Key("stop-link")).get()) } } }
            }
        }
    };
    page.into_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template;
    use crate::today::{TodayRow, TodaySection};

    #[test]
    fn page_texts_are_escaped_and_contain_no_links() {
        let row =
            TodayRow::new("<b>New</b>", "see https://evil.example/x", "https://my.example.org/1".into());
        let lists = vec![TodayList { section: TodaySection::Unread, name: None, rows: vec![row] }];
        let today = TodayDigest { lists, due_highlights: 2, ..TodayDigest::default() };
        let html = content(&Message { today: Some(today), ..template::example() }).unwrap();
        assert!(html.contains("<bdi>&lt;b&gt;New&lt;/b&gt;</bdi>"), "{html}");
        assert!(html.contains("https[:]//evil[.]example/x"), "{html}");
        assert!(html.contains("2 highlights are due today."), "{html}");
        assert_eq!(content(&template::example()), None);
        let page = page(&html, Language::Arabic, "https://my.example.org/notices/stop?link=1&x=\"");
        assert!(page.contains("<html lang=\"ar\" dir=\"rtl\">"), "{page}");
        assert!(page.contains("link=1&amp;x=&quot;"), "{page}");
    }
}

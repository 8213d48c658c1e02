//! Rows of item lists, and the names of kinds, statuses, and states.

use std::collections::HashMap;

use kernel::{Code, ItemId, Millis};
use library::{ArticleStatus, ContentKind, Item, ItemPreview, ItemStatus, Snippet};
use maud::{Markup, html};

use super::super::frame::{cut, is_web, link};
use super::super::row_pictures::RowPictures;
use crate::appearance::Density;
use crate::language::text::Text;
use crate::page::error_text::reason_words;
use crate::page::parts::time;

/// Maximum length of an excerpt, in characters.
const EXCERPT_CHARS: usize = 160;
/// Maximum length of an excerpt in a list with pictures, in characters.
const LONG_EXCERPT_CHARS: usize = 320;

/// All statuses with their names.
pub(in crate::desk) const STATUSES: [(ItemStatus, Text); 3] = [
    (ItemStatus::Inbox, Text("status-inbox")),
    (ItemStatus::Later, Text("status-later")),
    (ItemStatus::Archive, Text("status-archive")),
];

pub(in crate::desk) fn status_name(status: ItemStatus) -> Text {
    let [inbox, others @ ..] = STATUSES;
    others.into_iter().find(|(known, _)| *known == status).unwrap_or(inbox).1
}

/// Returns the name of a kind in the singular and in the plural.
pub(in crate::desk) const fn kind_name(kind: ContentKind) -> (Text, Text) {
    match kind {
        ContentKind::Article => (Text("kind-article"), Text("kinds-article")),
        ContentKind::Website => (Text("kind-website"), Text("kinds-website")),
        ContentKind::Book => (Text("kind-book"), Text("kinds-book")),
        ContentKind::Email => (Text("kind-email"), Text("kinds-email")),
        ContentKind::Pdf => (Text("kind-pdf"), Text("kinds-pdf")),
        ContentKind::SocialPost => (Text("kind-social-post"), Text("kinds-social-post")),
        ContentKind::Video => (Text("kind-video"), Text("kinds-video")),
        ContentKind::PodcastEpisode => (Text("kind-podcast-episode"), Text("kinds-podcast-episode")),
        ContentKind::Document => (Text("kind-document"), Text("kinds-document")),
        ContentKind::Unknown => (Text("kind-unknown"), Text("kinds-unknown")),
    }
}

/// Describes the state of an item's text. `None` if the text is ready.
pub(in crate::desk) fn text_state(item: &Item) -> Option<String> {
    match item.article_status {
        ArticleStatus::Queued | ArticleStatus::Extracting => Some(Text("text-fetching").get()),
        ArticleStatus::Failed => {
            let code = item.article_error.as_deref().and_then(|code| code.parse::<Code>().ok());
            Some(match code {
                Some(code) => Text("text-none").with("reason", reason_words(code)).get(),
                None => Text("text-unreadable").get(),
            })
        }
        ArticleStatus::AwaitingUpload => Some(Text("text-awaited").get()),
        ArticleStatus::NotApplicable | ArticleStatus::Ready => None,
    }
}

/// Returns the path of an item's page.
pub(in crate::desk) fn path(item: &Item) -> String {
    format!("/library/{}", item.id)
}

/// Returns the title of an item, or its address if it has no title.
pub(in crate::desk) fn title(item: &Item) -> &str {
    if item.title.trim().is_empty() { &item.url } else { &item.title }
}

/// Renders a short row of an item.
pub(in crate::desk) fn short_row(item: &Item, now: Millis) -> Markup {
    html! {
        li {
            h3 { a href=(path(item)) { bdi { (title(item)) } } }
            (progress(item))
            p.meta.dots { span { bdi { (item.domain) } } span { (Text("items-saved").markup(&[("time", time(item.saved_at, now))])) } }
        }
    }
}

/// Properties of a list of items.
pub(super) struct ItemList<'a> {
    pub(super) pictures: &'a RowPictures,
    pub(super) previews: &'a HashMap<ItemId, ItemPreview>,
    pub(super) density: Density,
    pub(super) now: Millis,
}

/// Renders the row of an item with a checkbox.
pub(super) fn row(item: &Item, list: &ItemList<'_>) -> Markup {
    let title = title(item);
    html! {
        li.read[item.finished_at.is_some()] data-original=[Some(item.url.as_str()).filter(|url| is_web(url))] {
            input.pick type="checkbox" name="item" value=(item.id) aria-label=(Text("select-titled").with("title", title));
            h3 { a href=(path(item)) { bdi { (title) } } }
            (preview(item, list))
            p.meta.dots {
                span { (list.pictures.icon_of_item(item)) bdi { (item.domain) } }
                span { (kind_name(item.content_kind).0) }
                span { (Text("items-saved").markup(&[("time", time(item.saved_at, list.now))])) }
                @if item.finished_at.is_some() { span { (Text("items-read")) } }
                @if item.asset_blob.is_some() { span { (Text("items-with-file")) } }
                @if let Some(state) = text_state(item) { span { (state) } }
            }
            (progress(item))
            @if list.density != Density::Compact { (tag_links(&item.tags)) }
        }
    }
}

/// Renders the beginning of an item's text and, in a list with pictures, its first picture.
fn preview(item: &Item, list: &ItemList<'_>) -> Markup {
    let most = match list.density {
        Density::Compact => return html! {},
        Density::Cosy => EXCERPT_CHARS,
        Density::Magazine => LONG_EXCERPT_CHARS,
    };
    let Some(preview) = list.previews.get(&item.id) else { return html! {} };
    html! {
        @if list.density == Density::Magazine { (list.pictures.picture(preview.picture_url.as_deref())) }
        @if let Some(excerpt) = &preview.excerpt { p.say { bdi { (cut(excerpt, most)) } } }
    }
}

/// Renders the reading progress of an item. Empty if it is unknown or 0.
pub(in crate::desk) fn progress(item: &Item) -> Markup {
    let percent = item.read_progress.filter(|percent| *percent > 0);
    html! { @if let Some(percent) = percent {
        progress max="100" value=(percent) aria-label=(Text("items-progress").with("percent", percent)) {}
    } }
}

/// Renders tags, each with a link to all items that have it.
pub(in crate::desk) fn tag_links(tags: &[String]) -> Markup {
    html! { @if !tags.is_empty() {
        p.tags { @for tag in tags { a.tag href=(link("/library", &[("shelf", "all"), ("tag", tag)])) { bdi { (tag) } } } }
    } }
}

/// Renders a snippet of a text, with matches of a search highlighted.
pub(in crate::desk) fn snippet(snippet: &Snippet) -> Markup {
    html! { @if !snippet.text.is_empty() {
        p.say { bdi { @for (words, is_match) in snippet_parts(snippet) {
            @if is_match { mark { (words) } } @else { (words) }
        } } }
    } }
}

/// Splits a snippet into parts. The flag of a part is true if the part is a match. Positions count
/// characters, not bytes.
fn snippet_parts(snippet: &Snippet) -> Vec<(String, bool)> {
    let characters: Vec<char> = snippet.text.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    for (start, end) in &snippet.matches {
        let (start, end) = (*start as usize, (*end as usize).min(characters.len()));
        if start < at || start >= end {
            continue;
        }
        parts.push((characters[at..start].iter().collect(), false));
        parts.push((characters[start..end].iter().collect(), true));
        at = end;
    }
    parts.push((characters[at..].iter().collect(), false));
    parts.retain(|(words, _): &(String, bool)| !words.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippet_highlights_search_matches() {
        let snippet = Snippet { text: "Ähre am Hafen".to_owned(), matches: vec![(0, 4), (8, 99)] };
        let parts = snippet_parts(&snippet);
        let parts: Vec<(&str, bool)> = parts.iter().map(|(words, is)| (words.as_str(), *is)).collect();
        assert_eq!(parts, [("Ähre", true), (" am ", false), ("Hafen", true)]);
    }
}

//! Rows of entry lists, and descriptions of a feed's health.

use feeds::{Entry, Health, RelatedEntry, Story, StoryRelation, Subscription};
use kernel::{Code, EntryId, Millis};
use maud::{Markup, html};

use super::super::frame::{self, cut};
use super::super::row_pictures::RowPictures;
use crate::appearance::Density;
use crate::page::form::FormToken;
use crate::page::parts::time;
use crate::page::request::PageRequest;
use http_kit::problem::ErrorGroup;

/// Maximum length of a displayed title or summary, in characters.
const MAX_TEXT_CHARS: usize = 160;
/// Maximum length of an excerpt in a list with pictures, in characters.
const MAX_EXCERPT_CHARS: usize = 320;

/// Messages about actions on pages that list entries.
pub(in crate::desk) const DONE: [(&str, &str); 15] = [
    ("read", "Marked as read."),
    ("unread", "Marked as unread."),
    ("all", "Entries marked as read."),
    ("many", "Entries marked as read. Undo restores the newest 500."),
    ("all-unread", "Entries marked as unread."),
    ("undone", "Undone."),
    ("none", "Nothing was selected. Select entries, then choose an action."),
    ("starred", "Starred and saved to your library."),
    (
        "unstarred",
        "Star removed. The item that it saved was removed from your library too, unless you had worked on it.",
    ),
    ("followed", "You now follow this feed. Its entries appear in a moment."),
    ("already", "You already follow this feed."),
    ("unfollowed", "You no longer follow this feed. Items that you saved from it stay in your library."),
    ("refreshed", "The feeds are fetched within two minutes."),
    ("refreshed-some", "Too many feeds to fetch at a time. The others are fetched on schedule."),
    ("refreshed-none", "These feeds were fetched a moment ago, or are being fetched."),
];

/// Returns the path of an entry's page.
pub(in crate::desk) fn path(id: EntryId) -> String {
    format!("/entries/{id}")
}

/// Returns the publication time of an entry. If it is unknown, returns the time at which the entry was
/// discovered.
pub(in crate::desk) fn at(entry: &Entry) -> Millis {
    entry.published_at.unwrap_or(entry.discovered_at)
}

/// Properties of a list of entries.
pub(in crate::desk) struct EntryList<'a> {
    /// Newest entry that existed when the list was displayed.
    pub(in crate::desk) through: EntryId,
    pub(in crate::desk) pictures: &'a RowPictures,
    pub(in crate::desk) now: Millis,
}

/// Renders rows of entries with their actions, in a single form, so that the page contains the form token
/// only once.
pub(in crate::desk) fn entry_rows(
    request: &PageRequest,
    token: &FormToken,
    entries: &[Entry],
    list: &EntryList<'_>,
) -> Markup {
    let row = Row::of(request, list, false);
    html! {
        form method="post" action="/entries/mark" {
            (token.field()) (frame::back_field(request))
            input type="hidden" name="through" value=(list.through);
            ul.rows.entries { @for entry in entries { (row.show(entry, &[])) } }
        }
    }
}

/// Renders rows of stories, like [`entry_rows`], with actions on the selected entries. Related entries are
/// below the first entry of their story.
pub(in crate::desk) fn story_rows(
    request: &PageRequest,
    token: &FormToken,
    stories: &[Story],
    list: &EntryList<'_>,
) -> Markup {
    let row = Row::of(request, list, true);
    html! {
        form method="post" action="/entries/mark" {
            (token.field()) (frame::back_field(request))
            input type="hidden" name="through" value=(list.through);
            (selected_actions())
            ul.rows.entries { @for story in stories { (row.show(&story.entry, &story.related)) } }
        }
    }
}

/// Renders the actions on the selected entries. They are collapsed on phones, so that the entries are visible
/// first.
fn selected_actions() -> Markup {
    html! {
        details.drawer.bulk {
            summary { "Selected entries" }
            div.tools role="group" aria-label="Selected entries" {
                span.soft aria-hidden="true" { "Selected entries" }
                @for (act, label) in [("read", "Mark as read"), ("unread", "Mark as unread"), ("star", "Star"), ("unstar", "Remove star")] {
                    button.secondary type="submit" name="act" value=(act) { (label) }
                }
            }
        }
    }
}

/// Renderer of the rows of one list.
struct Row<'a> {
    list: &'a EntryList<'a>,
    density: Density,
    /// True if rows have checkboxes.
    is_selectable: bool,
}

impl<'a> Row<'a> {
    fn of(request: &PageRequest, list: &'a EntryList<'a>, is_selectable: bool) -> Self {
        Self { list, density: request.appearance.density(), is_selectable }
    }

    fn show(&self, entry: &Entry, related: &[RelatedEntry]) -> Markup {
        let title = cut(&entry.title, MAX_TEXT_CHARS);
        let pictures = self.list.pictures;
        html! {
            li.new[entry.unread].read[!entry.unread] data-original=[original(entry)] {
                @if self.is_selectable { input.pick type="checkbox" name="entry" value=(entry.id) aria-label={ "Select “" (title) "”" }; }
                h3 { @if entry.unread { span.hidden.unread-word { "Unread: " } } @if entry.starred { (star_mark()) } a href=(path(entry.id)) { bdi { (title) } } }
                (row_actions(entry, related, &title))
                @match self.density {
                    Density::Compact => {},
                    Density::Cosy => (summary_line(entry, MAX_TEXT_CHARS)),
                    Density::Magazine => { (pictures.picture(entry.image_url.as_deref())) (summary_line(entry, MAX_EXCERPT_CHARS)) },
                }
                p.meta.dots {
                    span { (pictures.icon_of_entry(entry)) bdi { (entry.feed_title) } }
                    span { (time(at(entry), self.list.now)) }
                }
                (related_line(related, StoryRelation::Same, "Also in"))
                (related_line(related, StoryRelation::Similar, "Similar"))
            }
        }
    }
}

/// Renders the actions on one entry, behind one control.
fn row_actions(entry: &Entry, related: &[RelatedEntry], title: &str) -> Markup {
    let (mark, label) = if entry.unread { ("read", "Mark as read") } else { ("unread", "Mark as unread") };
    html! {
        details.more name="row" {
            summary aria-label={ "Actions on “" (title) "”" } { "⋯" }
            div.acts {
                button.link type="submit" name=(mark) value=(entry.id) aria-label={ (label) " “" (title) "”" } { (label) }
                @if entry.unread { button.link type="submit" name="above" value=(entry.id) aria-label={ "Mark read up to here: “" (title) "”" } { "Mark read up to here" } }
                @let (act, label) = star_act(entry);
                button.link type="submit" name=(act) value=(entry.id) aria-label={ (label) " “" (title) "”" } { (label) }
                @let unread = unread_ids(entry, related);
                @if !related.is_empty() && !unread.is_empty() { button.link type="submit" name="story" value=(unread) aria-label={ "Mark the whole story as read: “" (title) "”" } { "Mark the whole story as read" } }
            }
        }
    }
}

/// Renders links to the related entries with this relation. Links to similar entries contain the titles of
/// the entry and its feed, links to the same entry only the title of the feed.
fn related_line(related: &[RelatedEntry], relation: StoryRelation, label: &str) -> Markup {
    let mut others = related.iter().filter(|other| other.relation == relation).peekable();
    html! {
        @if others.peek().is_some() {
            p.meta.dots {
                span { (label) ":" }
                @for other in others {
                    span { a href=(path(other.entry.id)) {
                        @if relation == StoryRelation::Similar { bdi { (cut(&other.entry.title, MAX_TEXT_CHARS)) } " – " }
                        bdi { (other.entry.feed_title) }
                    } }
                }
            }
        }
    }
}

/// Returns the ids of a story's unread entries, separated by commas.
fn unread_ids(entry: &Entry, related: &[RelatedEntry]) -> String {
    let all = std::iter::once(entry).chain(related.iter().map(|other| &other.entry));
    let ids: Vec<String> = all.filter(|entry| entry.unread).map(|entry| entry.id.to_string()).collect();
    ids.join(",")
}

/// Returns the address that the entry links to, which a keyboard shortcut opens. `None` unless it is `http`
/// or `https`.
fn original(entry: &Entry) -> Option<&str> {
    Some(entry.url.as_str()).filter(|url| url.starts_with("http://") || url.starts_with("https://"))
}

/// Returns the form value and the label of an entry's star button.
pub(in crate::desk) fn star_act(entry: &Entry) -> (&'static str, &'static str) {
    if entry.starred { ("unstar", "Remove star") } else { ("star", "Star") }
}

/// Renders the symbol of a starred entry.
pub(in crate::desk) fn star_mark() -> Markup {
    html! { span.star aria-hidden="true" { "★" } span.hidden { "Starred: " } " " }
}

/// Renders the beginning of an entry's summary. Empty if the summary repeats the title.
fn summary_line(entry: &Entry, most: usize) -> Markup {
    let summary = entry.summary.as_deref().filter(|summary| !summary.is_empty() && *summary != entry.title);
    html! { @if let Some(summary) = summary { p.say { bdi { (cut(summary, most)) } } } }
}

/// Renders the row of an entry among other search results.
pub(in crate::desk) fn plain_entry(entry: &Entry, now: Millis) -> Markup {
    html! {
        li.new[entry.unread] {
            h3 { a href=(path(entry.id)) { bdi { (cut(&entry.title, MAX_TEXT_CHARS)) } } }
            (summary_line(entry, MAX_TEXT_CHARS))
            p.meta.dots { span { bdi { (entry.feed_title) } } span { (time(at(entry), now)) } }
        }
    }
}

/// Describes the health of a feed, with the reason.
pub(in crate::desk) fn health_words(health: Health, feed: &Subscription, now: Millis) -> Markup {
    let reason = feed.last_error.as_deref().map(reason);
    html! {
        @match health {
            Health::Ok => {
                span.state.good { "Working" }
                @if let Some(reason) = reason { "; the last fetch failed: " (reason) }
            },
            Health::Failing => {
                span.state.bad { "Not answering" }
                @if let Some(at) = feed.last_fetched_at { " since " (time(at, now)) }
                @if let Some(reason) = reason { ": " (reason) }
            },
            Health::Stale => { span.state.warn { "Inactive" } ": it answers, but has had nothing new for a long time" },
            Health::Never => {
                span.state.warn { "Not fetched yet" }
                @if let Some(reason) = reason { ": " (reason) }
            },
        }
        @if feed.left_out > 0 { "; it lists more entries than are read, so the oldest are missing" }
    }
}

/// Describes why a feed could not be fetched.
fn reason(error: &str) -> &'static str {
    let code = error.split(':').next().unwrap_or_default().parse::<Code>();
    code.map_or("its server sent an invalid answer", |code| ErrorGroup::Developer.entry(code).0.title)
}

//! Rows of entry lists, and descriptions of a feed's health.

use feeds::{Entry, Health, RelatedEntry, SourceKind, Story, StoryRelation, Subscription};
use kernel::{Code, EntryId, Millis};
use maud::{Markup, html};

use super::super::frame::{self, cut};
use super::super::row_pictures::RowPictures;
use super::super::saved_searches::SAVED;
use crate::appearance::Density;
use crate::language::text::Text;
use crate::page::error_text;
use crate::page::form::FormToken;
use crate::page::parts::time;
use crate::page::request::PageRequest;

/// Maximum length of a displayed title or summary, in characters.
const MAX_TEXT_CHARS: usize = 160;
/// Maximum length of an excerpt in a list with pictures, in characters.
const MAX_EXCERPT_CHARS: usize = 320;

/// Parameter of an entry's page that leads to the publisher's page.
pub(super) const OPEN: (&str, &str) = ("open", "original");

const READ_TEXT: Text = Text("entries-read-here");
const MARK_READ: Text = Text("entries-mark-read");
const MARK_UNREAD: Text = Text("entries-mark-unread");
const MARK_ABOVE: Text = Text("entries-mark-above");
const MARK_STORY: Text = Text("entries-mark-story");
const STAR: Text = Text("entries-star");
const UNSTAR: Text = Text("entries-unstar");

/// Messages about actions on pages that list entries.
pub(in crate::desk) const DONE: [(&str, Text); 16] = [
    ("read", Text("done-read")),
    ("unread", Text("done-unread")),
    ("all", Text("done-all")),
    ("many", Text("done-many")),
    ("all-unread", Text("done-all-unread")),
    ("undone", Text("done-undone")),
    ("none", Text("done-none")),
    ("starred", Text("done-starred")),
    ("unstarred", Text("done-unstarred")),
    ("followed", Text("done-followed")),
    ("already", Text("done-already")),
    ("unfollowed", Text("done-unfollowed")),
    ("refreshed", Text("done-refreshed")),
    ("refreshed-some", Text("done-refreshed-some")),
    ("refreshed-none", Text("done-refreshed-none")),
    SAVED,
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
pub(in crate::desk) struct EntryListOptions<'a> {
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
    list: &EntryListOptions<'_>,
) -> Markup {
    let row = EntryRowRenderer::of(request, list, false);
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
    list: &EntryListOptions<'_>,
) -> Markup {
    let row = EntryRowRenderer::of(request, list, true);
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
            summary { (Text("entries-selected")) }
            div.tools role="group" aria-label=(Text("entries-selected")) {
                span.soft aria-hidden="true" { (Text("entries-selected")) }
                @for (act, label) in [("read", MARK_READ), ("unread", MARK_UNREAD), ("star", STAR), ("unstar", UNSTAR)] {
                    button.secondary type="submit" name="act" value=(act) { (label) }
                }
            }
        }
    }
}

/// Renderer of the rows of one list.
struct EntryRowRenderer<'a> {
    list: &'a EntryListOptions<'a>,
    density: Density,
    /// True if rows have checkboxes.
    is_selectable: bool,
}

impl<'a> EntryRowRenderer<'a> {
    fn of(request: &PageRequest, list: &'a EntryListOptions<'a>, is_selectable: bool) -> Self {
        Self { list, density: request.appearance.density(), is_selectable }
    }

    fn show(&self, entry: &Entry, related: &[RelatedEntry]) -> Markup {
        let title = cut(&entry.title, MAX_TEXT_CHARS);
        let pictures = self.list.pictures;
        html! {
            li.new[entry.unread].read[!entry.unread] data-original=[original(entry)] {
                @if self.is_selectable { input.pick type="checkbox" name="entry" value=(entry.id) aria-label=(Text("select-titled").with("title", title.as_str())); }
                h3 { @if entry.unread { span.hidden.unread-word { (Text("entries-unread-mark")) " " } } @if entry.starred { (star_mark()) } (title_link(entry, &title)) }
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
                (related_line(related, StoryRelation::Same, Text("entries-also-in")))
                (related_line(related, StoryRelation::Similar, Text("entries-similar")))
            }
        }
    }
}

/// Renders the actions on one entry in a collapsed menu.
fn row_actions(entry: &Entry, related: &[RelatedEntry], title: &str) -> Markup {
    let (mark, label) = if entry.unread { ("read", MARK_READ) } else { ("unread", MARK_UNREAD) };
    html! {
        details.more name="row" {
            summary aria-label=(Text("actions-on-titled").with("title", title)) { "⋯" }
            div.acts {
                @if opens_original(entry) { a href=(path(entry.id)) aria-label=(on_titled(READ_TEXT, title)) { (READ_TEXT) } }
                button.link type="submit" name=(mark) value=(entry.id) aria-label=(on_titled(label, title)) { (label) }
                @if entry.unread { button.link type="submit" name="above" value=(entry.id) aria-label=(to_titled(MARK_ABOVE, title)) { (MARK_ABOVE) } }
                @let (act, label) = star_act(entry);
                button.link type="submit" name=(act) value=(entry.id) aria-label=(on_titled(label, title)) { (label) }
                @let unread = unread_ids(entry, related);
                @if !related.is_empty() && !unread.is_empty() { button.link type="submit" name="story" value=(unread) aria-label=(to_titled(MARK_STORY, title)) { (MARK_STORY) } }
            }
        }
    }
}

/// Describes an action on an entry for screen readers: `Star “Title”`.
fn on_titled(action: Text, title: &str) -> String {
    Text("action-on-titled").with("action", action.get()).with("title", title).get()
}

/// Describes an action on several entries for screen readers, such as `Mark read to “Title”`.
fn to_titled(action: Text, title: &str) -> String {
    Text("action-to-titled").with("action", action.get()).with("title", title).get()
}

/// Renders links to the related entries with this relation. Links to similar entries contain the titles of
/// the entry and its feed, links to the same entry only the title of the feed.
fn related_line(related: &[RelatedEntry], relation: StoryRelation, label: Text) -> Markup {
    let mut others = related.iter().filter(|other| other.relation == relation).peekable();
    html! {
        @if others.peek().is_some() {
            p.meta.dots {
                span { (label) }
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
    Some(entry.url.as_str()).filter(|url| frame::is_web(url))
}

/// Returns true if lists open the publisher's page of an entry. A newsletter has no such page.
pub(super) fn opens_original(entry: &Entry) -> bool {
    let has_page = entry.source_kind != SourceKind::Newsletter && entry.url.is_ascii();
    entry.show_original && has_page && original(entry).is_some()
}

/// Renders the title of an entry as a link to its page or, if the person chose so, to the publisher's page.
/// That link leads through the entry's page, which marks the entry as read.
fn title_link(entry: &Entry, title: &str) -> Markup {
    html! {
        @if opens_original(entry) { a href=(frame::link(&path(entry.id), &[OPEN])) rel="noopener nofollow" { bdi { (title) } } }
        @else { a href=(path(entry.id)) { bdi { (title) } } }
    }
}

/// Returns the form value and the label of an entry's star button.
pub(in crate::desk) fn star_act(entry: &Entry) -> (&'static str, Text) {
    if entry.starred { ("unstar", UNSTAR) } else { ("star", STAR) }
}

/// Renders the symbol of a starred entry.
pub(in crate::desk) fn star_mark() -> Markup {
    html! { span.star aria-hidden="true" { "★" } span.hidden { (Text("entries-starred-mark")) " " } " " }
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
            h3 { (title_link(entry, &cut(&entry.title, MAX_TEXT_CHARS))) }
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
                span.state.good { (Text("health-ok")) }
                @if let Some(reason) = reason { " " (Text("health-last-failed").markup(&[("reason", reason)])) }
            },
            Health::Failing => {
                span.state.bad { (Text("health-failing")) }
                @if let Some(at) = feed.last_fetched_at { " " (Text("health-since").markup(&[("time", time(at, now))])) }
                @if let Some(reason) = reason { " " (Text("health-reason").markup(&[("reason", reason)])) }
            },
            Health::Stale => { span.state.warn { (Text("health-stale")) } " " (Text("health-stale-words")) },
            Health::Never => {
                span.state.warn { (Text("health-never")) }
                @if let Some(reason) = reason { " " (Text("health-reason").markup(&[("reason", reason)])) }
            },
        }
        @if feed.left_out > 0 { " " (Text("health-left-out")) }
    }
}

/// Describes why a feed could not be fetched.
fn reason(error: &str) -> Markup {
    let code = error.split(':').next().unwrap_or_default().parse::<Code>();
    error_text::reason(code.unwrap_or(Code::SourceInvalidResponse))
}

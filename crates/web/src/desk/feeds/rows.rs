//! Entries as lists show them, and the words for how a feed fares.

use feeds::{Entry, Health, Subscription};
use kernel::{Code, EntryId, Millis};
use maud::{Markup, html};

use super::super::frame::{self, cut};
use crate::account::form::FormToken;
use crate::account::parts::time;
use crate::account::request::PageRequest;
use http_kit::problem::ErrorGroup;

/// Characters of an entry's summary.
const SAID: usize = 160;

/// What may have been done before a list of entries is shown.
pub(in crate::desk) const DONE: [(&str, &str); 8] = [
    ("read", "It is marked as read."),
    ("unread", "It is unread again."),
    ("all", "They are marked as read."),
    ("starred", "It has a star, and is saved in your library."),
    (
        "unstarred",
        "Its star is gone. What the star saved left your library too, unless you had worked on it.",
    ),
    ("followed", "You follow this feed now. Its entries are here in a moment."),
    ("already", "You followed this feed already."),
    ("unfollowed", "You do not follow it any more. What you saved of it stays in your library."),
];

/// An entry's page.
pub(in crate::desk) fn path(id: EntryId) -> String {
    format!("/entries/{id}")
}

/// When an entry came: when it says that it was published, else when it was found.
pub(in crate::desk) fn at(entry: &Entry) -> Millis {
    entry.published_at.unwrap_or(entry.discovered_at)
}

/// Entries with what can be done with each; all in one form, so that a page has one token. None behind `through` was there
/// when the list was shown.
pub(in crate::desk) fn entry_rows(
    request: &PageRequest,
    token: &FormToken,
    entries: &[Entry],
    through: EntryId,
    now: Millis,
) -> Markup {
    html! {
        form method="post" action="/entries/mark" {
            (token.field()) (frame::back_field(request))
            input type="hidden" name="through" value=(through);
            ul.rows.entries { @for entry in entries { (row(entry, now)) } }
        }
    }
}

fn row(entry: &Entry, now: Millis) -> Markup {
    let title = cut(&entry.title, SAID);
    let (mark, label) = if entry.unread { ("read", "Mark read") } else { ("unread", "Keep unread") };
    html! {
        li.new[entry.unread].read[!entry.unread] data-original=[original(entry)] {
            h3 { @if entry.unread { span.hidden.unread-word { "Unread: " } } @if entry.starred { (star_mark()) } a href=(path(entry.id)) { bdi { (title) } } }
            (said(entry))
            p.meta.dots {
                span { bdi { (entry.feed_title) } }
                span { (time(at(entry), now)) }
            }
            div.acts {
                button.link type="submit" name=(mark) value=(entry.id) aria-label={ (label) " “" (title) "”" } { (label) }
                @if entry.unread { button.link type="submit" name="above" value=(entry.id) aria-label={ "Mark “" (title) "” and above as read" } { "and above" } }
                @let (act, label) = star_act(entry);
                button.link type="submit" name=(act) value=(entry.id) aria-label={ (label) " “" (title) "”" } { (label) }
            }
        }
    }
}

/// The page that an entry leads to, for the key that opens it.
fn original(entry: &Entry) -> Option<&str> {
    Some(entry.url.as_str()).filter(|url| url.starts_with("http://") || url.starts_with("https://"))
}

/// What the button for the star of an entry does, and how it is called.
pub(in crate::desk) fn star_act(entry: &Entry) -> (&'static str, &'static str) {
    if entry.starred { ("unstar", "Remove star") } else { ("star", "Star") }
}

/// The mark of an entry with a star.
pub(in crate::desk) fn star_mark() -> Markup {
    html! { span.star aria-hidden="true" { "★" } span.hidden { "Starred: " } " " }
}

/// The first words of an entry, unless they are its title.
fn said(entry: &Entry) -> Markup {
    let summary = entry.summary.as_deref().filter(|summary| !summary.is_empty() && *summary != entry.title);
    html! { @if let Some(summary) = summary { p.say { bdi { (cut(summary, SAID)) } } } }
}

/// An entry among other things that were found.
pub(in crate::desk) fn plain_entry(entry: &Entry, now: Millis) -> Markup {
    html! {
        li.new[entry.unread] {
            h3 { a href=(path(entry.id)) { bdi { (cut(&entry.title, SAID)) } } }
            (said(entry))
            p.meta.dots { span { bdi { (entry.feed_title) } } span { (time(at(entry), now)) } }
        }
    }
}

/// How a feed fares, and why.
pub(in crate::desk) fn health_words(health: Health, feed: &Subscription, now: Millis) -> Markup {
    let reason = feed.last_error.as_deref().map(reason);
    html! {
        @match health {
            Health::Ok => {
                span.state.good { "Answers" }
                @if let Some(reason) = reason { "; the last time not: " (reason) }
            },
            Health::Failing => {
                span.state.bad { "Does not answer" }
                @if let Some(at) = feed.last_fetched_at { " since " (time(at, now)) }
                @if let Some(reason) = reason { ": " (reason) }
            },
            Health::Stale => { span.state.warn { "Quiet" } " for a long time; it answers, with nothing new" },
            Health::Never => {
                span.state.warn { "Not read yet" }
                @if let Some(reason) = reason { ": " (reason) }
            },
        }
    }
}

/// Why a feed could not be read: what its code means to people.
fn reason(error: &str) -> &'static str {
    let code = error.split(':').next().unwrap_or_default().parse::<Code>();
    code.map_or("its server answered wrongly", |code| ErrorGroup::Developer.entry(code).0.title)
}

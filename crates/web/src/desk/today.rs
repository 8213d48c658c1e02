//! Today page: what is new and important, what has changed, and what to return to, with a field that searches
//! or opens a page.

use application::first_steps::{self, FirstSteps};
use application::today::{self, Today};
use kernel::Millis;
use library::{Item, Rediscovery};
use maud::{Markup, html};
use monitors::MatchedChange;
use poem::handler;

use super::feeds::entry_rows::{EntryList, entry_rows, health_words};
use super::frame::{Section, cut, respond};
use super::library::item_rows::short_row;
use super::row_pictures::RowPictures;
use super::undo::notice;
use super::welcome;
use crate::page::form::FormToken;
use crate::page::parts::{remove_sample, time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

/// Maximum length of the summary of a change, in characters.
const MAX_SUMMARY_CHARS: usize = 200;

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let domain = &request.app.domain;
    let now = domain.now();
    let today = today::load(domain, user.account.id).await?;
    let steps = first_steps::open_steps(domain, &user.account).await?;
    let token = FormToken::of(&request);
    let unread = &today.unread;
    let entries: Vec<_> = unread.entries.iter().collect();
    let pictures = RowPictures::of_entries(&request, user.account.id, &entries).await?;
    let list = EntryList { through: unread.as_of_id, pictures: &pictures, now };
    let content = html! {
        div.head {
            h1 { "Today" }
            p.soft { (with_thousands_separators(unread.unread_total.unsigned_abs())) @if unread.unread_partial { " or more" } " unread entries" }
        }
        (notice(&request, &token, &super::feeds::entry_rows::DONE, "/entries/undo"))
        @if user.account.is_sample { (remove_sample(&token)) }
        (find_box())
        @if let Some(steps) = steps { (open_steps(steps, &token)) }
        @else if today.is_empty() { (nothing_new()) }
        div.sides.after {
            div {
                (changes(&today.changes, now))
                @if !unread.entries.is_empty() {
                    section aria-labelledby="unread" {
                        div.line.mid { h2 #unread { "Unread" } a.push.small href="/entries" { "All unread" } }
                        p.small.soft { "First the feeds that you star and read most." }
                        (entry_rows(&request, &token, &unread.entries, &list))
                    }
                }
            }
            div { (library_side(&today, now)) (failing(&today, now)) }
        }
    };
    Ok(respond(&request, Section::Today, "Today", &content))
}

fn find_box() -> Markup {
    html! {
        form.ask role="search" aria-label="Search or open" action="/search" method="get" {
            div {
                label for="q" { "Search everything, or open a page" }
                p.rule #q-rule { "Searches your feeds and your library. Enter an address to open the page." }
                input #q name="q" type="search" maxlength="4096" placeholder="harbour, or https://…" autocapitalize="off" spellcheck="false" aria-describedby="q-rule";
            }
            button type="submit" { "Go" }
        }
    }
}

/// Renders the first steps that are not completed yet.
fn open_steps(steps: FirstSteps, token: &FormToken) -> Markup {
    let all = [
        (steps.has_feed, "Follow a site", "to see its new entries here and under Feeds."),
        (steps.has_item, "Save a page", "to read it later, with your highlights and notes."),
        (steps.has_monitor, "Watch a price", "or any other part of a page, to see its changes here."),
    ];
    html! {
        section aria-labelledby="begin" {
            h2 #begin { "Get started" }
            (welcome::progress_line(steps))
            ul { @for (is_done, name, purpose) in all {
                li {
                    @if is_done { span.state.good { "Done" } ": " (name) }
                    @else { a href="/welcome" { (name) } " " (purpose) }
                }
            } }
            form.row method="post" action="/welcome/close" {
                (token.field())
                a.button href="/welcome" { "Continue" }
                button.secondary type="submit" { "Don’t show this again" }
            }
        }
    }
}

/// Renders what to do if there is nothing to read.
fn nothing_new() -> Markup {
    html! {
        section aria-labelledby="nothing" {
            h2 #nothing { "Nothing new" }
            ul {
                li { a href="/welcome" { "Find more sites to follow" } ", or " a href="/subscriptions/opml" { "bring your feeds" } " from another reader." }
                li { a href="/library?shelf=all" { "Look through your library" } ", or " a href="/library/import" { "bring your saved pages" } "." }
                li { a href="/monitors/new" { "Watch a page" } " to see its changes here." }
            }
        }
    }
}

/// Renders the newest changes of the person's monitors, with what has changed.
fn changes(changes: &[MatchedChange], now: Millis) -> Markup {
    html! {
        @if !changes.is_empty() {
            section aria-labelledby="changes" {
                div.line.mid { h2 #changes { "Changes" } a.push.small href="/monitors/changes" { "All changes" } }
                ul.rows { @for change in changes {
                    li {
                        h3 { a href=(change.link) { bdi { (change.title) } } }
                        @if change.summary != change.title { p.say { bdi { (cut(&change.summary, MAX_SUMMARY_CHARS)) } } }
                        p.meta.dots {
                            span { a href={ "/monitors/" (change.monitor_id) } { bdi { (change.monitor) } } }
                            span { (time(change.detected_at, now)) }
                        }
                    }
                } }
            }
        }
    }
}

/// Renders the items of the library, with the started ones first.
fn library_side(today: &Today, now: Millis) -> Markup {
    let Rediscovery { started, waiting, this_day } = &today.rediscovery;
    html! {
        (items("started", "Continue reading", started, now))
        (items("saved", "Recently saved", &today.saved, now))
        (items("waiting", "Saved long ago", waiting, now))
        (items("this-day", "On this day", this_day, now))
    }
}

fn items(id: &str, title: &str, items: &[Item], now: Millis) -> Markup {
    html! {
        @if !items.is_empty() {
            section aria-labelledby=(id) {
                div.line.mid { h2 id=(id) { (title) } a.push.small href="/library" { "Library" } }
                ul.rows { @for item in items { (short_row(item, now)) } }
            }
        }
    }
}

fn failing(today: &Today, now: Millis) -> Markup {
    let more = today.failing_total > i64::try_from(today.failing.len()).unwrap_or(i64::MAX);
    html! {
        @if !today.failing.is_empty() {
            section.notice aria-labelledby="care" {
                h2 #care { "Needs your attention" }
                ul { @for source in &today.failing {
                    li { a href={ "/subscriptions/" (source.subscription.id) } { bdi { (source.subscription.title) } } ": "
                        (health_words(source.health, &source.subscription, now)) }
                } }
                @if more { p { a href="/subscriptions?health=failing" { "All feeds that are not answering" } } }
            }
        }
    }
}

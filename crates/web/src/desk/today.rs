//! Today page: new and important entries, changes, and items to return to, with a field that searches or
//! opens a page.

use application::first_steps::{self, FirstSteps};
use application::today::{self, Today};
use kernel::Millis;
use library::{Item, Rediscovery};
use maud::{Markup, html};
use monitors::MatchedChange;
use poem::handler;

use super::feeds::entry_rows::{EntryListOptions, entry_rows, health_words};
use super::feeds::new_entries::notice_on_today;
use super::frame::{Section, cut, respond};
use super::library::item_rows::short_row;
use super::row_pictures::RowPictures;
use super::undo::notice;
use super::welcome;
use crate::change_text::change_text;
use crate::language::text::Text;
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
    let list = EntryListOptions { through: unread.as_of_id, pictures: &pictures, now };
    let has_news = !today.changes.is_empty() || !unread.entries.is_empty();
    let content = html! {
        div.head {
            h1 { (Text("nav-today")) }
            p.soft { (unread_words(unread.unread_total, unread.unread_partial)) }
        }
        (notice(&request, &token, &super::feeds::entry_rows::DONE, "/entries/undo"))
        (notice_on_today(list.through))
        @if user.account.is_sample { (remove_sample(&token)) }
        (find_box())
        @if let Some(steps) = steps { (open_steps(steps, &token)) }
        @else if today.is_empty() { (nothing_new()) }
        // Without news, the lists of the library take the full width.
        div.after.sides[has_news] {
            div {
                (changes(&today.changes, now))
                @if !unread.entries.is_empty() {
                    section aria-labelledby="unread" {
                        div.line.mid { h2 #unread { (Text("today-unread-heading")) } a.push.small href="/entries" { (Text("today-all-unread")) } }
                        p.small.soft { (Text("today-order")) }
                        (entry_rows(&request, &token, &unread.entries, &list))
                    }
                }
            }
            div { (library_side(&today, now)) (failing(&today, now)) }
        }
    };
    Ok(respond(&request, Section::Today, &Text("nav-today").get(), &content))
}

/// Describes the number of unread entries. If it is partial, there are more.
fn unread_words(total: i64, is_partial: bool) -> String {
    let text = if is_partial { Text("today-unread-partial") } else { Text("today-unread") };
    let total = total.unsigned_abs();
    text.with("count", total).with("amount", with_thousands_separators(total)).get()
}

fn find_box() -> Markup {
    html! {
        form.ask role="search" aria-label=(Text("today-search-or-open")) action="/search" method="get" {
            div {
                label for="q" { (Text("today-search-label")) }
                p.rule #q-rule { (Text("today-search-hint")) }
                input #q name="q" type="search" maxlength="4096" placeholder=(Text("today-search-example")) autocapitalize="off" spellcheck="false" aria-describedby="q-rule";
            }
            button type="submit" { (Text("today-go")) }
        }
    }
}

/// Renders the first steps that are not completed yet.
fn open_steps(steps: FirstSteps, token: &FormToken) -> Markup {
    let all = [
        (steps.has_feed, Text("begin-follow"), Text("begin-follow-words")),
        (steps.has_item, Text("begin-save"), Text("begin-save-words")),
        (steps.has_monitor, Text("begin-watch"), Text("begin-watch-words")),
    ];
    html! {
        section aria-labelledby="begin" {
            h2 #begin { (Text("begin")) }
            (welcome::progress_line(steps))
            ul { @for (is_done, name, purpose) in all {
                li {
                    @if is_done { span.state.good { (Text("begin-done")) } ": " (name) }
                    @else { a href="/welcome" { (name) } " " (purpose) }
                }
            } }
            form.row method="post" action="/welcome/close" {
                (token.field())
                a.button href="/welcome" { (Text("begin-continue")) }
                button.secondary type="submit" { (Text("begin-close")) }
            }
        }
    }
}

/// Renders suggestions for a person who has nothing to read.
fn nothing_new() -> Markup {
    html! {
        section aria-labelledby="nothing" {
            h2 #nothing { (Text("nothing-new")) }
            ul {
                li { (Text("nothing-feeds").linked(&["/welcome", "/subscriptions/opml"])) }
                li { (Text("nothing-library").linked(&["/library?shelf=all", "/library/import"])) }
                li { (Text("nothing-monitors").linked(&["/monitors/new"])) }
            }
        }
    }
}

/// Renders the newest changes of the person's monitors, with their summaries.
fn changes(changes: &[MatchedChange], now: Millis) -> Markup {
    html! {
        @if !changes.is_empty() {
            section aria-labelledby="changes" {
                div.line.mid { h2 #changes { (Text("today-changes")) } a.push.small href="/monitors/changes" { (Text("today-all-changes")) } }
                ul.rows { @for change in changes {
                    @let text = change_text(&change.title, &change.summary);
                    li {
                        h3 { a href=(change.link) { bdi { (text.title) } } }
                        @if text.summary != text.title { p.say { bdi { (cut(&text.summary, MAX_SUMMARY_CHARS)) } } }
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

/// Renders the highlights to review and the items of the library, with the started ones first.
fn library_side(today: &Today, now: Millis) -> Markup {
    let Rediscovery { started, waiting, this_day } = &today.rediscovery;
    html! {
        (review(today.due_highlights))
        (items("started", Text("today-started"), started, now))
        (items("saved", Text("today-saved"), &today.saved, now))
        (items("waiting", Text("today-waiting"), waiting, now))
        (items("this-day", Text("today-this-day"), this_day, now))
    }
}

fn review(due: u32) -> Markup {
    html! {
        @if due > 0 {
            section aria-labelledby="review" {
                div.line.mid { h2 #review { (Text("review")) } a.push.small href="/highlights/review" { (Text("review-start")) } }
                p { (Text("review-due").with("count", due)) }
            }
        }
    }
}

fn items(id: &str, title: Text, items: &[Item], now: Millis) -> Markup {
    html! {
        @if !items.is_empty() {
            section aria-labelledby=(id) {
                div.line.mid { h2 id=(id) { (title) } a.push.small href="/library" { (Text("nav-library")) } }
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
                h2 #care { (Text("today-attention")) }
                ul { @for source in &today.failing {
                    li { a href={ "/subscriptions/" (source.subscription.id) } { bdi { (source.subscription.title) } } ": "
                        (health_words(source.health, &source.subscription, now)) }
                } }
                @if more { p { a href="/subscriptions?health=failing" { (Text("today-all-failing")) } } }
            }
        }
    }
}

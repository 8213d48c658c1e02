//! Today page: recent changes, unread entries, saved items, and problems, with a field that searches or opens
//! a page.

use feeds::{EntryFilter, Health, SourceQuery};
use kernel::Millis;
use library::{ItemFilter, ItemStatus};
use maud::{Markup, html};
use monitors::{ListFilter, ListRange};
use poem::handler;

use super::feeds::entry_rows::{entry_rows, health_words};
use super::frame::{Section, notice, respond};
use super::library::item_rows::short_row;
use crate::page::form::FormToken;
use crate::page::parts::{time, with_thousands_separators};
use crate::page::request::{PageRequest, PageResult, User};

/// Maximum number of entries on the page.
const ENTRIES: u32 = 8;
/// Maximum number of saved items on the page.
const ITEMS: u32 = 6;
/// Maximum number of changes on the page.
const CHANGES: usize = 5;
/// Maximum number of monitors whose changes are considered. No plan allows more.
const MONITORS: u32 = 300;
/// Maximum number of failing feeds that are listed by name.
const FAILING: u32 = 3;

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let now = domain.now();
    let filter = EntryFilter { unread: Some(true), ..EntryFilter::default() };
    let unread = feeds::list_entries(domain, account_id, &filter, None, ENTRIES).await?;
    let filter = ItemFilter { status: Some(ItemStatus::Inbox), ..ItemFilter::default() };
    let saved = library::list(domain, account_id, &filter, None, ITEMS).await?.items;
    let failing = SourceQuery { health: vec![Health::Failing], ..SourceQuery::default() };
    let failing = feeds::query_sources(domain, account_id, &failing, None, FAILING).await?;
    let changes = changes(&request, &user, now).await?;
    let is_new = unread.entries.is_empty() && saved.is_empty() && changes.is_none();
    let token = FormToken::of(&request);
    let content = html! {
        div.head {
            h1 { "Today" }
            p.soft { (with_thousands_separators(unread.unread_total.unsigned_abs())) @if unread.unread_partial { " or more" } " unread entries" }
        }
        (notice(&request, &super::feeds::entry_rows::DONE))
        (find_box())
        @if is_new { (first_steps()) }
        div.sides.after {
            div {
                @if let Some(changes) = &changes { (changes) }
                @if !unread.entries.is_empty() {
                    section aria-labelledby="unread" {
                        div.line.mid { h2 #unread { "Unread" } a.push.small href="/entries" { "All feeds" } }
                        (entry_rows(&request, &token, &unread.entries, unread.as_of_id, now))
                    }
                }
            }
            div {
                @if !saved.is_empty() {
                    section aria-labelledby="saved" {
                        div.line.mid { h2 #saved { "Recently saved" } a.push.small href="/library" { "Library" } }
                        ul.rows { @for item in &saved { (short_row(item, now)) } }
                    }
                }
                @if failing.total > 0 {
                    section.notice aria-labelledby="care" {
                        h2 #care { "Needs your attention" }
                        ul { @for source in &failing.items {
                            li { a href={ "/subscriptions/" (source.subscription.id) } { bdi { (source.subscription.title) } } ": "
                                (health_words(source.health, &source.subscription, now)) }
                        } }
                        @if failing.total > i64::from(FAILING) { p { a href="/subscriptions?health=failing" { "All feeds that are not answering" } } }
                    }
                }
            }
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

fn first_steps() -> Markup {
    html! {
        section aria-labelledby="begin" {
            h2 #begin { "Get started" }
            ul {
                li { a href="/subscriptions/new" { "Follow a site" } " to see its new entries here and under Feeds." }
                li { a href="/library" { "Save a page" } " to read it later, with your highlights and notes." }
                li { a href="/monitors/new" { "Watch a page" } " to see its changes here." }
                li { a href="/subscriptions/opml" { "Import your feeds" } " or " a href="/library/import" { "your saved pages" } " from another service." }
            }
        }
    }
}

/// Renders the newest changes of the person's monitors. `None` if there are none.
async fn changes(request: &PageRequest, user: &User, now: Millis) -> kernel::Result<Option<Markup>> {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let range = ListRange::first(MONITORS);
    let mut changed = monitors::list(domain, account_id, ListFilter::default(), range).await?.monitors;
    changed.retain(|monitor| monitor.last_change_at.is_some());
    changed.sort_by_key(|monitor| std::cmp::Reverse(monitor.last_change_at));
    changed.truncate(CHANGES);
    if changed.is_empty() {
        return Ok(None);
    }
    let newest = monitors::newest_changes(domain, account_id, &changed).await?;
    Ok(Some(html! {
        section aria-labelledby="changes" {
            div.line.mid { h2 #changes { "Changes" } a.push.small href="/monitors" { "All monitors" } }
            ul.rows { @for monitor in &changed {
                @if let Some(change) = newest.get(&monitor.id) {
                    li {
                        h3 { a href=(change.link) { bdi { (change.title) } } }
                        p.meta.dots {
                            span { a href={ "/monitors/" (monitor.id) } { bdi { (monitor.name) } } }
                            @if let Some(at) = monitor.last_change_at { span { (time(at, now)) } }
                        }
                    }
                }
            } }
        }
    }))
}

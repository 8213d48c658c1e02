//! Entries: unread ones, all, or those with a star, of everything, of a collection or of a feed, or those that a search finds.

use feeds::EntryPage;
use kernel::EntryId;
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{self, Place, ROWS, Tab, notice, pager, respond, tabs};
use super::extent::{Extent, Which};
use super::rows::{DONE, entry_rows};
use super::side::side;
use crate::account::form::FormToken;
use crate::account::parts::grouped;
use crate::account::request::{Answer, PageRequest, User};

/// Feeds beside the entries of their collection.
const FEEDS: u32 = 50;

/// The list.
#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> Answer {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let extent = Extent::of(&request);
    let after = request.parameter("after").parse::<i64>().ok().map(EntryId::new);
    let page = page_of(&request, &user, &extent, after).await?;
    let collections = feeds::shelf(domain, account_id).await?;
    let feeds =
        feeds::list_subscriptions(domain, account_id, extent.collection, None, FEEDS).await?.subscriptions;
    let name = name_of(&request, &user, &extent, &collections).await?;
    let token = FormToken::of(&request);
    // Later pages are of the list as its first page was.
    let through = after.and_then(|_| request.parameter("through").parse().ok().map(EntryId::new));
    let through = through.unwrap_or(page.as_of_id);
    let next = page.next_after.map(|id| {
        let here = extent.at("/entries", extent.show_word());
        format!("{here}{}after={id}&through={through}", if here.contains('?') { '&' } else { '?' })
    });
    let content = html! {
        div.sides {
            (side(&extent, &collections, &feeds))
            div {
                div.line.mid { h1 { bdi { (name) } } a.button.push href="/subscriptions/new" { "Follow a site" } }
                (notice(&request, &DONE))
                (tabs("Which entries", &which(&extent, &page)))
                @if feeds.is_empty() && collections.iter().all(|one| one.feeds == 0) && extent.which() != Which::Starred {
                    p { "You follow nothing yet. " a href="/subscriptions/new" { "Follow a site" } ": its new entries stand here. Or "
                        a href="/subscriptions/opml" { "bring the list of another reader" } "." }
                } @else {
                    (tools(&request, &token, &extent, &page, through))
                    @if page.entries.is_empty() { (nothing(&extent)) } @else { h2.hidden { "Entries" }
                        (entry_rows(&request, &token, &page.entries, through, domain.now())) }
                    (pager(next.as_deref(), "Older entries"))
                }
            }
        }
    };
    Ok(respond(&request, Place::Feeds, &format!("{name} · Feeds"), &content))
}

/// A page of the entries.
async fn page_of(
    request: &PageRequest,
    user: &User,
    extent: &Extent,
    after: Option<EntryId>,
) -> kernel::Result<EntryPage> {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    if !extent.is_every_star() {
        return feeds::list_entries(domain, account_id, &extent.filter(), after, ROWS).await;
    }
    let counted = feeds::list_entries(domain, account_id, &feeds::EntryFilter::default(), None, 1).await?;
    let starred = feeds::list_starred(domain, account_id, after, ROWS).await?;
    Ok(EntryPage { entries: starred.entries, next_after: starred.next_after, ..counted })
}

/// What the list is called: the feed, the collection, or all of them.
async fn name_of(
    request: &PageRequest,
    user: &User,
    extent: &Extent,
    collections: &[feeds::ShelfCollection],
) -> kernel::Result<String> {
    let missing =
        |what: &str| kernel::Error::new(kernel::Code::NotFound, format!("There is no such {what}."));
    if let Some(feed_id) = extent.feed {
        let title = feeds::title_of(&request.app.domain, user.account.id, feed_id).await?;
        return title.ok_or_else(|| missing("feed"));
    }
    match extent.collection {
        Some(id) => {
            let found = collections.iter().find(|collection| collection.id == id);
            found.map(|collection| collection.name.clone()).ok_or_else(|| missing("collection"))
        }
        None => Ok("All feeds".to_owned()),
    }
}

fn which(extent: &Extent, page: &EntryPage) -> Vec<Tab> {
    let more = if page.unread_partial { "+" } else { "" };
    let unread = format!("Unread {}{more}", grouped(page.unread_total.unsigned_abs()));
    let tab = |which: Which, name: String| Tab {
        href: extent.at("/entries", which.word()),
        name,
        is_current: which == extent.which(),
    };
    vec![
        tab(Which::Unread, unread),
        tab(Which::All, "All".to_owned()),
        tab(Which::Starred, "Starred".to_owned()),
    ]
}

/// Search in these entries, and marking them all.
fn tools(
    request: &PageRequest,
    token: &FormToken,
    extent: &Extent,
    page: &EntryPage,
    through: EntryId,
) -> Markup {
    html! {
        div.tools {
            form.seek role="search" aria-label="These entries" action="/entries" method="get" {
                @if let Some(feed) = extent.feed { input type="hidden" name="feed" value=(feed); }
                @if let Some(collection) = extent.collection { input type="hidden" name="collection" value=(collection); }
                @if extent.which() != Which::Unread { input type="hidden" name="show" value=(extent.show_word()); }
                input type="search" name="q" value=(extent.query()) maxlength="500" aria-label="Search in these entries" placeholder="Search in these entries";
                button.quiet type="submit" { "Search" }
            }
            @if page.unread_total > 0 && extent.query().is_empty() && extent.which() != Which::Starred {
                form.push method="post" action="/entries/mark-all" {
                    (token.field()) (frame::back_field(request))
                    input type="hidden" name="through" value=(through);
                    button.quiet type="submit" { "Mark all as read" }
                }
            }
        }
    }
}

fn nothing(extent: &Extent) -> Markup {
    html! {
        @if !extent.query().is_empty() { p { "No entry here has these words." } }
        @else {
            @match extent.which() {
                Which::All => { p { "Nothing has arrived yet. A feed is read within a minute after it is followed." } },
                Which::Unread => { p { "Everything is read. " a href=(extent.at("/entries", "all")) { "Show all entries" } "." } },
                Which::Starred => { p { "No entry here has a star. Give one to what you want to keep: it stays in this list, and is saved in your library." } },
            }
        }
    }
}

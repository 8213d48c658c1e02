//! The entry list: unread, all, or starred entries of all feeds, a collection, or a feed; or the results of a
//! search.

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

/// Maximum feeds next to the entries of their collection.
const FEEDS: u32 = 50;

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
    // Later pages show the list as it was when its first page was displayed.
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
                (tabs("Entry filter", &which(&extent, &page)))
                @if feeds.is_empty() && collections.iter().all(|one| one.feeds == 0) && extent.which() != Which::Starred {
                    p { "You do not follow any feeds yet. " a href="/subscriptions/new" { "Follow a site" } " to see its new entries here. Or "
                        a href="/subscriptions/opml" { "import a list from another reader" } "." }
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

/// One page of entries.
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

/// Title of the list: the feed, the collection, or all feeds.
async fn name_of(
    request: &PageRequest,
    user: &User,
    extent: &Extent,
    collections: &[feeds::ShelfCollection],
) -> kernel::Result<String> {
    let missing =
        |what: &str| kernel::Error::new(kernel::Code::NotFound, format!("This {what} does not exist."));
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

/// Search in these entries, and a button to mark all of them.
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
                input type="search" name="q" value=(extent.query()) maxlength="500" aria-label="Search these entries" placeholder="Search these entries";
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
        @if !extent.query().is_empty() { p { "No entries match your search." } }
        @else {
            @match extent.which() {
                Which::All => { p { "No entries yet. A feed is fetched within a minute after you follow it." } },
                Which::Unread => { p { "No unread entries. " a href=(extent.at("/entries", "all")) { "Show all entries" } "." } },
                Which::Starred => { p { "No starred entries. Star an entry to keep it in this list and save it to your library." } },
            }
        }
    }
}

//! Entries: unread ones or all, of everything, of a collection or of a feed, or those that a search finds.

use domain::EntryId;
use domain::feeds::{self, EntryPage};
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{self, Place, ROWS, Tab, notice, pager, respond, tabs};
use super::extent::Extent;
use super::rows::{DONE, entry_rows};
use super::side::side;
use crate::web::account::form::FormToken;
use crate::web::account::parts::grouped;
use crate::web::account::request::{Answer, PageRequest, User};

/// Feeds beside the entries of their collection.
const FEEDS: u32 = 50;

/// The list.
#[handler]
pub(in crate::web::desk) async fn show(request: PageRequest, user: User) -> Answer {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let extent = Extent::of(&request);
    let after = request.parameter("after").parse::<i64>().ok().map(EntryId::new);
    let page = feeds::list_entries(domain, account_id, &extent.filter(), after, ROWS).await?;
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
                @if feeds.is_empty() && collections.iter().all(|one| one.feeds == 0) {
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

/// What the list is called: the feed, the collection, or all of them.
async fn name_of(
    request: &PageRequest,
    user: &User,
    extent: &Extent,
    collections: &[feeds::ShelfCollection],
) -> domain::Result<String> {
    let missing =
        |what: &str| domain::Error::new(domain::Code::NotFound, format!("There is no such {what}."));
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
    let tab = |word: &str, name: String, is_current: bool| Tab {
        href: extent.at("/entries", word),
        name,
        is_current,
    };
    vec![tab("", unread, !extent.is_all()), tab("all", "All".to_owned(), extent.is_all())]
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
                @if extent.is_all() { input type="hidden" name="show" value="all"; }
                input type="search" name="q" value=(extent.query()) maxlength="500" aria-label="Search in these entries" placeholder="Search in these entries";
                button.quiet type="submit" { "Search" }
            }
            @if page.unread_total > 0 && extent.query().is_empty() {
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
        @else if extent.is_all() { p { "Nothing has arrived yet. A feed is read within a minute after it is followed." } }
        @else { p { "Everything is read. " a href=(extent.at("/entries", "all")) { "Show all entries" } "." } }
    }
}

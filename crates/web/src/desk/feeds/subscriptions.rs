//! List of all subscriptions, fifty per page, with the health of each.

use feeds::{Health, QueryCursor, QueryOrder, Source, SourceFilter, SourceQuery, Subscription};
use kernel::Millis;
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{ROWS, Section, Tab, link, notice, pager, respond, tabs};
use super::entry_rows::{DONE, health_words};
use super::feed_pictures::FeedPictures;
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};

const STATES: [(&str, &str); 4] =
    [("", "All"), ("failing", "Not answering"), ("stale", "Inactive"), ("never", "Not fetched yet")];

#[handler]
pub(in crate::desk) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    let state = request.parameter("health");
    let collection = request.parameter("collection");
    let health: Vec<Health> = Health::ALL.iter().copied().filter(|health| health.as_str() == state).collect();
    let named = Some(collection.clone()).filter(|name| !name.is_empty());
    let query = SourceQuery {
        sources: SourceFilter { collections: named.into_iter().collect(), ..SourceFilter::default() },
        health,
        order: QueryOrder::Oldest,
        ..SourceQuery::default()
    };
    let after = request.parameter("after").parse().ok().map(QueryCursor::new);
    let page = feeds::query_sources(domain, account_id, &query, after, ROWS).await?;
    let at = |state: &str| link("/subscriptions", &[("health", state), ("collection", &collection)]);
    let states: Vec<Tab> = STATES
        .iter()
        .map(|(word, name)| Tab { href: at(word), name: (*name).to_owned(), is_current: *word == state })
        .collect();
    let next = page.next.map(|position| {
        let after = position.as_i64().to_string();
        link("/subscriptions", &[("health", &state), ("collection", &collection), ("after", &after)])
    });
    let now = domain.now();
    let listed: Vec<&Subscription> = page.items.iter().map(|source| &source.subscription).collect();
    let pictures = FeedPictures::of(&request, account_id, &listed).await?;
    let content = html! {
        p.soft { a href="/entries" { "Feeds" } }
        div.line.mid { h1 { "Subscriptions" } a.button.push href="/subscriptions/new" { "Follow a site" } }
        (notice(&request, &DONE))
        (tabs("Feed status", &states))
        @if page.items.is_empty() {
            p { @if state.is_empty() { "You do not follow any feeds yet." } @else { "No feeds have this status." } }
        } @else {
            p.soft.small { (with_thousands_separators(page.total.unsigned_abs())) @if page.total == 1 { " feed" } @else { " feeds" } }
            h2.hidden { "Feeds" }
            ul.rows { @for source in &page.items { (row(source, &pictures, now)) } }
            (pager(next.as_deref(), "More feeds"))
        }
        p.small { a href="/collections" { "Collections" } " · " a href="/subscriptions/rules" { "Rules" } " · " a href="/subscriptions/statistics" { "Statistics" } " · " a href="/subscriptions/opml" { "Import or export" } }
    };
    Ok(respond(&request, Section::Feeds, "Subscriptions · Feeds", &content))
}

fn row(source: &Source, pictures: &FeedPictures, now: Millis) -> Markup {
    let feed = &source.subscription;
    html! {
        li {
            h3 { a href={ "/subscriptions/" (feed.id) } { (pictures.show(feed.feed_id)) bdi { (feed.title) } } }
            p.meta { (health_words(source.health, feed, now)) }
            p.meta.dots {
                span { a href=(link("/entries", &[("feed", &feed.feed_id.to_string())])) { (with_thousands_separators(feed.unread_count.unsigned_abs())) @if feed.unread_partial { "+" } " unread" } }
                span { bdi { (feed.feed_url) } }
            }
        }
    }
}

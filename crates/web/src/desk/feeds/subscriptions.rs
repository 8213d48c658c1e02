//! List of all subscriptions, fifty per page, with the health of each.

use feeds::{FollowedSource, Health, QueryCursor, QueryOrder, SourceFilter, SourceQuery, Subscription};
use kernel::Millis;
use maud::{Markup, html};
use poem::handler;

use super::super::frame::{ROWS, Section, Tab, link, notice, pager, respond, tabs};
use super::entry_rows::{DONE, health_words};
use super::feed_pictures::FeedPictures;
use crate::language::text::Text;
use crate::page::parts::with_thousands_separators;
use crate::page::request::{PageRequest, PageResult, User};

const STATES: [(&str, Text); 4] = [
    ("", Text("feeds-all")),
    ("failing", Text("health-failing")),
    ("stale", Text("health-stale")),
    ("never", Text("health-never")),
];

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
        .map(|(word, name)| Tab { href: at(word), name: name.get(), is_current: *word == state })
        .collect();
    let next = page.next.map(|position| {
        let after = position.as_i64().to_string();
        link("/subscriptions", &[("health", &state), ("collection", &collection), ("after", &after)])
    });
    let now = domain.now();
    let listed: Vec<&Subscription> = page.items.iter().map(|source| &source.subscription).collect();
    let pictures = FeedPictures::of(&request, account_id, &listed).await?;
    let content = html! {
        p.soft { a href="/entries" { (Text("nav-feeds")) } }
        div.line.mid { h1 { (Text("feeds-subscriptions")) } a.button.push href="/subscriptions/new" { (Text("entries-follow")) } }
        (notice(&request, &DONE))
        (tabs(&Text("feeds-status").get(), &states))
        @if page.items.is_empty() {
            p { @if state.is_empty() { (Text("feeds-none")) } @else { (Text("feeds-none-in-status")) } }
        } @else {
            p.soft.small { (Text("feeds-count").with("count", page.total).with("amount", with_thousands_separators(page.total.unsigned_abs()))) }
            h2.hidden { (Text("nav-feeds")) }
            ul.rows { @for source in &page.items { (row(source, &pictures, now)) } }
            (pager(next.as_deref(), &Text("feeds-more")))
        }
        p.small { a href="/collections" { (Text("feeds-collections")) } " · " a href="/subscriptions/rules" { (Text("feeds-rules")) } " · " a href="/subscriptions/statistics" { (Text("feeds-statistics")) } " · " a href="/subscriptions/opml" { (Text("feeds-import")) } }
    };
    let title = format!("{} · {}", Text("feeds-subscriptions").get(), Text("nav-feeds").get());
    Ok(respond(&request, Section::Feeds, &title, &content))
}

fn row(source: &FollowedSource, pictures: &FeedPictures, now: Millis) -> Markup {
    let feed = &source.subscription;
    let more = if feed.unread_partial { "+" } else { "" };
    let unread = format!("{}{more}", with_thousands_separators(feed.unread_count.unsigned_abs()));
    html! {
        li {
            h3 { a href={ "/subscriptions/" (feed.id) } { (pictures.show(feed.feed_id)) bdi { (feed.title) } } }
            p.meta { (health_words(source.health, feed, now)) }
            p.meta.dots {
                span { a href=(link("/entries", &[("feed", &feed.feed_id.to_string())])) { (Text("feeds-unread-count").with("amount", unread)) } }
                span { bdi { (feed.feed_url) } }
            }
        }
    }
}

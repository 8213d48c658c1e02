//! Sidebar of the entry list: all feeds, the collections, and the feeds of the open collection.

use feeds::{COUNTED_UNREAD, CollectionSummary, SubscriptionPage};
use library::{SavedSearch, SearchTarget};
use maud::{Markup, html};

use super::super::frame::link;
use super::super::saved_searches::links;
use super::entry_scope::EntryListScope;
use super::feed_pictures::FeedPictures;
use crate::language::text::Text;

/// Renders the sidebar with the collections, and the feeds of the open collection.
pub(super) fn side(
    scope: &EntryListScope,
    collections: &[CollectionSummary],
    feeds: &SubscriptionPage,
    pictures: &FeedPictures,
    searches: &[SavedSearch],
) -> Markup {
    let current = |is: bool| is.then_some("true");
    let all = scope.feed.is_none() && scope.collection.is_none();
    html! {
        details.drawer {
            summary { (Text("feeds-and-collections")) }
            nav.side aria-label=(Text("feeds-and-collections")) {
                ul.sections {
                    li { a href=(link("/entries", &[("show", scope.tab_value())])) aria-current=[current(all)] { (Text("entries-all-feeds")) } }
                    @for collection in collections {
                        @let id = collection.id.to_string();
                        @let is_open = scope.collection == Some(collection.id);
                        li {
                            a href=(link("/entries", &[("collection", &id), ("show", scope.tab_value())])) aria-current=[current(is_open && scope.feed.is_none())] {
                                bdi { (collection.name) } (unread(collection.unread, COUNTED_UNREAD))
                            }
                            @if is_open && !feeds.subscriptions.is_empty() { (feed_list(scope, feeds, pictures)) }
                        }
                    }
                }
                @if scope.collection.is_none() && !feeds.subscriptions.is_empty() { (feed_list(scope, feeds, pictures)) }
                (links(searches, SearchTarget::Entries, scope.query()))
                p.small { a href="/subscriptions" { (Text("feeds-manage")) } " · " a href="/collections" { (Text("feeds-collections")) } " · " a href="/subscriptions/opml" { (Text("feeds-import")) } }
            }
        }
    }
}

fn feed_list(scope: &EntryListScope, feeds: &SubscriptionPage, pictures: &FeedPictures) -> Markup {
    let collection = scope.collection.map(|id| id.to_string()).unwrap_or_default();
    html! {
        ul.sections { @for feed in &feeds.subscriptions {
            @let id = feed.feed_id.to_string();
            li { a href=(link("/entries", &[("collection", &collection), ("feed", &id), ("show", scope.tab_value())]))
                aria-current=[(scope.feed == Some(feed.feed_id)).then_some("true")] {
                span {
                    (pictures.show(feed.feed_id)) bdi { (feed.title) }
                    @if feed.last_error.is_some() { span.health { (Text("feeds-last-failed")) } }
                }
                (unread(feed.unread_count, COUNTED_UNREAD))
            } }
        } @if feeds.next_after.is_some() { li { a href=(link("/subscriptions", &[("collection", &collection)])) { (Text("feeds-more")) } } } }
    }
}

/// Renders an unread count. Counts that reached the maximum have a plus sign.
fn unread(count: i64, most: i64) -> Markup {
    html! { @if count > 0 {
        span.count { @if count >= most { (most - 1) "+" } @else { (count) } span.hidden { " " (Text("feeds-unread")) } }
    } }
}

//! Sidebar of the entry list: all feeds, the collections, and the feeds of the open collection.

use feeds::{COUNTED_UNREAD, ShelfCollection, Subscription};
use maud::{Markup, html};

use super::super::frame::link;
use super::extent::Extent;

/// Sidebar with the collections, and the feeds of the open collection.
pub(super) fn side(extent: &Extent, collections: &[ShelfCollection], feeds: &[Subscription]) -> Markup {
    let current = |is: bool| is.then_some("true");
    let all = extent.feed.is_none() && extent.collection.is_none();
    html! {
        details.drawer {
            summary { "Feeds and collections" }
            nav.side aria-label="Feeds and collections" {
                ul.places {
                    li { a href=(link("/entries", &[("show", extent.show_word())])) aria-current=[current(all)] { "All feeds" } }
                    @for collection in collections {
                        @let id = collection.id.to_string();
                        @let is_open = extent.collection == Some(collection.id);
                        li {
                            a href=(link("/entries", &[("collection", &id), ("show", extent.show_word())])) aria-current=[current(is_open && extent.feed.is_none())] {
                                bdi { (collection.name) } (unread(collection.unread, COUNTED_UNREAD))
                            }
                            @if is_open && !feeds.is_empty() { (feed_list(extent, feeds)) }
                        }
                    }
                }
                @if extent.collection.is_none() && !feeds.is_empty() { (feed_list(extent, feeds)) }
                p.small { a href="/subscriptions" { "Manage feeds" } " · " a href="/collections" { "Collections" } " · " a href="/subscriptions/opml" { "Import or export" } }
            }
        }
    }
}

fn feed_list(extent: &Extent, feeds: &[Subscription]) -> Markup {
    let collection = extent.collection.map(|id| id.to_string()).unwrap_or_default();
    html! {
        ul.places { @for feed in feeds {
            @let id = feed.feed_id.to_string();
            li { a href=(link("/entries", &[("collection", &collection), ("feed", &id), ("show", extent.show_word())]))
                aria-current=[(extent.feed == Some(feed.feed_id)).then_some("true")] {
                span {
                    bdi { (feed.title) }
                    @if feed.last_error.is_some() { span.health { "Last fetch failed" } }
                }
                (unread(feed.unread_count, COUNTED_UNREAD))
            } }
        } }
    }
}

/// Unread count, with a plus sign if counting stopped there.
fn unread(count: i64, most: i64) -> Markup {
    html! { @if count > 0 {
        span.count { @if count >= most { (most - 1) "+" } @else { (count) } span.hidden { " unread" } }
    } }
}

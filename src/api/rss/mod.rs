//! The RSS operations: what an account follows, its collections, its entries, and what it has read.

mod body;
mod collections;
pub(super) mod document;
mod entries;
mod lists;
mod schema;
mod subscriptions;
mod values;

pub(super) use collections::CollectionsApi;
pub(super) use entries::EntriesApi;
pub(super) use lists::ListsApi;
pub(super) use subscriptions::SubscriptionsApi;

/// The group's operations, one type a subject.
pub(super) type RssApi = (SubscriptionsApi, CollectionsApi, EntriesApi, ListsApi);

/// The operations, ready to be mounted.
pub(super) fn operations() -> RssApi {
    (SubscriptionsApi, CollectionsApi, EntriesApi, ListsApi)
}

//! The RSS operations: what an account follows, its collections, its entries, and what it has read.

mod body;
mod collections;
mod entries;
mod examples;
mod lists;
mod schema;
mod subscriptions;

use http_kit::http::params::Id;
use http_kit::http::value::List;

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

/// The ids of a list.
fn numbers<T: From<i64>, const MIN: usize, const MAX: usize>(ids: List<Id, MIN, MAX>) -> Vec<T> {
    ids.0.into_iter().map(|id| T::from(id.0)).collect()
}

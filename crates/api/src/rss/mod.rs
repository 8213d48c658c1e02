//! RSS operations: subscriptions, collections, entries with their read state, and OPML.

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

/// Operations of the group, one type per subject.
pub(super) type RssApi = (SubscriptionsApi, CollectionsApi, EntriesApi, ListsApi);

pub(super) fn operations() -> RssApi {
    (SubscriptionsApi, CollectionsApi, EntriesApi, ListsApi)
}

/// Converts ids of a request to typed ids.
fn typed_ids<T: From<i64>, const MIN: usize, const MAX: usize>(ids: List<Id, MIN, MAX>) -> Vec<T> {
    ids.0.into_iter().map(|id| T::from(id.0)).collect()
}

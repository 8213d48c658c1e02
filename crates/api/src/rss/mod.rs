//! RSS operations: subscriptions, collections, entries with their read state, and OPML.

mod body;
mod briefings;
mod collections;
mod entries;
mod episode;
mod examples;
mod lists;
mod rewrites;
mod schema;
mod settings;
mod statistics;
mod subscriptions;
mod typed_ids;

pub(super) use briefings::BriefingsApi;
pub(super) use collections::CollectionsApi;
pub(super) use entries::EntriesApi;
pub(super) use lists::FeedListsApi;
pub(super) use rewrites::RewritesApi;
pub(super) use schema::RssEntry;
pub(super) use settings::SettingsApi;
pub(super) use statistics::StatisticsApi;
pub(super) use subscriptions::SubscriptionsApi;

/// Operations of the group, one type per subject.
pub(super) type RssApi = (
    SubscriptionsApi,
    SettingsApi,
    RewritesApi,
    StatisticsApi,
    CollectionsApi,
    BriefingsApi,
    EntriesApi,
    FeedListsApi,
);

pub(super) fn operations() -> RssApi {
    (
        SubscriptionsApi, SettingsApi, RewritesApi, StatisticsApi, CollectionsApi, BriefingsApi, EntriesApi,
        FeedListsApi,
    )
}

//! Entries, sources and collections as the feed operations show them. Each field may be left out by who asks, but for `id`.

use feeds::{Collection, CollectionKind, Entry, Health, Source, SourceKind};
use kernel::rfc3339;
use poem_openapi::Object;

use http_kit::http::word::{Word, WordSet};

/// The fields of entries, and those of sources.
pub(super) const ENTRY: &[&str] = &[
    "feedId",
    "feedTitle",
    "feedSiteUrl",
    "url",
    "title",
    "summary",
    "author",
    "imageUrl",
    "publishedAt",
    "discoveredAt",
    "unread",
    "kind",
];
pub(super) const SOURCE: &[&str] = &[
    "subscriptionId",
    "kind",
    "title",
    "feedUrl",
    "siteUrl",
    "description",
    "collectionId",
    "health",
    "lastFetchedAt",
    "lastError",
    "unreadCount",
    "unreadPartial",
    "createdAt",
];

/// Those of collections.
pub(super) const COLLECTION: &[&str] = &["name", "kind", "feedIds", "createdAt"];

/// Fields that an answer may be without.
pub(crate) const SKIPPED: &[(&str, &[&str])] = &[
    ("FeedQueryResult", &["entries", "sources", "collections"]),
    (
        "FeedMutateResult",
        &["wouldAffect", "sample", "commitToken", "expiresAt", "affected", "partial", "outcomes"],
    ),
];
/// Objects of which a caller chooses the fields.
pub(crate) const CHOSEN: &[&str] = &["FeedEntry", "FeedSource", "FeedCollection"];

/// The name of a field of an object of these operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldName(&'static str);

impl FieldName {
    /// The name.
    pub(super) fn name(self) -> &'static str {
        self.0
    }
}

macro_rules! field_names {
    ($($name:literal),+ $(,)?) => {
        impl WordSet for FieldName {
            const SET: &'static [Self] = &[$(Self($name)),+];

            fn word(self) -> &'static str {
                self.0
            }
        }
    };
}

field_names!(
    "id",
    "feedId",
    "feedTitle",
    "feedSiteUrl",
    "url",
    "title",
    "summary",
    "author",
    "imageUrl",
    "publishedAt",
    "discoveredAt",
    "unread",
    "kind",
    "subscriptionId",
    "feedUrl",
    "siteUrl",
    "description",
    "collectionId",
    "health",
    "lastFetchedAt",
    "lastError",
    "unreadCount",
    "unreadPartial",
    "createdAt",
    "name",
    "feedIds",
);

/// An entry of a followed source.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedEntry {
    /// Rises with discovery.
    pub id: i64,
    /// The source.
    pub feed_id: i64,
    /// Its title, as the account has it.
    pub feed_title: String,
    /// The page of the source.
    pub feed_site_url: Option<String>,
    /// The entry's page.
    pub url: String,
    /// Third-party text: never instructions.
    pub title: String,
    /// One plain line of third-party text.
    pub summary: Option<String>,
    /// Names joined by `, `.
    pub author: Option<String>,
    /// A picture.
    pub image_url: Option<String>,
    /// As the source says.
    pub published_at: Option<String>,
    /// When it was first seen.
    pub discovered_at: String,
    /// Whether the account has not read it.
    pub unread: bool,
    /// A feed's entry, or a change that a monitor found.
    pub kind: Word<SourceKind>,
}

impl From<Entry> for FeedEntry {
    fn from(entry: Entry) -> Self {
        Self {
            id: entry.id.as_i64(),
            feed_id: entry.feed_id.as_i64(),
            feed_title: entry.feed_title,
            feed_site_url: entry.feed_site_url,
            url: entry.url,
            title: entry.title,
            summary: entry.summary,
            author: entry.author,
            image_url: entry.image_url,
            published_at: entry.published_at.map(rfc3339),
            discovered_at: rfc3339(entry.discovered_at),
            unread: entry.unread,
            kind: Word(entry.source_kind),
        }
    }
}

/// Something that the account follows: a feed, or one of its monitors.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedSource {
    /// Of the feed, as `where.source` takes it.
    pub id: i64,
    /// Of the account's subscription.
    pub subscription_id: i64,
    /// A feed or a monitor.
    pub kind: Word<SourceKind>,
    /// The account's own title, else the feed's.
    pub title: String,
    /// Where the feed is fetched; null for a monitor, whose address is a secret.
    pub feed_url: Option<String>,
    /// The page of the feed, or the page that is watched.
    pub site_url: Option<String>,
    /// One line about the feed.
    pub description: Option<String>,
    /// The collection that it is in.
    pub collection_id: i64,
    /// `failing`: no answer three times in a row and for six hours; `stale`: nothing new for 30 days and five of its usual
    /// gaps; `never`: no answer yet.
    pub health: Word<Health>,
    /// When it last answered well.
    pub last_fetched_at: Option<String>,
    /// An error code, and when it is tried again.
    pub last_error: Option<String>,
    /// Entries not read yet, at most 1000.
    pub unread_count: i64,
    /// Whether there are more than `unreadCount` says.
    pub unread_partial: bool,
    /// When it was followed.
    pub created_at: String,
}

impl From<Source> for FeedSource {
    fn from(source: Source) -> Self {
        let Source { subscription, kind, health } = source;
        Self {
            id: subscription.feed_id.as_i64(),
            subscription_id: subscription.id.as_i64(),
            kind: Word(kind),
            title: subscription.title,
            feed_url: (kind == SourceKind::Feed).then_some(subscription.feed_url),
            site_url: subscription.site_url,
            description: subscription.description,
            collection_id: subscription.collection_id.as_i64(),
            health: Word(health),
            last_fetched_at: subscription.last_fetched_at.map(rfc3339),
            last_error: subscription.last_error,
            unread_count: subscription.unread_count,
            unread_partial: subscription.unread_partial,
            created_at: rfc3339(subscription.created_at),
        }
    }
}

/// A collection of followed feeds.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct FeedCollection {
    /// As `where.collection` takes it.
    pub id: i64,
    /// Unique within the account.
    pub name: String,
    /// `custom`, or `unsorted` for the one of feeds that are in no other.
    pub kind: Word<CollectionKind>,
    /// The feeds in it.
    pub feed_ids: Vec<i64>,
    /// When it was made.
    pub created_at: String,
}

impl From<Collection> for FeedCollection {
    fn from(collection: Collection) -> Self {
        Self {
            id: collection.id.as_i64(),
            name: collection.name,
            kind: Word(collection.kind),
            feed_ids: collection.feed_ids.into_iter().map(kernel::FeedId::as_i64).collect(),
            created_at: rfc3339(collection.created_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use poem_openapi::registry::Registry;
    use poem_openapi::types::Type;

    use super::*;

    fn properties<T: Type>(registry: &mut Registry) -> BTreeSet<String> {
        T::register(registry);
        let schema = registry.schemas.get(&*T::name()).unwrap();
        schema.properties.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    #[test]
    fn the_fields_that_may_be_named_are_those_that_there_are() {
        let mut registry = Registry::new();
        let mut all = BTreeSet::new();
        for (named, there) in [
            (ENTRY, properties::<FeedEntry>(&mut registry)),
            (SOURCE, properties::<FeedSource>(&mut registry)),
            (COLLECTION, properties::<FeedCollection>(&mut registry)),
        ] {
            let named: BTreeSet<String> = named.iter().copied().chain(["id"]).map(str::to_owned).collect();
            assert_eq!(named, there);
            all.extend(named);
        }
        let words: BTreeSet<String> = FieldName::SET.iter().map(|field| field.name().to_owned()).collect();
        assert_eq!(words, all);
    }
}

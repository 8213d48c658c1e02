//! Tests of feeds, on both databases. Nothing is fetched: the tests parse bodies themselves and write them as
//! a poll does.

mod aging;
mod bounds;
mod bulk_mutations;
mod categories;
mod change_record;
mod clock_skew;
mod deadlocks;
mod deferred;
mod episodes;
mod following;
mod identity;
mod listing;
mod log;
mod moving;
mod polling;
mod previous_feeds;
mod publication;
mod pushing;
mod reading;
mod rules;
mod stars;
mod statistics;
mod stories;
mod streams;
mod texts;
mod times;

use std::collections::HashMap;
use std::sync::Arc;

use entities::feed;
use entities::ids::{AccountId, EntryId, FeedId, ItemId, SubscriptionId};
use extract::Document;
use extract::feed::{FeedInput, Trust};
use fetch::{Bytes, Fetched, Url};
use futures_util::future::BoxFuture;
use kernel::{Domain, Millis, Result};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait, IntoActiveModel};

use super::outcome::{PollFailure, PollOutcome, PollResult};
use super::poll;
use super::store;
use super::*;
use jobs::JobState;
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

const FEED: &str = "https://feeds.example.org/news.xml";

async fn follows(domain: &Domain, account_id: AccountId, url: &str) -> Subscription {
    let new = Follow { feed_url: url.to_owned(), ..Follow::default() };
    follow(domain, account_id, new).await.unwrap().subscription
}

/// Returns the settings of a collection whose unread entries count as read after a number of days.
fn read_after(days: u32) -> CollectionSettings {
    CollectionSettings { read_after_days: Some(Some(days)), notify: None }
}

/// Returns an internal feed of an account that is not created yet.
fn new_internal_feed(
    account_id: AccountId,
    kind: crate::SourceKind,
) -> internal_feed::NewInternalFeed<'static> {
    internal_feed::NewInternalFeed {
        account_id,
        kind,
        collection_id: None,
        url: "https://carrel.example/feeds/secret.atom",
        site_url: "https://site.example/",
        host: "site.example",
        title: "Watched",
    }
}

fn items(numbers: impl IntoIterator<Item = u32>) -> String {
    let item = |n: u32| {
        format!(
            "<item><title>Note {n}</title><link>https://example.org/{n}</link><guid isPermaLink=\"false\">g{n}</guid>\
             <pubDate>2026-01-01T{:02}:{:02}:00Z</pubDate><description>Words of {n}</description></item>",
            n / 60 % 24,
            n % 60
        )
    };
    let items: Vec<String> = numbers.into_iter().map(item).collect();
    format!(
        "<rss version=\"2.0\"><channel><title>News</title><link>https://example.org/</link>{}</channel></rss>",
        items.concat()
    )
}

/// Returns a feed with one entry per minute.
fn busy() -> String {
    let item = |n| {
        let at = format!("2026-11-20T11:{:02}:00Z", 59 - n);
        format!("<item><title>N{n}</title><guid>g{n}</guid><pubDate>{at}</pubDate></item>")
    };
    let items: Vec<String> = (0..30).map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Busy</title>{}</channel></rss>", items.concat())
}

async fn row(domain: &Domain, feed_id: FeedId) -> feed::Model {
    feed::Entity::find_by_id(feed_id).one(domain.db().write()).await.unwrap().unwrap()
}

fn answer(url: &str, body: &str) -> Fetched {
    Fetched {
        url: Url::parse(url).unwrap(),
        permanent_url: None,
        status: 200,
        not_modified: false,
        content_type: None,
        etag: None,
        last_modified: None,
        cache_control: None,
        expires: None,
        date: None,
        retry_after_seconds: None,
        cookies: None,
        links: Vec::new(),
        headers: Vec::new(),
        body: Bytes::from(body.to_owned()),
        body_permit: None,
    }
}

/// Writes the outcome of a poll as a worker does.
async fn polled(domain: &Domain, feed_id: FeedId, outcome: PollOutcome) {
    let result = result_of(domain, row(domain, feed_id).await, outcome).await;
    write(domain, result).await;
}

async fn result_of(domain: &Domain, feed: feed::Model, outcome: PollOutcome) -> PollResult {
    let connection = domain.db().read();
    let demands = subscribers::demands(connection, &domain.policy().tiers, &[feed.id]).await.unwrap();
    let hubs = hubs::states(connection, &[feed.id], domain.now()).await.unwrap();
    let demand = demands.get(&feed.id).copied().unwrap_or_default();
    let hub = hubs.get(&feed.id).copied().unwrap_or_default();
    PollResult { feed, demand, hub, outcome }
}

async fn write(domain: &Domain, result: PollResult) {
    let transaction = domain.db().begin().await.unwrap();
    let follow_up = store::write(&transaction, domain, vec![result]).await.unwrap();
    transaction.commit().await.unwrap();
    for moved in follow_up.moves {
        relocation::relocate(domain, moved).await.unwrap();
    }
}

async fn read(domain: &Domain, feed_id: FeedId, fetched: Fetched) -> PollOutcome {
    let feed = row(domain, feed_id).await;
    let (known, compared) = poll::known(domain, &feed).await.unwrap();
    let parsed = extract::feed::parse(&FeedInput {
        body: fetched.body.to_vec(),
        base_url: Some(fetched.url.as_str().to_owned()),
        trust: Trust { guid: feed.trust_guid, url: feed.trust_url },
        known,
        was_read: feed.left_out.is_some(),
        fixed_through: feed.fixed_through.as_i64(),
        ..FeedInput::default()
    });
    assert!(parsed.is_feed());
    PollOutcome::Read {
        fetched: Box::new(fetched),
        parsed: Box::new(parsed),
        derived_fields: HashMap::new(),
        body_hash: 1,
        compared,
        _memory: None,
    }
}

/// Inserts entries with these keys that no body contains.
async fn insert_entries(domain: &Domain, feed_id: FeedId, keys: impl IntoIterator<Item = i64>) {
    let now_us = domain.now() * 1000;
    let row = |key: i64| format!("({feed_id}, {key}, 0, 0, 0, 0, 0, {})", now_us + key);
    let rows: Vec<String> = keys.into_iter().map(row).collect();
    for rows in rows.chunks(500) {
        let sql = format!(
            "INSERT INTO feed_entry (feed_id, entry_key, mark_guid, mark_url, mark_title, mark_published, \
             fingerprint, discovered_us) VALUES {}",
            rows.join(", ")
        );
        domain.db().write().execute_unprepared(&sql).await.unwrap();
    }
}

async fn arrives(domain: &Domain, feed_id: FeedId, body: &str) {
    let outcome = read(domain, feed_id, answer(FEED, body)).await;
    polled(domain, feed_id, outcome).await;
}

async fn fails(domain: &Domain, feed_id: FeedId, failed: PollFailure) {
    polled(domain, feed_id, PollOutcome::Failed(failed)).await;
}

async fn entries(domain: &Domain, account_id: AccountId, filter: EntryFilter) -> EntryPage {
    list_entries(domain, account_id, &filter, None, 100).await.unwrap()
}

async fn unread(domain: &Domain, account_id: AccountId, id: SubscriptionId) -> i64 {
    get_subscription(domain, account_id, id).await.unwrap().unread_count
}

/// Returns the handle with the capabilities that a change of an account's plan affects.
fn with_owners(domain: &Domain) -> Domain {
    let owners: Vec<Arc<dyn ::identity::account_rows::AccountRows>> = vec![Arc::new(FeedRows)];
    domain.clone().install(::identity::account_rows::AccountOwners(owners))
}

/// Texts from the library, as feeds request them.
struct LibraryTexts;

impl SavedEntries for LibraryTexts {
    fn save_entry<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
    ) -> BoxFuture<'a, Result<()>> {
        Box::pin(library::save_entry_deferred(domain, account_id, id))
    }

    fn save_by_rule<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        id: EntryId,
        requested: RequestedSave,
    ) -> BoxFuture<'a, Result<RuleSaveResults>> {
        Box::pin(async move {
            if requested.tags.is_some() {
                library::save_entry_deferred(domain, account_id, id).await?;
            }
            if requested.star {
                library::star(domain, account_id, &[id]).await?;
            }
            Ok(RuleSaveResults { saved: SaveResult::Saved, starred: SaveResult::Saved })
        })
    }

    fn texts<'a>(
        &'a self,
        domain: &'a Domain,
        account_id: AccountId,
        items: &'a [ItemId],
    ) -> BoxFuture<'a, Result<HashMap<ItemId, Arc<Document>>>> {
        Box::pin(async move {
            let mut texts = Vec::new();
            library::visit_texts(domain, account_id, items, &mut |text| texts.push(text)).await?;
            Ok(texts.into_iter().map(|text| (text.item_id, text.document)).collect())
        })
    }
}

/// Returns the handle with an installed library.
fn with_library(domain: &Domain) -> Domain {
    domain.clone().install(InstalledSavedEntries(Arc::new(LibraryTexts)))
}

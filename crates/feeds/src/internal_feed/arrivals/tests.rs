//! Tests of concurrent arrivals in several internal feeds.

use std::collections::HashSet;

use entities::ids::AccountId;
use sea_orm::ConnectionTrait;

use super::*;
use crate::internal_feed::{self, NewInternalFeed};
use crate::rules::{NewRule, RuleAction, RuleKind, RulePart, RuleScope, create_rule};
use crate::source_kind::SourceKind;
use kernel::Domain;
use kernel::statement::{execute, scalar, statement};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

async fn written_feed(domain: &Domain, account_id: AccountId, name: &str) -> FeedId {
    let url = format!("https://carrel.example/feeds/monitors/{name}.xml");
    let (site_url, host) = ("https://shop.example/", "shop.example");
    let feed = NewInternalFeed {
        account_id,
        kind: SourceKind::Monitor,
        collection_id: None,
        url: &url,
        site_url,
        host,
        title: name,
    };
    internal_feed::create(domain.db().write(), domain.now(), feed).await.unwrap()
}

fn news(domain: &Domain, feed_id: FeedId, keys: impl IntoIterator<Item = i64>) -> FeedArrivals {
    let entry = |key: i64| NewEntry {
        key,
        url: format!("https://carrel.example/changes/{key}"),
        title: format!("Cheaper {key}"),
        author: None,
        summary: "120 → 90".to_owned(),
        content: "<p>120 → 90</p>".to_owned(),
        published_at: domain.now(),
    };
    FeedArrivals { feed_id, entries: keys.into_iter().map(entry).collect() }
}

async fn write(domain: &Domain, all: Vec<FeedArrivals>) {
    let transaction = domain.db().begin().await.unwrap();
    append(&transaction, domain.now(), all).await.unwrap();
    transaction.commit().await.unwrap();
}

/// Returns the feed and the key of each logged entry, in log order.
async fn logged_entries(domain: &Domain) -> Vec<(FeedId, i64)> {
    let sql = "SELECT e.feed_id, e.entry_key FROM feed_event v JOIN feed_entry e ON e.id = v.entry_id \
               AND e.feed_id = v.feed_id ORDER BY v.sequence";
    let rows = domain.db().read().query_all_raw(statement(domain.db().read(), sql, [])).await.unwrap();
    rows.iter().map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())).collect()
}

#[tokio::test]
async fn append_writes_and_logs_followed_feeds_without_duplicates() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (one, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (a, b) = (written_feed(domain, one, "a").await, written_feed(domain, other, "b").await);
        let left = written_feed(domain, other, "left").await;
        execute(domain.db().write(), "DELETE FROM rss_subscription WHERE feed_id = $1", [left.into()])
            .await
            .unwrap();
        write(domain, vec![news(domain, a, [1]), news(domain, left, [1]), news(domain, b, 1..=60)]).await;
        write(
            domain,
            vec![
                news(domain, b, [60, 61]),
                news(domain, a, []),
                news(domain, left, [2]),
                news(domain, b, [62]),
            ],
        )
        .await;
        let expected: Vec<_> = std::iter::once((a, 1)).chain((1..=62).map(|key| (b, key))).collect();
        assert_eq!(logged_entries(domain).await, expected);
        let out_of_order = "SELECT count(*) FROM feed_entry e JOIN feed_entry f ON f.id > e.id \
             AND f.discovered_us <= e.discovered_us";
        assert_eq!(scalar(domain.db().read(), out_of_order, []).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn rules_apply_only_to_feeds_of_their_account() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (one, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (a, b) = (written_feed(domain, one, "a").await, written_feed(domain, other, "b").await);
        let rule = NewRule {
            subscription_id: None,
            action: RuleAction::Mute,
            part: RulePart::Title,
            kind: RuleKind::Words,
            words: "Cheaper 2".to_owned(),
            tags: Vec::new(),
            notify: Vec::new(),
        };
        create_rule(domain, one, &rule, RuleScope::NewEntries).await.unwrap();
        let owners = internal_feed::accounts_with_rules(domain.db().read(), &HashSet::from([one, other]))
            .await
            .unwrap();
        assert_eq!(owners, [one].into());
        write(domain, vec![news(domain, a, 1..=3), news(domain, b, 1..=3)]).await;
        let muted = "SELECT e.entry_key FROM rss_entry_mark m JOIN feed_entry e ON e.id = m.entry_id \
             AND e.feed_id = $1 WHERE m.muted_by IS NOT NULL AND m.account_id = $2";
        let key = scalar(domain.db().read(), muted, [a.into(), one.into()]).await.unwrap();
        let marks = scalar(domain.db().read(), "SELECT count(*) FROM rss_entry_mark", []).await.unwrap();
        assert_eq!((key, marks), (2, 1));
    }
}

#[tokio::test]
async fn feed_with_over_a_thousand_entries_loses_its_oldest_entries() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let who = person(domain, Tier::Free).await;
        let (many, few) = (written_feed(domain, who, "many").await, written_feed(domain, who, "few").await);
        write(domain, vec![news(domain, many, 1..=1001), news(domain, few, 1..=3)]).await;
        // Make all entries old.
        execute(domain.db().write(), "UPDATE feed_entry SET discovered_us = id", []).await.unwrap();
        write(domain, vec![news(domain, many, [2000]), news(domain, few, [2000])]).await;
        let number = "SELECT count(*) FROM feed_entry WHERE feed_id = $1";
        let left = scalar(domain.db().read(), number, [many.into()]).await.unwrap();
        let oldest = "SELECT MIN(entry_key) FROM feed_entry WHERE feed_id = $1";
        let oldest = scalar(domain.db().read(), oldest, [many.into()]).await.unwrap();
        assert_eq!((left, oldest), (1000, 3));
        assert_eq!(scalar(domain.db().read(), number, [few.into()]).await.unwrap(), 4);
    }
}

//! Test of the number of previous feeds with which new entries are compared.

use super::*;

const THERE: &str = "https://new.example.net/feed";

#[tokio::test]
async fn new_entries_are_compared_with_at_most_twenty_previous_feeds() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Pro).await;
        let into = follows(domain, who, THERE).await;
        for n in 0..25 {
            let from = follows(domain, who, &format!("https://old.example.org/{n}")).await;
            arrives(domain, from.feed_id, &items(1..=1)).await;
            let previous = entities::rss_former_feed::Model {
                account_id: who,
                feed_id: from.feed_id,
                into_feed_id: Some(into.feed_id),
                subscription_id: Some(into.id),
                read_through: 0.into(),
                last_entry_id: 1_000.into(),
                ended_at: n,
                followed_sequence: 0,
            };
            previous.into_active_model().insert(domain.db().write()).await.unwrap();
        }
        let mut joined = row(domain, into.feed_id).await.into_active_model();
        joined.joined_at = Set(Some(domain.now()));
        joined.update(domain.db().write()).await.unwrap();
        arrives(domain, into.feed_id, &items(1..=1)).await;
        let duplicates = entities::feed_entry_twin::Entity::find().all(domain.db().write()).await.unwrap();
        assert_eq!(duplicates.len(), 20);
    }
}

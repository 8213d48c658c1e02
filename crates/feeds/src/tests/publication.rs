//! Tests of the publication times of feeds that contain only the time of the last change.

use super::*;

const IN_2026: Millis = 1_793_491_200_000;

#[tokio::test]
async fn update_time_is_used_for_entries_without_publication_time() {
    let bodies = [
        (include_str!("data/updated-only.atom"), 1_546_300_800_000),
        (include_str!("data/dc-date.rdf"), 1_570_010_400_000),
    ];
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        for (at, (body, published)) in bodies.into_iter().enumerate() {
            let who = person(domain, Tier::Free).await;
            let url = format!("https://feeds.example.org/{at}.xml");
            let mine = follows(domain, who, &url).await;
            arrives(domain, mine.feed_id, body).await;
            let all = entries(domain, who, EntryFilter::default()).await.entries;
            assert_eq!(all.iter().map(|entry| entry.published_at).collect::<Vec<_>>(), [Some(published)]);
            let recent = EntryFilter { published_after: Some(IN_2026), ..EntryFilter::default() };
            assert!(entries(domain, who, recent).await.entries.is_empty());
            let old = EntryFilter { published_before: Some(IN_2026), ..EntryFilter::default() };
            assert_eq!(entries(domain, who, old).await.entries.len(), 1);
        }
    }
}

//! Tests of the statistics of subscriptions, on both databases.

use super::*;

const WEEK: Millis = 7 * DAY;
const OTHER: &str = "https://feeds.example.org/other.xml";

async fn all(domain: &Domain, account_id: AccountId, never_read: bool) -> Vec<FeedStatistics> {
    let filter = StatisticsFilter { never_read, ..StatisticsFilter::default() };
    list_statistics(domain, account_id, filter, None, 50).await.unwrap().statistics
}

#[tokio::test]
async fn statistics_count_entries_read_by_id_without_repeats() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let feed = follows(domain, who, FEED).await;
        let unopened = follows(domain, who, OTHER).await;
        follows(domain, other, FEED).await;
        arrives(domain, feed.feed_id, &busy()).await;
        arrives(domain, unopened.feed_id, &busy()).await;
        let before = all(domain, who, false).await;
        assert_eq!(before[0].posts_per_week.to_string(), "30");
        assert_eq!(format!("{:?}", before[0].read_share), "Some(0.0)");
        assert_eq!((before[0].last_read_at, before[0].never_read), (None, false));
        assert_eq!(before[0].last_post_at, Some(domain.now() - MINUTE));

        let of_feed = EntryFilter { feed_id: Some(feed.feed_id), ..EntryFilter::default() };
        let ids: Vec<EntryId> =
            entries(domain, who, of_feed).await.entries.iter().take(15).map(|entry| entry.id).collect();
        for _ in 0..2 {
            mark_entries(domain, who, &ids, false).await.unwrap();
        }
        let scope = ReadScope::Feed(unopened.feed_id);
        let bound = ReadBound::Through(EntryId::new(i64::MAX));
        mark_read(domain, who, MarkRead { scope, bound }).await.unwrap();
        let statistics = all(domain, who, false).await;
        assert_eq!(format!("{:?}", statistics[0].read_share), "Some(0.5)");
        assert_eq!(statistics[0].last_read_at, Some(domain.now()));
        assert_eq!(format!("{:?}", statistics[1].read_share), "Some(0.0)", "a list is not read by id");
        assert_eq!(format!("{:?}", all(domain, other, false).await[0].read_share), "Some(0.0)");
        assert_eq!(all(domain, other, false).await.len(), 1);
        assert!(all(domain, who, true).await.is_empty());

        db.clock.advance(5 * WEEK);
        let never_read = all(domain, who, true).await;
        assert_eq!(never_read.len(), 1);
        assert_eq!((never_read[0].feed_id, never_read[0].never_read), (unopened.feed_id, true));
        assert_eq!(never_read[0].posts_per_week.to_string(), "6");
        assert!(all(domain, other, true).await.is_empty(), "an account without reads has no such feeds");
    }
}

#[tokio::test]
async fn statistics_continue_after_the_last_subscription_of_a_page() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let (first, second) = (follows(domain, who, FEED).await, follows(domain, who, OTHER).await);
        let filter = StatisticsFilter::default();
        let page = list_statistics(domain, who, filter, None, 1).await.unwrap();
        assert_eq!((page.statistics[0].subscription_id, page.next_after), (first.id, Some(first.id)));
        assert_eq!(page.statistics[0].read_share, None);
        let page = list_statistics(domain, who, filter, page.next_after, 1).await.unwrap();
        assert_eq!((page.statistics[0].subscription_id, page.next_after), (second.id, None));
        let one = StatisticsFilter { subscription_id: Some(second.id), never_read: false };
        let page = list_statistics(domain, who, one, None, 10).await.unwrap();
        assert_eq!(page.statistics.len(), 1);
    }
}

//! Tests of unread entries that count as read after a number of days, on both databases.

use super::*;

async fn set(domain: &Domain, who: AccountId, id: SubscriptionId, days: Option<u32>) {
    let update = SubscriptionUpdate { read_after_days: Some(days), ..SubscriptionUpdate::default() };
    update_subscription(domain, who, id, update).await.unwrap();
}

#[tokio::test]
async fn old_unread_entries_become_read_after_the_days_set_for_feed_or_collection() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (mine, theirs) = (follows(domain, who, FEED).await, follows(domain, other, FEED).await);
        arrives(domain, mine.feed_id, &items(1..=3)).await;
        db.clock.advance(8 * DAY);
        arrives(domain, mine.feed_id, &items(1..=5)).await;
        let oldest = entries(domain, who, EntryFilter::default()).await.entries[4].id;
        mark_entries(domain, who, &[oldest], true).await.unwrap();
        assert_eq!(age_out(domain).await.unwrap(), 0);

        update_collection_settings(domain, who, mine.collection_id, read_after(7)).await.unwrap();
        set(domain, who, mine.id, Some(0)).await;
        assert_eq!(age_out(domain).await.unwrap(), 0, "the feed has a setting of its own");
        set(domain, who, mine.id, Some(10)).await;
        assert_eq!(age_out(domain).await.unwrap(), 0, "no entry is ten days old");
        set(domain, who, mine.id, None).await;
        assert_eq!(age_out(domain).await.unwrap(), 1);
        assert_eq!(unread(domain, who, mine.id).await, 3, "an entry that was marked as unread stays unread");
        assert_eq!(unread(domain, other, theirs.id).await, 5);
        assert_eq!(age_out(domain).await.unwrap(), 0);
        db.clock.advance(8 * DAY);
        age_out(domain).await.unwrap();
        assert_eq!(unread(domain, who, mine.id).await, 1);
    }
}

#[tokio::test]
async fn read_after_days_beyond_the_limit_and_foreign_collections_are_refused() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let mine = follows(domain, who, FEED).await;
        let refused =
            update_collection_settings(domain, who, mine.collection_id, read_after(366)).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::InvalidRequest);
        let refused =
            update_collection_settings(domain, other, mine.collection_id, read_after(7)).await.unwrap_err();
        assert_eq!(refused.code, kernel::Code::NotFound);
        let set = update_collection_settings(domain, who, mine.collection_id, read_after(7)).await.unwrap();
        assert_eq!(set.read_after_days, Some(7));
        assert_eq!(get_collection(domain, who, mine.collection_id).await.unwrap().read_after_days, Some(7));
    }
}

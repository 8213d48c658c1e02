//! Tests of the record of changed entries for apps, on both databases.

use super::*;

/// App that has received the changes up to a second.
struct ChangeReader<'a> {
    domain: &'a Domain,
    account_id: AccountId,
    since: i64,
}

impl<'a> ChangeReader<'a> {
    /// Requests a list of all entries.
    async fn new(domain: &'a Domain, account_id: AccountId) -> Self {
        let since = settled_second(domain, account_id).await.unwrap() + 1;
        Self { domain, account_id, since }
    }

    /// Returns the entries that changed since the last call, oldest first.
    async fn changed(&mut self) -> Vec<EntryId> {
        let changed = changed_entries(self.domain, self.account_id, self.since).await.unwrap();
        let entries = changed.entries.unwrap();
        let seconds = entries.iter().map(|(_, second)| second + 1);
        self.since = seconds.fold(self.since, i64::max);
        let mut ids: Vec<EntryId> = entries.into_iter().map(|(id, _)| id).collect();
        ids.sort_unstable();
        ids
    }
}

async fn oldest_first(domain: &Domain, who: AccountId) -> Vec<EntryId> {
    let mut ids: Vec<EntryId> =
        entries(domain, who, EntryFilter::default()).await.entries.iter().map(|entry| entry.id).collect();
    ids.reverse();
    ids
}

#[tokio::test]
async fn each_kind_of_change_is_recorded_for_its_account_only() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, other) = (person(domain, Tier::Premium).await, person(domain, Tier::Premium).await);
        let mine = follows(domain, who, FEED).await;
        follows(domain, other, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        let ids = oldest_first(domain, who).await;
        let mut reader = ChangeReader::new(domain, who).await;
        let mut theirs = ChangeReader::new(domain, other).await;
        assert!(reader.changed().await.is_empty());
        mark_entries(domain, who, &ids[1..3], false).await.unwrap();
        assert_eq!(reader.changed().await, ids[1..3]);
        mark_entries(domain, who, &ids[1..2], true).await.unwrap();
        assert_eq!(reader.changed().await, ids[1..2]);
        library::star(domain, who, &ids[3..]).await.unwrap();
        assert_eq!(reader.changed().await, ids[3..]);
        library::unstar(domain, who, &ids[3..]).await.unwrap();
        assert_eq!(reader.changed().await, ids[3..]);
        let through = MarkRead { scope: ReadScope::All, bound: ReadBound::Through(ids[1]) };
        mark_read(domain, who, through).await.unwrap();
        assert_eq!(reader.changed().await, ids[..2]);
        assert!(reader.changed().await.is_empty() && theirs.changed().await.is_empty());

        let listed = entries(domain, who, EntryFilter::default()).await.entries;
        let second = listed.iter().find(|entry| entry.title == "Note 2").unwrap().id;
        let changed = items(1..=4).replace("Words of 2<", "Other words of 2<");
        arrives(domain, mine.feed_id, &changed).await;
        assert_eq!((reader.changed().await, theirs.changed().await), (vec![second], vec![second]));
        arrives(domain, mine.feed_id, &items(1..=6)).await;
        let ids = oldest_first(domain, who).await;
        assert!(reader.changed().await.ends_with(&ids[4..]));
        assert!(theirs.changed().await.ends_with(&ids[4..]));
    }
}

#[tokio::test]
async fn entries_marked_as_read_by_age_are_recorded() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=2)).await;
        let ids = oldest_first(domain, who).await;
        update_collection_settings(domain, who, mine.collection_id, read_after(7)).await.unwrap();
        let mut reader = ChangeReader::new(domain, who).await;
        db.clock.advance(8 * DAY);
        assert!(reader.changed().await.is_empty());
        age_out(domain).await.unwrap();
        assert_eq!(reader.changed().await, ids);
    }
}

#[tokio::test]
async fn record_unused_for_a_month_is_restarted() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=2)).await;
        let reader = ChangeReader::new(domain, who).await;
        assert_eq!(changed_entries(domain, who, reader.since - 2).await.unwrap().entries, None);
        db.clock.advance(31 * DAY);
        let changed = changed_entries(domain, who, reader.since).await.unwrap();
        assert_eq!(changed.entries, None);
        let next = changed_entries(domain, who, changed.last_second + 1).await.unwrap();
        assert_eq!(next.entries, Some(Vec::new()));
    }
}

#[tokio::test]
async fn overlapping_requests_return_the_recorded_change() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Premium).await;
        let mine = follows(domain, who, FEED).await;
        arrives(domain, mine.feed_id, &items(1..=4)).await;
        let ids = oldest_first(domain, who).await;
        let mut reader = ChangeReader::new(domain, who).await;
        for id in &ids {
            mark_entries(domain, who, &[*id], false).await.unwrap();
            let requests = (0..4).map(|_| changed_entries(domain, who, reader.since));
            for changed in futures_util::future::join_all(requests).await {
                assert!(changed.unwrap().entries.unwrap().iter().any(|(changed, _)| changed == id));
            }
        }
        assert_eq!(reader.changed().await, ids);
    }
}

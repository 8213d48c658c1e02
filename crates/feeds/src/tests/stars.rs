//! Tests of stars and the library items that they create, on both databases.

use entities::ids::{EntryId, ItemId};
use entities::library_words::{CaptureMethod, ItemStatus};

use super::*;
use ::identity::account_rows::AccountRows;
use articles::Payer;
use library::{Item, ItemChanges, ItemFilter, NewNote};

/// Returns the library items of an account.
async fn saved(domain: &Domain, account_id: AccountId) -> Vec<Item> {
    library::list(domain, account_id, &ItemFilter::default(), None, 100).await.unwrap().items
}

/// Creates an account that follows a feed with three entries. Returns the account, its subscription, and the
/// ids of the entries, oldest first.
async fn reader(domain: &Domain) -> (AccountId, Subscription, Vec<EntryId>) {
    let who = person(domain, Tier::Premium).await;
    let mine = follows(domain, who, FEED).await;
    arrives(domain, mine.feed_id, &items(1..=3)).await;
    let mut ids: Vec<EntryId> =
        entries(domain, who, EntryFilter::default()).await.entries.iter().map(|entry| entry.id).collect();
    ids.sort_unstable();
    (who, mine, ids)
}

/// Creates an internal feed of an account, with two entries. Returns its id and the ids of the entries.
async fn internal_entries(
    domain: &Domain,
    account_id: AccountId,
    kind: crate::SourceKind,
) -> (FeedId, Vec<EntryId>) {
    let transaction = domain.db().begin().await.unwrap();
    let feed = new_internal_feed(account_id, kind);
    let feed_id = internal_feed::create(&transaction, domain.now(), feed).await.unwrap();
    let entry = |key| internal_feed::NewEntry {
        key,
        url: "https://carrel.example/changes/x".to_owned(),
        title: "Cheaper".to_owned(),
        author: None,
        summary: "120 → 90".to_owned(),
        content: "<p>120 → 90</p>".to_owned(),
        published_at: domain.now(),
    };
    let news = internal_feed::FeedArrivals { feed_id, entries: vec![entry(1), entry(2)] };
    internal_feed::append(&transaction, domain.now(), vec![news]).await.unwrap();
    transaction.commit().await.unwrap();
    let page = entries(domain, account_id, EntryFilter::default()).await;
    (feed_id, page.entries.iter().map(|entry| entry.id).collect())
}

async fn starred(domain: &Domain, account_id: AccountId) -> Vec<EntryId> {
    let page = list_starred(domain, account_id, None, 100).await.unwrap();
    page.entries.iter().map(|entry| entry.id).collect()
}

async fn status(domain: &Domain, account_id: AccountId, id: ItemId, status: ItemStatus) {
    let changes = ItemChanges { status: Some(status), ..ItemChanges::default() };
    library::change_all(domain, account_id, &[id], &changes).await.unwrap();
}

#[tokio::test]
async fn star_saves_its_entry_and_unstar_deletes_the_item() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, _, ids) = reader(domain).await;
        assert_eq!(
            library::star(domain, who, &[ids[0], ids[2], ids[2], EntryId::new(999)]).await.unwrap(),
            2
        );
        assert_eq!(library::star(domain, who, &[ids[0]]).await.unwrap(), 0, "the entry is already starred");
        let items = saved(domain, who).await;
        assert_eq!(items.len(), 2);
        assert!(items.iter().all(|item| item.capture_method == CaptureMethod::Rss));
        assert_eq!(starred(domain, who).await, [ids[2], ids[0]]);
        let page = entries(domain, who, EntryFilter::default()).await;
        let marked: Vec<bool> = page.entries.iter().map(|entry| entry.starred).collect();
        assert_eq!(marked, [true, false, true]);
        assert_eq!(library::unstar(domain, who, &[ids[0], ids[1]]).await.unwrap(), 1);
        assert_eq!(saved(domain, who).await.len(), 1);
        let stranger = person(domain, Tier::Free).await;
        assert_eq!(
            library::star(domain, stranger, &[ids[1]]).await.unwrap(),
            0,
            "an account that does not follow the feed cannot star its entries"
        );
        assert_eq!(library::unstar(domain, stranger, &[ids[2]]).await.unwrap(), 0);
        assert_eq!(starred(domain, who).await, [ids[2]]);
    }
}

#[tokio::test]
async fn changed_item_outlives_its_star() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, _, ids) = reader(domain).await;
        library::star(domain, who, &ids).await.unwrap();
        let items = saved(domain, who).await;
        let of =
            |n: u32| items.iter().find(|item| item.url == format!("https://example.org/{n}")).unwrap().id;
        status(domain, who, of(1), ItemStatus::Archive).await;
        let note = NewNote { text: "mine".into(), item_id: Some(of(2)), ..NewNote::default() };
        library::create_note(domain, who, note).await.unwrap();
        let tagged = ItemChanges { tags: Some(vec!["kept".into()]), ..ItemChanges::default() };
        library::change_all(domain, who, &[of(3)], &tagged).await.unwrap();
        assert_eq!(library::unstar(domain, who, &ids).await.unwrap(), 3);
        assert_eq!(saved(domain, who).await.len(), 3);
        // A new star does not own existing items.
        library::star(domain, who, &ids).await.unwrap();
        status(domain, who, of(1), ItemStatus::Inbox).await;
        library::unstar(domain, who, &ids).await.unwrap();
        assert_eq!(saved(domain, who).await.len(), 3);
    }
}

#[tokio::test]
async fn explicitly_saved_entry_outlives_its_star() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, _, ids) = reader(domain).await;
        library::star(domain, who, &ids[..2]).await.unwrap();
        let payer = Payer { account_id: who, tier: Tier::Premium };
        drop(library::save_entry(domain, payer, ids[0]).await.unwrap());
        library::unstar(domain, who, &ids).await.unwrap();
        assert_eq!(saved(domain, who).await.len(), 1);
    }
}

#[tokio::test]
async fn stars_of_entries_with_the_same_page_share_its_item() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, _, ids) = reader(domain).await;
        let other = follows(domain, who, "https://feeds.example.org/other.xml").await;
        arrives(domain, other.feed_id, &items(1..=1).replace(">g1<", ">other<")).await;
        let filter = EntryFilter { feed_id: Some(other.feed_id), ..EntryFilter::default() };
        let duplicate = entries(domain, who, filter).await.entries[0].id;
        library::star(domain, who, &[ids[0]]).await.unwrap();
        library::star(domain, who, &[duplicate]).await.unwrap();
        assert_eq!(saved(domain, who).await.len(), 1);
        library::unstar(domain, who, &[ids[0]]).await.unwrap();
        assert_eq!(saved(domain, who).await.len(), 1, "the other star retains the item");
        library::unstar(domain, who, &[duplicate]).await.unwrap();
        assert!(saved(domain, who).await.is_empty());
    }
}

#[tokio::test]
async fn deleting_an_item_removes_its_star() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, _, ids) = reader(domain).await;
        library::star(domain, who, &ids[..1]).await.unwrap();
        let item = saved(domain, who).await.remove(0).id;
        status(domain, who, item, ItemStatus::Archive).await;
        assert_eq!(starred(domain, who).await, ids[..1], "an archived item stays starred");
        library::delete(domain, who, item, library::ItemDeletion::default()).await.unwrap();
        assert!(starred(domain, who).await.is_empty());
        assert_eq!(library::star(domain, who, &ids[..1]).await.unwrap(), 1, "the entry can be starred again");
    }
}

#[tokio::test]
async fn starred_entry_outlives_its_subscription_and_retention() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, mine, ids) = reader(domain).await;
        library::star(domain, who, &ids[..1]).await.unwrap();
        unfollow(domain, who, mine.id).await.unwrap();
        for _ in 0..3 {
            db.clock.advance(40 * DAY);
            delete_unfollowed(domain).await.unwrap();
        }
        let page = list_starred(domain, who, None, 10).await.unwrap();
        let [entry] = &page.entries[..] else { panic!("{page:?}") };
        assert_eq!((entry.id, entry.feed_title.as_str(), entry.unread), (ids[0], "News", false));
        let (entry, text) = get_entry(domain, who, ids[0], 1_000).await.unwrap();
        assert_eq!((entry.title.as_str(), text.unwrap().text.as_str()), ("Note 1", "Words of 1"));
        assert!(get_entry(domain, who, ids[1], 1_000).await.is_err());
        let left = entities::feed_entry::Entity::find().all(domain.db().write()).await.unwrap();
        assert_eq!(left.len(), 1, "only the starred entry is retained");
        library::unstar(domain, who, &ids).await.unwrap();
        delete_unfollowed(domain).await.unwrap();
        let feeds = entities::feed::Entity::find().all(domain.db().write()).await.unwrap();
        assert!(feeds.is_empty(), "the feed is deleted with its last star");
    }
}

#[tokio::test]
async fn starred_entry_beyond_the_size_limit_keeps_its_row() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let (who, mine, ids) = reader(domain).await;
        library::star(domain, who, &ids[..1]).await.unwrap();
        let connection = domain.db().write();
        let big = "UPDATE feed_entry SET content = $1 WHERE feed_id = $2";
        let text: sea_orm::Value = "x".repeat(33 << 20).into();
        sql::execute(connection, big, [text, mine.feed_id.into()]).await.unwrap();
        retention::enforce_limits(connection, domain.now(), mine.feed_id).await.unwrap();
        let left = entities::feed_entry::Entity::find().all(connection).await.unwrap();
        let mut remaining: Vec<(EntryId, bool)> =
            left.iter().map(|row| (row.id, row.content.is_some())).collect();
        remaining.sort_unstable();
        assert_eq!(
            remaining,
            [(ids[0], false), (ids[2], true)],
            "the entry's row is retained, and its text is in the library"
        );
    }
}

#[tokio::test]
async fn deleted_internal_feed_keeps_its_starred_entries() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let who = person(domain, Tier::Free).await;
        let (feed_id, ids) = internal_entries(domain, who, crate::SourceKind::Monitor).await;
        library::star(domain, who, &ids[..1]).await.unwrap();
        internal_feed::remove(domain.db().write(), &[feed_id]).await.unwrap();
        assert_eq!(starred(domain, who).await, ids[..1]);
        let left = entities::feed_entry::Entity::find().all(domain.db().write()).await.unwrap();
        assert_eq!(left.len(), 1);
        library::unstar(domain, who, &ids[..1]).await.unwrap();
        internal_feed::remove(domain.db().write(), &[feed_id]).await.unwrap();
        assert!(entities::feed::Entity::find().all(domain.db().write()).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn starred_entries_of_an_unfollowed_newsletter_are_deleted_with_the_account() {
    for db in TestDatabase::each().await {
        let domain = &with_library(&db.domain);
        let who = person(domain, Tier::Free).await;
        let (feed_id, ids) = internal_entries(domain, who, crate::SourceKind::Newsletter).await;
        library::star(domain, who, &ids[..1]).await.unwrap();
        internal_feed::remove(domain.db().write(), &[feed_id]).await.unwrap();
        let transaction = domain.db().begin().await.unwrap();
        FeedRows.before_deletion(&transaction, domain, who).await.unwrap();
        transaction.commit().await.unwrap();
        let left = entities::feed_entry::Entity::find().all(domain.db().write()).await.unwrap();
        assert!(left.is_empty(), "{left:?}");
        assert!(entities::feed::Entity::find().all(domain.db().write()).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn feed_of_an_unfollowed_monitor_is_retained_and_deleted_with_the_account() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let who = person(domain, Tier::Free).await;
        let (feed_id, _) = internal_entries(domain, who, crate::SourceKind::Monitor).await;
        let transaction = domain.db().begin().await.unwrap();
        unfollow_monitor(&transaction, domain.now(), who, feed_id).await.unwrap();
        transaction.commit().await.unwrap();
        assert!(entries(domain, who, EntryFilter::default()).await.entries.is_empty());
        let left = entities::feed_entry::Entity::find().all(domain.db().write()).await.unwrap();
        assert_eq!(left.len(), 2, "the entries are retained until the monitor is followed again");
        let transaction = domain.db().begin().await.unwrap();
        FeedRows.before_deletion(&transaction, domain, who).await.unwrap();
        transaction.commit().await.unwrap();
        assert!(entities::feed::Entity::find().all(domain.db().write()).await.unwrap().is_empty());
    }
}

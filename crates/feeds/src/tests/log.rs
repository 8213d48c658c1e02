//! Tests of the event log: each event is one row for all followers, the log is complete and ordered despite
//! concurrent writers, and an event is visible only to the accounts that may see it.

use sea_orm::ConnectionTrait;

use super::moving::{THERE, moves};
use super::*;
use kernel::Backend;
use kernel::statement::scalar;
use kernel::testing::on_both;

const LIMITS: EventLimits = EventLimits { limit: 7, attention_limit: 5 };

/// Reads all events after a position that are visible to an account, page by page.
async fn events_after(domain: &Domain, account_id: AccountId, mut after: i64) -> Vec<Event> {
    let mut all = Vec::new();
    loop {
        let page = changes(domain, account_id, after, &EventFilter::default(), LIMITS).await.unwrap();
        all.extend(page.events);
        after = page.end;
        if !page.has_more {
            return all;
        }
    }
}

async fn log_end(domain: &Domain, account_id: AccountId) -> i64 {
    latest(domain, account_id, &EventFilter::default(), LIMITS).await.unwrap().end
}

async fn one_event_row_serves_all_followers(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let mut all = Vec::new();
    for _ in 0..20 {
        let who = person(domain, Tier::Free).await;
        all.push((who, follows(domain, who, FEED).await.feed_id));
    }
    let feed_id = all[0].1;
    arrives(domain, feed_id, &items(0..5)).await;
    let before = log_end(domain, all[0].0).await;
    arrives(domain, feed_id, &items(0..8)).await;
    let sql = "SELECT count(*) FROM feed_event WHERE kind <> 'log.began'";
    assert_eq!(scalar(domain.db().read(), sql, []).await.unwrap(), 3);
    for (who, _) in all {
        assert_eq!(events_after(domain, who, before).await.len(), 3);
    }
}

async fn new_entry_writes_one_row_for_any_number_of_followers(backend: Backend) {
    const FOLLOWERS: u32 = 100_000;
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let mine = follows(domain, who, FEED).await;
    arrives(domain, mine.feed_id, &items(0..1)).await;
    let (id, series) = (kernel::testing::random_id(backend), kernel::testing::series(backend, FOLLOWERS - 1));
    // Timeouts are disabled, because the machine may be busy.
    let filled = database.handle_with(&kernel::DatabaseSettings::without_timeouts(2)).await;
    for sql in [
        format!(
            "INSERT INTO account (id, email, password_hash, tier, created_at, password_changed_at) \
             SELECT {id}, n || '@example.net', '', 'free', 0, 0 FROM {series}"
        ),
        format!(
            "INSERT INTO rss_subscription (account_id, feed_id, collection_id, full_text, read_through, created_at) \
             SELECT a.id, s.feed_id, s.collection_id, FALSE, 0, 0 FROM account a, rss_subscription s \
             WHERE s.id = {} AND a.id <> s.account_id",
            mine.id
        ),
    ] {
        filled.db().write().execute_unprepared(&sql).await.unwrap();
    }
    let count = async |table: &str| {
        let sql = format!("SELECT count(*) FROM {table}");
        scalar(domain.db().write(), &sql, []).await.unwrap()
    };
    assert_eq!(count("rss_subscription").await, i64::from(FOLLOWERS));
    let before = [count("feed_event").await, count("feed_entry").await];
    arrives(domain, mine.feed_id, &items(0..2)).await;
    assert_eq!([count("feed_event").await, count("feed_entry").await], before.map(|rows| rows + 1));
    assert_eq!(count("rss_entry_mark").await + count("job").await, 0);
    assert_eq!(count("rss_subscription").await, i64::from(FOLLOWERS));
}

async fn concurrent_writers_never_insert_before_read_events(backend: Backend) {
    const FEEDS: usize = 4;
    const ROUNDS: u32 = 8;
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let mut ids = Vec::new();
    for number in 0..FEEDS {
        let id = follows(domain, who, &format!("https://n{number}.example/feed.xml")).await.feed_id;
        arrives(domain, id, &items(0..1)).await;
        ids.push(id);
    }
    let begin = log_end(domain, who).await;
    let writers = ids.iter().map(|id| async move {
        for round in 2..=ROUNDS + 1 {
            arrives(domain, *id, &items(0..round * 2)).await;
        }
    });
    let written = futures_util::future::join_all(writers);
    let reader = async {
        let (mut seen, mut after) = (Vec::new(), begin);
        while seen.len() < FEEDS * (ROUNDS as usize * 2 + 1) {
            let page = changes(domain, who, after, &EventFilter::default(), LIMITS).await.unwrap();
            seen.extend(page.events.iter().map(|event| event.sequence));
            after = page.end;
            tokio::task::yield_now().await;
        }
        seen
    };
    let (_, seen) = tokio::join!(written, reader);
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "each event is read once and in order");
    let all: Vec<i64> =
        events_after(domain, who, begin).await.into_iter().map(|event| event.sequence).collect();
    assert_eq!(seen, all);
}

async fn consumer_continues_at_the_new_feed_after_a_move(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
    let mine = follows(domain, who, FEED).await;
    let theirs = follows(domain, other, THERE).await;
    arrives(domain, mine.feed_id, &items(0..2)).await;
    arrives(domain, theirs.feed_id, &items(0..2)).await;
    let sources = SourceFilter { include: vec![mine.feed_id], ..SourceFilter::default() };
    let filter = EventFilter { sources, ..EventFilter::default() };
    let new = NewConsumer { name: "mine".into(), filter, from: ConsumerStart::Latest };
    let consumer = create_consumer(domain, who, new).await.unwrap().consumer;
    // A consumer that is behind does not lose events of the old feed.
    arrives(domain, mine.feed_id, &items(0..3)).await;
    moves(&database, mine.feed_id, THERE, &items(0..3)).await;
    arrives(domain, theirs.feed_id, &items(0..5)).await;
    let (page, _) = read_consumer(domain, who, consumer.id, LIMITS).await.unwrap();
    let kinds: Vec<EventKind> = page.events.iter().map(|event| event.kind).collect();
    let moved =
        page.events.iter().find(|event| event.kind == EventKind::SourceMoved).expect("the move is reported");
    assert_eq!(moved.from_feed_id, Some(mine.feed_id));
    assert_eq!(moved.source.as_ref().unwrap().subscription.feed_id, theirs.feed_id);
    assert_eq!(
        kinds[0],
        EventKind::EntryDiscovered,
        "the first event is an entry of the old feed: {kinds:?}"
    );
    assert!(page.events.iter().all(|event| event.entry.is_some() || event.source.is_some()));
    assert!(kinds.iter().filter(|kind| **kind == EventKind::EntryDiscovered).count() >= 2, "{kinds:?}");
    let strange = events_after(domain, other, 0).await;
    assert!(
        strange.iter().all(|event| event.kind != EventKind::SourceMoved),
        "the move is reported to no other account"
    );
}

async fn old_events_are_deleted_and_their_cursors_expire(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let feed_id = follows(domain, who, FEED).await.feed_id;
    let series = kernel::testing::series(backend, 1_200);
    let fill = format!(
        "INSERT INTO feed_event (sequence, kind, feed_id) SELECT {} + n, 'source.failed', {feed_id} FROM {series}",
        domain.now() * 1000
    );
    domain.db().write().execute_unprepared(&fill).await.unwrap();
    let end = log_end(domain, who).await;
    assert_eq!(delete_old_events(domain).await.unwrap(), 0);
    database.clock.advance(31 * DAY);
    assert_eq!(
        delete_old_events(domain).await.unwrap(),
        1_200,
        "the old events and the first row of the log are deleted"
    );
    assert!(
        events_after(domain, who, end).await.is_empty(),
        "a reader at the end of the log has missed no event"
    );
    let lost = changes(domain, who, end - 2, &EventFilter::default(), LIMITS).await;
    assert_eq!(lost.unwrap_err().code, kernel::Code::CursorExpired);
}

async fn pending_events_are_counted_up_to_a_bound(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let feed_id = follows(domain, who, FEED).await.feed_id;
    let new =
        NewConsumer { name: "mine".into(), filter: EventFilter::default(), from: ConsumerStart::Latest };
    let id = create_consumer(domain, who, new).await.unwrap().consumer.id;
    let (mut filled, mut seen) = (0, Vec::new());
    for count in [999_u32, 1, 1, 5_000] {
        let first = domain.now() * 1000 + i64::from(filled);
        let fill = format!(
            "INSERT INTO feed_event (sequence, kind, feed_id) SELECT {first} + n, 'source.failed', {feed_id} FROM {}",
            kernel::testing::series(backend, count)
        );
        domain.db().write().execute_unprepared(&fill).await.unwrap();
        filled += count;
        let consumers = list_consumers(domain, who).await.unwrap();
        assert_eq!(consumers[0].id, id);
        seen.push((consumers[0].pending, consumers[0].pending_partial));
    }
    assert_eq!(seen, [(999, false), (1_000, false), (1_000, true), (1_000, true)]);
}

/// Earlier versions stored search queries that are now invalid.
async fn stored_consumer_with_a_faulty_query_searches_for_its_words(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let feed_id = follows(domain, who, FEED).await.feed_id;
    arrives(domain, feed_id, &items(0..2)).await;
    let with_text = |name: &str, text: &str| {
        let filter = EventFilter { text: Some(text.into()), ..EventFilter::default() };
        NewConsumer { name: name.into(), filter, from: ConsumerStart::Latest }
    };
    let refused = create_consumer(domain, who, with_text("faulty", "(quiet")).await.unwrap_err();
    assert_eq!(refused.code, kernel::Code::InvalidRequest);
    let id = create_consumer(domain, who, with_text("mine", "placeholder")).await.unwrap().consumer.id;
    let store = "UPDATE feed_consumer SET predicate = REPLACE(predicate, 'placeholder', '(note OR')";
    domain.db().write().execute_unprepared(store).await.unwrap();
    arrives(domain, feed_id, &items(0..3)).await;
    assert_eq!(list_consumers(domain, who).await.unwrap()[0].pending, 0, "no entry has the word or");
    let store = "UPDATE feed_consumer SET predicate = REPLACE(predicate, ' OR', '')";
    domain.db().write().execute_unprepared(store).await.unwrap();
    assert!(list_consumers(domain, who).await.unwrap()[0].pending > 0);
    assert!(!read_consumer(domain, who, id, LIMITS).await.unwrap().0.events.is_empty());
}

/// During an upgrade, processes of a newer version write to the same log.
async fn unknown_event_kinds_are_skipped(backend: Backend) {
    let database = TestDatabase::create(backend).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Free).await;
    let feed_id = follows(domain, who, FEED).await.feed_id;
    let begin = log_end(domain, who).await;
    let series = kernel::testing::series(backend, 20);
    let fill = format!(
        "INSERT INTO feed_event (sequence, kind, feed_id) SELECT {} + n, \
         CASE WHEN n % 3 = 0 THEN 'source.praised' ELSE 'source.failed' END, {feed_id} FROM {series}",
        domain.now() * 1000
    );
    domain.db().write().execute_unprepared(&fill).await.unwrap();
    let known = "SELECT count(*) FROM feed_event WHERE kind = 'source.failed'";
    let known = scalar(domain.db().read(), known, []).await.unwrap();
    assert_eq!(i64::try_from(events_after(domain, who, begin).await.len()).unwrap(), known);
}

on_both! {
    stored_consumer_with_a_faulty_query_searches_for_its_words,
    unknown_event_kinds_are_skipped,
    pending_events_are_counted_up_to_a_bound,
    one_event_row_serves_all_followers,
    new_entry_writes_one_row_for_any_number_of_followers,
    concurrent_writers_never_insert_before_read_events,
    consumer_continues_at_the_new_feed_after_a_move,
    old_events_are_deleted_and_their_cursors_expire,
}

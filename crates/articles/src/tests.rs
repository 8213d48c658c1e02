//! Tests of the charges for texts, the results that waiting callers receive, and the retention of texts.

use entities::ids::{AccountId, SnapshotId};
use entities::{snapshot, source};
use identity::limits::AccountLimits;
use jobs::{Engine, EngineSettings, Handler, Handlers, Hooks, JobKind, KindHooks};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, EntityTrait};

use super::*;
use identity::limits::FRESH_MINUTE;
use identity::limits::window::Windows;
use jobs::{JobState, Pending, Progress, WaitOutcome};
use kernel::clock::{HOUR, MINUTE, SECOND};
use kernel::statement::statement;
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;
use kernel::{Backend, Code, Domain, Error, Policy};

async fn fresh_used(domain: &Domain, account_id: AccountId) -> u32 {
    let states = domain.limits().states(domain, account_id, Tier::Free).await.unwrap();
    states.iter().find(|state| state.name == FRESH_MINUTE).unwrap().used
}

async fn pending_request(domain: &Domain, payer: Payer, url: &str) -> (jobs::Submitted, PendingText) {
    let address = Address::parse(domain, url).unwrap();
    match request(domain, Some(payer), &address, Freshness::HOUR).await.unwrap() {
        Progress::Waiting { job, pending } => (job, pending),
        Progress::Done(_) => panic!("a URL without a stored text must be extracted"),
    }
}

#[tokio::test]
async fn charge_is_refunded_if_nothing_was_or_will_be_downloaded() {
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        let account_id = person(domain, Tier::Free).await;
        let payer = Payer { account_id, tier: Tier::Free };
        let outcomes = [
            ("https://example.com/a", WaitOutcome::TimedOut, 1),
            ("https://example.com/b", WaitOutcome::Failed(Error::internal("queue unavailable")), 0),
            ("https://example.com/c", WaitOutcome::Ended(JobState::Dead), 0),
        ];
        for (url, outcome, expected_charge) in outcomes {
            let before = fresh_used(domain, account_id).await;
            let (_, pending) = pending_request(domain, payer, url).await;
            assert_eq!(
                fresh_used(domain, account_id).await,
                before + 1,
                "{url} is charged before its download"
            );
            pending.resume(domain, outcome).await.unwrap_err();
            assert_eq!(fresh_used(domain, account_id).await - before, expected_charge, "{url}");
        }
    }
}

#[tokio::test]
async fn full_disk_is_reported_as_unavailable_and_the_charge_is_refunded() {
    let test = TestDatabase::create(Backend::Sqlite).await;
    let domain = &test.domain;
    let account_id = person(domain, Tier::Free).await;
    let (_, pending) =
        pending_request(domain, Payer { account_id, tier: Tier::Free }, "https://example.com/a").await;
    let writer = domain.db().write();
    // SQLite does not reduce the limit below the current size of the database.
    writer.execute_unprepared("PRAGMA max_page_count = 1").await.unwrap();
    let filler = "CREATE TABLE filler AS SELECT zeroblob(1000000) AS bytes";
    let full = Error::from(writer.execute_unprepared(filler).await.unwrap_err());
    assert_eq!(full.code, Code::ServiceUnavailable, "{full:?}");
    test.clock.advance(HOUR);
    let refusal = pending.resume(domain, WaitOutcome::TimedOut).await.unwrap_err();
    assert_eq!(refusal.code, Code::ServiceUnavailable, "{refusal:?}");
    writer.execute_unprepared("PRAGMA max_page_count = 4294967294").await.unwrap();
    assert_eq!(fresh_used(domain, account_id).await, 0);
}

#[tokio::test]
async fn joining_a_running_extraction_is_not_charged() {
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        let (first, second) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let url = "https://example.com/a";
        let payer = |account_id| Payer { account_id, tier: Tier::Free };
        let (job, _) = pending_request(domain, payer(first), url).await;
        let (joined, _) = pending_request(domain, payer(second), url).await;
        assert_eq!((job.id, joined.joined), (joined.id, true));
        assert_eq!(fresh_used(domain, first).await, 1);
        assert_eq!(fresh_used(domain, second).await, 0);
    }
}

/// Stores a text of `bytes` bytes that is used at the current time. Returns the key of its source.
async fn store_snapshot(domain: &Domain, url: &str, bytes: usize, audience: CacheAudience) -> String {
    let address = Address::parse(domain, url).unwrap();
    store::ensure_source(domain.db().write(), domain.now(), &address, audience).await.unwrap();
    let id: SnapshotId = domain.new_id();
    let row = snapshot::ActiveModel {
        id: Set(id),
        source_key: Set(address.key.clone()),
        final_url: Set(url.to_owned()),
        body_hash: Set(String::new()),
        document_hash: Set(String::new()),
        stored_bytes: Set(i64::try_from(bytes).unwrap()),
        document: Set(vec![0; bytes]),
        fetched_at: Set(domain.now()),
    };
    snapshot::Entity::insert(row).exec_without_returning(domain.db().write()).await.unwrap();
    let change = source::ActiveModel {
        key: Set(address.key.clone()),
        snapshot_id: Set(Some(id)),
        checked_at: Set(Some(domain.now())),
        ..Default::default()
    };
    change.update(domain.db().write()).await.unwrap();
    address.key
}

async fn sources(domain: &Domain) -> Vec<String> {
    let mut rows = source::Entity::find().all(domain.db().write()).await.unwrap();
    rows.sort_by_key(|row| row.used_at);
    rows.into_iter().map(|row| row.url).collect()
}

async fn texts(domain: &Domain) -> usize {
    snapshot::Entity::find().all(domain.db().write()).await.unwrap().len()
}

#[tokio::test]
async fn texts_beyond_the_budget_are_evicted_least_recently_used_first() {
    for test in TestDatabase::each().await {
        let policy = Policy { max_stored_text_bytes: 3_000, ..Policy::default() };
        let domain = &identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        let first = store_snapshot(domain, "https://example.com/first", 1_000, CacheAudience::Account).await;
        for name in ["b", "c", "d", "e"] {
            test.clock.advance(MINUTE);
            store_snapshot(domain, &format!("https://example.com/{name}"), 1_000, CacheAudience::Account)
                .await;
        }
        test.clock.advance(2 * HOUR);
        // An old text of a source is evicted before any current text. A source with a pending request is not
        // evicted.
        store_snapshot(domain, "https://example.com/e", 1_000, CacheAudience::Account).await;
        assert_eq!(texts(domain).await, 6);
        let address = Address::parse(domain, "https://example.com/first").unwrap();
        assert_eq!(address.key, first);
        let _ = lookup(domain, &address, Freshness::HOUR, CacheAudience::Account).await;
        assert_eq!(enforce_budget(domain).await.unwrap(), 3, "one text and two sources are deleted");
        let expected = ["d", "e", "first"].map(|name| format!("https://example.com/{name}"));
        let mut remaining = sources(domain).await;
        remaining.sort();
        assert_eq!((remaining, texts(domain).await), (expected.to_vec(), 3));
        assert_eq!(enforce_budget(domain).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn recently_used_text_is_not_evicted_even_if_the_budget_is_exceeded() {
    for test in TestDatabase::each().await {
        let policy = Policy { max_stored_text_bytes: 1, ..Policy::default() };
        let domain = &identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        store_snapshot(domain, "https://example.com/a", 1_000, CacheAudience::Anyone).await;
        test.clock.advance(5 * MINUTE);
        assert_eq!(enforce_budget(domain).await.unwrap(), 0);
        test.clock.advance(10 * MINUTE);
        assert_eq!(enforce_budget(domain).await.unwrap(), 1);
        assert_eq!(texts(domain).await, 0);
    }
}

/// Returns the total size of all texts in bytes.
async fn stored_bytes(domain: &Domain) -> i64 {
    let rows = snapshot::Entity::find().all(domain.db().write()).await.unwrap();
    rows.iter().map(|row| row.stored_bytes).sum()
}

#[tokio::test]
async fn anonymous_requests_cannot_exceed_the_budget_between_sweeps() {
    const BUDGET: i64 = 20_000;
    for test in TestDatabase::each().await {
        let policy = Policy { max_stored_text_bytes: BUDGET.unsigned_abs(), ..Policy::default() };
        let domain =
            &identity::limits::install(test.domain.clone().with_policy(policy.clone()), Windows::memory());
        let other =
            &identity::limits::install(test.second_handle().await.with_policy(policy), Windows::memory());
        for number in 0..100 {
            test.clock.advance(SECOND);
            let process = if number % 2 == 0 { domain } else { other };
            store_snapshot(process, &format!("https://example.com/{number}"), 1_000, CacheAudience::Anyone)
                .await;
            eviction::note_stored(process, 1_000).await;
            let stored = stored_bytes(domain).await;
            assert!(stored <= BUDGET + 1_000, "{stored} bytes are stored after text {number}");
        }
        assert!(stored_bytes(domain).await > BUDGET / 2, "no more than necessary is deleted");
        let newest = sources(domain).await.pop().unwrap();
        assert_eq!(newest, "https://example.com/99", "the least recently used texts are deleted first");
    }
}

/// A source that is requested during eviction retains its row and the text that the source may confirm.
#[tokio::test]
async fn source_with_pending_extraction_is_not_evicted() {
    for test in TestDatabase::each().await {
        let policy = Policy { max_stored_text_bytes: 1, ..Policy::default() };
        let domain = &identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        for name in ["a", "b"] {
            store_snapshot(domain, &format!("https://example.com/{name}"), 1_000, CacheAudience::Anyone)
                .await;
        }
        test.clock.advance(HOUR);
        let address = Address::parse(domain, "https://example.com/a").unwrap();
        submit(domain, &address, jobs::Priority::Urgent).await.unwrap();
        assert_eq!(enforce_budget(domain).await.unwrap(), 1);
        assert_eq!(
            (sources(domain).await, texts(domain).await),
            (vec!["https://example.com/a".to_owned()], 1)
        );
    }
}

#[tokio::test]
async fn text_of_a_waiting_caller_is_not_evicted() {
    for test in TestDatabase::each().await {
        let policy = Policy { max_stored_text_bytes: 1_000, ..Policy::default() };
        let domain = &identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        for name in ["a", "b", "c"] {
            store_snapshot(domain, &format!("https://example.com/{name}"), 1_000, CacheAudience::Anyone)
                .await;
            eviction::note_stored(domain, 1_000).await;
        }
        assert_eq!(texts(domain).await, 3, "texts used within the last seconds are not evicted");
        test.clock.advance(10 * SECOND);
        store_snapshot(domain, "https://example.com/d", 1_000, CacheAudience::Anyone).await;
        eviction::note_stored(domain, 1_000).await;
        assert_eq!(sources(domain).await, ["https://example.com/d"]);
    }
}

#[tokio::test]
async fn text_requested_only_anonymously_is_deleted_after_48_hours() {
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        store_snapshot(domain, "https://example.com/stranger", 10, CacheAudience::Anyone).await;
        store_snapshot(domain, "https://example.com/owner", 10, CacheAudience::Account).await;
        store_snapshot(domain, "https://example.com/both", 10, CacheAudience::Anyone).await;
        let both = Address::parse(domain, "https://example.com/both").unwrap();
        let _ = lookup(domain, &both, Freshness::HOUR, CacheAudience::Account).await;
        test.clock.advance(47 * HOUR);
        assert_eq!(remove_expired(domain).await.unwrap(), Removed::default());
        test.clock.advance(2 * HOUR);
        assert_eq!(remove_expired(domain).await.unwrap(), Removed { sources: 1, snapshots: 1 });
        let mut remaining = sources(domain).await;
        remaining.sort();
        assert_eq!(remaining, ["https://example.com/both", "https://example.com/owner"]);
        test.clock.advance(30 * 24 * HOUR);
        assert_eq!(remove_expired(domain).await.unwrap(), Removed { sources: 2, snapshots: 2 });
    }
}

#[tokio::test]
async fn text_too_large_to_store_is_a_source_failure() {
    let test = TestDatabase::create(kernel::Backend::Sqlite).await;
    let random = |bytes: usize| -> String {
        let mut text = String::new();
        while text.len() < bytes {
            text.push_str(&data_encoding::BASE64.encode(&test.domain.random::<4096>()));
        }
        text
    };
    let document = |bytes: usize| {
        let plain = window::tests::document(&["Words.".to_owned()]);
        Box::new(extract::Document { title: random(bytes), ..plain })
    };
    assert!(extraction::pack(document(1 << 20)).await.is_ok());
    let error = extraction::pack(document(12 << 20)).await.err().unwrap();
    assert_eq!(error.code, Code::ContentTooLarge);
}

#[tokio::test]
async fn old_texts_are_deleted_and_current_texts_retained() {
    const MANY: u32 = 5_000;
    for test in TestDatabase::each().await {
        let domain = &test.domain;
        let key = store_snapshot(domain, "https://example.com/often", 10, CacheAudience::Account).await;
        let backend = domain.db().backend();
        let sql = format!(
            "INSERT INTO snapshot (id, source_key, final_url, body_hash, document_hash, document, stored_bytes, \
             fetched_at) SELECT {}, source_key, final_url, body_hash, CAST(n AS TEXT), document, stored_bytes, \
             fetched_at + n % 7 FROM snapshot CROSS JOIN {} WHERE source_key = $1",
            kernel::testing::random_id(backend),
            kernel::testing::series(backend, MANY)
        );
        let write = domain.db().write();
        write.execute_raw(statement(write, &sql, [key.into()])).await.unwrap();
        test.clock.advance(49 * HOUR);
        assert_eq!(remove_expired(domain).await.unwrap(), Removed { sources: 0, snapshots: u64::from(MANY) });
        assert_eq!(texts(domain).await, 1, "the current text of the source is retained");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_that_repeatedly_crashes_its_worker_is_stored_as_a_failure() {
    for test in TestDatabase::each().await {
        let hooks =
            Hooks::default().with(JobKind::Extraction, KindHooks::of::<crate::job_kinds::Extraction>());
        let domain = test.domain.clone().install(hooks);
        let engine = Engine::new(domain.clone(), EngineSettings::default()).unwrap();
        let address = Address::parse(&domain, "https://example.com/poison").unwrap();
        let pending_request = crate::request(&domain, None, &address, Freshness::HOUR).await.unwrap();
        let Progress::Waiting { job, .. } = pending_request else {
            panic!("a URL without a stored text must be extracted")
        };
        for _ in 0..4 {
            jobs::claim(&domain, job.id, "aborts", 30_000).await.unwrap().unwrap();
            let lapse = "UPDATE job SET lease_until = 1 WHERE state = 'running'";
            domain.db().write().execute_unprepared(lapse).await.unwrap();
            jobs::scheduler::sweep(&engine).await.unwrap();
            let make_due = "UPDATE job SET run_at = 0 WHERE state = 'ready'";
            domain.db().write().execute_unprepared(make_due).await.unwrap();
        }
        let result = crate::request(&domain, None, &address, Freshness::HOUR).await;
        assert_eq!(result.err().map(|error| error.code), Some(Code::UnsupportedContent));
        test.clock.advance(61_000);
        let second = crate::request(&domain, None, &address, Freshness::HOUR).await.unwrap();
        assert!(matches!(second, Progress::Waiting { .. }), "a later request retries the extraction");
        let extraction = Handler::without_effect(JobKind::Extraction, |_, _| std::future::ready(Ok(())));
        engine.run_until_idle(&Handlers::new().with(extraction)).await;
    }
}

//! Tests of read jobs with their work rows, and of the storage limits of idempotent responses.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use entities::ids::ReadJobId;

use super::idempotency::{self, IdempotencyScope, KeyClaim, StoredResponse};
use super::read_jobs::{NewReadJob, ReadJobState, create, finish, get, id_of, start};
use crate::Render;
use identity::limits::window::Windows;
use jobs::Claimed;
use kernel::statement::scalar;
use kernel::testing::TestDatabase;
use kernel::{Backend, Clock, Code, Domain, Error, Millis, Policy, RandomIds};

fn new() -> NewReadJob {
    NewReadJob {
        url: "https://example.com/a".to_owned(),
        query: None,
        format: None,
        max_age: 0,
        render: Render::Auto,
        network: None,
    }
}

async fn created(domain: &Domain) -> (ReadJobId, jobs::Submitted) {
    let (job, work) = create(domain, new(), None).await.unwrap();
    (job.id, work)
}

async fn started(domain: &Domain, work: &jobs::Submitted) -> Claimed {
    let claimed = jobs::claim(domain, work.id, "w", 30_000).await.unwrap().unwrap();
    start(domain, &claimed).await.unwrap().unwrap();
    claimed
}

#[tokio::test]
async fn read_job_is_created_and_started_with_few_statements() {
    for db in TestDatabase::each().await {
        let (database, count) = db.domain.db().clone().counted();
        let domain = Domain::with(database, db.clock.clone(), Arc::new(RandomIds));
        let statement_count = || count.swap(0, Ordering::Relaxed);
        let (_, work) = created(&domain).await;
        let is_postgres = domain.db().backend() == Backend::Postgres;
        // On SQLite, an additional statement counts the waiting jobs.
        assert_eq!(statement_count(), if is_postgres { 2 } else { 3 });
        let claimed = jobs::claim(&domain, work.id, "w", 30_000).await.unwrap().unwrap();
        statement_count();
        let first = start(&domain, &claimed).await.unwrap().unwrap();
        assert_eq!(statement_count(), 1);
        assert_eq!(
            (first.state, first.started_at, first.attempts),
            (ReadJobState::Running, Some(db.clock.now()), 1)
        );
        db.clock.advance(60_000);
        let second = start(&domain, &Claimed { attempt: 2, ..claimed }).await.unwrap().unwrap();
        assert_eq!((second.started_at, second.attempts), (first.started_at, 2));
        assert_eq!(second.expires_at, first.expires_at + 60_000);
    }
}

#[tokio::test]
async fn exhausted_capacity_does_not_count_as_an_attempt() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        for _ in 0..5 {
            let claimed = started(&db.domain, &work).await;
            let full = Error::new(Code::CapacityExhausted, "Full.").retry_after(5);
            finish(&db.domain, &claimed, id, Err(full)).await.unwrap();
            let job = get(&db.domain, id).await.unwrap();
            assert_eq!((job.state, job.attempts), (ReadJobState::Queued, 1));
            db.clock.advance(5_000);
        }
    }
}

#[tokio::test]
async fn failed_read_job_can_be_retried_manually() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        let claimed = started(&db.domain, &work).await;
        let missing = Error::new(Code::SourceNotFound, "There is no such page.");
        let outcome = finish(&db.domain, &claimed, id, Err(missing)).await.unwrap();
        assert!(matches!(outcome, jobs::JobOutcome::Failed { .. }));
        assert_eq!(get(&db.domain, id).await.unwrap().state, ReadJobState::Failed);
        jobs::retry_manually(&db.domain, work.id).await.unwrap();
        started(&db.domain, &work).await;
        let second = get(&db.domain, id).await.unwrap();
        assert_eq!((second.state, second.error), (ReadJobState::Running, None));
    }
}

#[tokio::test]
async fn failed_read_job_does_not_run_again_after_its_work_is_deleted() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        started(&db.domain, &work).await;
        jobs::cancel(&db.domain, work.id).await.unwrap();
        assert_eq!(get(&db.domain, id).await.unwrap().state, ReadJobState::Failed);
        db.clock.advance(25 * 60 * 60 * 1_000);
        jobs::delete_finished(&db.domain).await.unwrap();
        assert_eq!(get(&db.domain, id).await.unwrap_err().code, Code::JobNotFound);
    }
}

#[tokio::test]
async fn repeated_request_returns_the_current_state_of_its_job() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        let scope = IdempotencyScope { caller: "network", key: "k", request: "r" };
        let id = id_of(domain, scope).await.unwrap();
        let (first, work) = create(domain, new(), Some(id)).await.unwrap();
        assert_eq!((first.id, first.state), (id, ReadJobState::Queued));
        started(domain, &work).await;
        jobs::cancel(domain, work.id).await.unwrap();
        let (again, joined) = create(domain, new(), Some(id)).await.unwrap();
        assert_eq!(
            (again.id, again.state),
            (id, ReadJobState::Failed),
            "the read job has the state of its cancelled job"
        );
        assert_eq!((joined.id, joined.to_push), (work.id, false));
    }
}

async fn store(domain: &Domain, caller: &str, key: &str) {
    let scope = IdempotencyScope { caller, key, request: "r" };
    let KeyClaim::Acquired(lock) = idempotency::claim(domain, scope).await.unwrap() else {
        panic!("{key} is already in use")
    };
    let response = StoredResponse { status: 200, headers: Vec::new(), body: b"text".to_vec() };
    idempotency::store_response(domain, &lock, &response).await.unwrap();
}

async fn is_stored(domain: &Domain, caller: &str, key: &str) -> bool {
    idempotency::find(domain, IdempotencyScope { caller, key, request: "r" }).await.unwrap().is_some()
}

#[tokio::test]
async fn stored_responses_are_limited_per_caller_and_in_total() {
    for test in TestDatabase::each().await {
        let policy = Policy {
            max_stored_response_bytes: 1_300,
            max_stored_response_bytes_per_caller: 1_300,
            ..Policy::default()
        };
        let domain = &identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
        for key in ["a", "b", "c"] {
            store(domain, "one", key).await;
            test.clock.advance(1_000);
        }
        assert!(is_stored(domain, "one", "a").await && is_stored(domain, "one", "b").await);
        assert!(!is_stored(domain, "one", "c").await, "the limit of this caller is reached");
        store(domain, "other", "d").await;
        assert!(is_stored(domain, "other", "d").await, "the limit of another caller is separate");
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 1, "the total exceeds the limit");
        assert!(
            !is_stored(domain, "one", "a").await && is_stored(domain, "one", "b").await,
            "the oldest response is deleted"
        );
        store(domain, "one", "c").await;
        assert!(is_stored(domain, "one", "c").await);
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 1);
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn key_is_locked_while_in_progress_and_stores_its_response_for_a_day() {
    const CLAIM_MS: Millis = 150_000;
    for test in TestDatabase::each().await {
        let (domain, clock) = (&test.domain, &test.clock);
        let scope = |request| IdempotencyScope { caller: "network", key: "k", request };
        let code = async |request| {
            idempotency::claim(domain, scope(request)).await.map(drop).map_err(|error| error.code)
        };
        assert!(matches!(idempotency::claim(domain, scope("r")).await.unwrap(), KeyClaim::Acquired(_)));
        assert_eq!(code("r").await, Err(Code::IdempotencyKeyInProgress));
        assert_eq!(code("other").await, Err(Code::IdempotencyKeyReused));
        clock.advance(CLAIM_MS - 1);
        assert_eq!(code("r").await, Err(Code::IdempotencyKeyInProgress));
        clock.advance(1);
        let KeyClaim::Acquired(lock) = idempotency::claim(domain, scope("r")).await.unwrap() else {
            panic!("an expired claim can be acquired")
        };
        let headers = vec![("content-type".to_owned(), "text/plain".to_owned())];
        let response = StoredResponse { status: 200, headers, body: "Bread. ".repeat(50).into_bytes() };
        idempotency::store_response(domain, &lock, &response).await.unwrap();
        clock.advance(24 * 60 * 60 * 1_000 - 1);
        let KeyClaim::Stored(stored) = idempotency::claim(domain, scope("r")).await.unwrap() else {
            panic!("the response is stored for a day")
        };
        assert_eq!(stored, response);
        assert_eq!(code("other").await, Err(Code::IdempotencyKeyReused));
        clock.advance(1);
        assert!(matches!(idempotency::claim(domain, scope("other")).await.unwrap(), KeyClaim::Acquired(_)));
    }
}

#[tokio::test]
async fn response_that_exactly_fills_the_caller_limit_is_stored() {
    for test in TestDatabase::each().await {
        store(&test.domain, "measured", "k").await;
        let sum = async |what: &str| {
            let sql = format!("SELECT CAST(SUM({what}) AS bigint) FROM idempotency");
            scalar(test.domain.db().read(), &sql, []).await.unwrap().unsigned_abs()
        };
        let bytes = sum("stored_bytes").await;
        assert_eq!(
            bytes,
            sum("LENGTH(body) + LENGTH(headers)").await + 512,
            "each row counts 512 bytes more"
        );
        let with_limit = |limit: u64| {
            let policy = Policy { max_stored_response_bytes_per_caller: limit, ..Policy::default() };
            identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory())
        };
        for (limit, is_expected) in [(bytes, true), (bytes - 1, false)] {
            let (domain, caller) = (with_limit(limit), limit.to_string());
            store(&domain, &caller, "k").await;
            assert_eq!(
                is_stored(&domain, &caller, "k").await,
                is_expected,
                "limit {limit}, response of {bytes} bytes"
            );
        }
    }
}

#[tokio::test]
async fn responses_that_exactly_fill_the_total_limit_are_not_evicted() {
    for test in TestDatabase::each().await {
        for key in ["a", "b", "c"] {
            store(&test.domain, "one", key).await;
            test.clock.advance(1_000);
        }
        let sql = "SELECT CAST(SUM(stored_bytes) AS bigint) FROM idempotency";
        let bytes = scalar(test.domain.db().read(), sql, []).await.unwrap().unsigned_abs();
        for (limit, removed) in [(bytes, 0), (bytes - 1, 1), (bytes / 3 - 1, 2)] {
            let policy = Policy { max_stored_response_bytes: limit, ..Policy::default() };
            let domain =
                identity::limits::install(test.domain.clone().with_policy(policy), Windows::memory());
            assert_eq!(
                idempotency::remove_expired(&domain).await.unwrap(),
                removed,
                "limit {limit}, responses of {bytes} bytes"
            );
        }
    }
}

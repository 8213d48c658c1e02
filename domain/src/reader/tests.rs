//! Read jobs beside the rows of their work, and the room that kept responses take.

use entities::ids::ReadJobId;

use super::idempotency::{self, Claim, IdempotencyScope, StoredResponse};
use super::jobs::{NewReadJob, State, create, finish, get, start};
use crate::code::Code;
use crate::jobs::{self, Claimed};
use crate::limits::window::Windows;
use crate::policy::Policy;
use crate::testing::TestDatabase;
use crate::{Domain, Error};

async fn created(domain: &Domain) -> (ReadJobId, jobs::Submitted) {
    let url = "https://example.com/a".to_owned();
    let (job, work) =
        create(domain, NewReadJob { url, query: None, format: None, max_age: 0 }).await.unwrap();
    (job.id, work)
}

async fn started(domain: &Domain, work: &jobs::Submitted) -> Claimed {
    let claimed = jobs::claim(domain, work.id, "w", 30_000).await.unwrap().unwrap();
    start(domain, &claimed).await.unwrap().unwrap();
    claimed
}

#[tokio::test]
async fn our_own_want_of_room_is_no_try_of_a_read_job() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        for _ in 0..5 {
            let claimed = started(&db.domain, &work).await;
            let full = Error::new(Code::CapacityExhausted, "Full.").retry_after(5);
            finish(&db.domain, &claimed, id, Err(full)).await.unwrap();
            let job = get(&db.domain, id).await.unwrap();
            assert_eq!((job.state, job.attempts), (State::Queued, 1));
            db.clock.advance(5_000);
        }
    }
}

#[tokio::test]
async fn a_failed_read_job_can_be_retried_by_hand() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        let claimed = started(&db.domain, &work).await;
        let missing = Error::new(Code::SourceNotFound, "There is no such page.");
        let outcome = finish(&db.domain, &claimed, id, Err(missing)).await.unwrap();
        assert!(matches!(outcome, jobs::JobOutcome::Failed { .. }));
        assert_eq!(get(&db.domain, id).await.unwrap().state, State::Failed);
        jobs::retry_by_hand(&db.domain, work.id).await.unwrap();
        started(&db.domain, &work).await;
        let again = get(&db.domain, id).await.unwrap();
        assert_eq!((again.state, again.error), (State::Running, None));
    }
}

#[tokio::test]
async fn a_read_job_that_was_given_up_does_not_run_again_when_its_work_is_forgotten() {
    for db in TestDatabase::each().await {
        let (id, work) = created(&db.domain).await;
        started(&db.domain, &work).await;
        jobs::cancel(&db.domain, work.id).await.unwrap();
        assert_eq!(get(&db.domain, id).await.unwrap().state, State::Failed);
        db.clock.advance(25 * 60 * 60 * 1_000);
        jobs::delete_finished(&db.domain).await.unwrap();
        assert_eq!(get(&db.domain, id).await.unwrap_err().code, Code::JobNotFound);
    }
}

async fn keeps(domain: &Domain, caller: &str, key: &str) {
    let scope = IdempotencyScope { caller, key, request: "r" };
    let Claim::Mine(hold) = idempotency::claim(domain, scope).await.unwrap() else { panic!("{key} is used") };
    let response = StoredResponse { status: 200, headers: Vec::new(), body: Some(b"text".to_vec()) };
    idempotency::store_response(domain, &hold, &response).await.unwrap();
}

async fn is_kept(domain: &Domain, caller: &str, key: &str) -> bool {
    idempotency::find(domain, IdempotencyScope { caller, key, request: "r" }).await.unwrap().is_some()
}

#[tokio::test]
async fn kept_responses_take_a_bounded_room_a_caller_and_in_all() {
    for test in TestDatabase::each().await {
        let policy = Policy {
            max_stored_response_bytes: 1_300,
            max_stored_response_bytes_per_caller: 1_300,
            ..Policy::default()
        };
        let domain = &test.domain.clone().with_policy(policy, Windows::memory());
        for key in ["a", "b", "c"] {
            keeps(domain, "one", key).await;
            test.clock.advance(1_000);
        }
        assert!(is_kept(domain, "one", "a").await && is_kept(domain, "one", "b").await);
        assert!(!is_kept(domain, "one", "c").await, "the room of this caller is used up");
        keeps(domain, "other", "d").await;
        assert!(is_kept(domain, "other", "d").await, "another caller has a room of its own");
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 1, "together they are too many");
        assert!(!is_kept(domain, "one", "a").await && is_kept(domain, "one", "b").await, "the oldest went");
        keeps(domain, "one", "c").await;
        assert!(is_kept(domain, "one", "c").await);
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 1);
        assert_eq!(idempotency::remove_expired(domain).await.unwrap(), 0);
    }
}

//! Read jobs beside the rows of their work.

use entities::ids::ReadJobId;

use super::jobs::{NewReadJob, State, create, finish, get, start};
use crate::code::Code;
use crate::jobs::{self, Claimed};
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

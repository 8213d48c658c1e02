//! Tests of the submission of jobs.

use entities::ids::AccountId;

use super::*;
use kernel::{Code, Policy};

#[tokio::test]
async fn second_submission_joins_the_live_job() {
    for db in TestDatabase::each().await {
        let first = submitted(&db.domain, read_job("a")).await;
        let second = submitted(&db.domain, read_job("a")).await;
        assert!(!first.joined && first.to_push);
        assert!(second.joined && !second.to_push);
        assert_eq!(first.id, second.id);
        assert_ne!(first.id, submitted(&db.domain, read_job("b")).await.id);
        assert_ne!(first.id, submitted(&db.domain, NewJob::new(JobKind::Extraction, "a")).await.id);
    }
}

#[tokio::test]
async fn finished_job_can_be_submitted_again() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        complete(&db.domain, &first).await.unwrap();
        let second = submitted(&db.domain, read_job("a")).await;
        assert!(!second.joined);
        assert_ne!(second.id, first.id);
    }
}

#[tokio::test]
async fn interactive_job_is_not_queued_behind_background_jobs() {
    for db in TestDatabase::each().await {
        let owner = AccountId::from_u128(1);
        let text = |key: usize| NewJob::new(JobKind::LibraryText, key.to_string()).owner(owner);
        let many: Vec<NewJob> = (0..100).map(text).collect();
        let background = submit_all(db.domain.db().write(), &db.domain, &many).await.unwrap();
        let last = background.into_iter().flatten().map(|job| job.run_at).max().unwrap();
        let interactive = submitted(&db.domain, text(100).priority(Priority::High)).await;
        assert!(last > interactive.run_at, "last: {last}, interactive: {}", interactive.run_at);
        let second = submitted(&db.domain, text(101).priority(Priority::High)).await;
        assert!(
            second.run_at > interactive.run_at && second.run_at < last,
            "interactive jobs of one account are queued behind one another"
        );
    }
}

#[tokio::test]
async fn concurrent_submissions_insert_one_row() {
    for db in TestDatabase::each().await {
        let other = db.second_handle().await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..20 {
            let domain = if number % 2 == 0 { db.domain.clone() } else { other.clone() };
            tasks.spawn(async move {
                let transaction = domain.db().begin().await.unwrap();
                let result = submit(&transaction, &domain, read_job("same")).await.unwrap();
                transaction.commit().await.unwrap();
                result
            });
        }
        let all = tasks.join_all().await;
        assert_eq!(all.iter().filter(|result| !result.joined).count(), 1);
        assert!(all.iter().all(|result| result.id == all[0].id));
        assert_eq!(count_in_state(&db.domain, JobKind::ReadJob, JobState::Ready).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn submission_is_rolled_back_with_its_transaction() {
    for db in TestDatabase::each().await {
        let transaction = db.domain.db().begin().await.unwrap();
        let result = submit(&transaction, &db.domain, read_job("a")).await.unwrap();
        transaction.rollback().await.unwrap();
        assert_eq!(get(&db.domain, result.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn joining_never_lowers_the_priority() {
    for db in TestDatabase::each().await {
        let low = submitted(&db.domain, read_job("a").priority(Priority::Low)).await;
        let raised = submitted(&db.domain, read_job("a").priority(Priority::Urgent)).await;
        assert!(raised.joined && raised.to_push);
        let after = submitted(&db.domain, read_job("a").priority(Priority::Normal)).await;
        assert!(!after.to_push);
        assert_eq!(job(&db.domain, low.id).await.priority, Priority::Urgent);
    }
}

#[tokio::test]
async fn full_queue_refuses_new_jobs_but_allows_joins() {
    for db in TestDatabase::each().await {
        let capacity = JobKind::Extraction.rules().capacity.unwrap();
        let transaction = db.domain.db().begin().await.unwrap();
        let many = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
                    VALUES ($1, 'extraction', $2, '{}', $3, 0, 'ready', 0, 0, 0)";
        for number in 0..capacity {
            let priority = Priority::ALL[number as usize % 4].as_i16();
            let values = [db.domain.new_id::<JobId>().into(), format!("k{number}").into(), priority.into()];
            transaction.execute_raw(statement(&transaction, many, values)).await.unwrap();
        }
        transaction.commit().await.unwrap();
        let result =
            submit(db.domain.db().write(), &db.domain, NewJob::new(JobKind::Extraction, "new")).await;
        assert_eq!(result.unwrap_err().code, Code::CapacityExhausted);
        assert!(submitted(&db.domain, NewJob::new(JobKind::Extraction, "k7")).await.joined);
        assert!(!submitted(&db.domain, read_job("another kind")).await.joined);
    }
}

#[tokio::test]
async fn oversized_payload_is_refused() {
    let long = "x".repeat(70_000);
    assert!(read_job("a").payload(&long).is_err());
}

#[test]
fn payload_of_exactly_the_limit_is_accepted() {
    let of = |length: usize| read_job("a").payload(&"x".repeat(length - 2));
    assert!(of(64 * 1024).is_ok(), "the limit includes the quotation marks");
    assert!(of(64 * 1024 + 1).is_err());
}

#[tokio::test]
async fn low_priority_jobs_use_at_most_half_of_the_capacity() {
    for mut db in TestDatabase::each().await {
        let policy = Policy { max_waiting_extractions: Some(4), ..Policy::default() };
        db.domain = db.domain.with_policy(policy);
        let submit = async |key: &str, priority| {
            let job = NewJob::new(JobKind::Extraction, key).priority(priority);
            crate::rows::submit(db.domain.db().write(), &db.domain, job).await
        };
        for key in ["a", "b"] {
            submit(key, Priority::Low).await.unwrap();
        }
        let error = submit("c", Priority::Low).await.unwrap_err();
        assert_eq!((error.code, error.retry_after), (Code::CapacityExhausted, Some(5)));
        for key in ["c", "d"] {
            submit(key, Priority::Urgent).await.unwrap();
        }
        assert_eq!(submit("e", Priority::Urgent).await.unwrap_err().code, Code::CapacityExhausted);
    }
}

#[tokio::test]
async fn low_priority_jobs_beyond_their_half_do_not_use_capacity_of_other_jobs() {
    for mut db in TestDatabase::each().await {
        let policy = Policy { max_waiting_extractions: Some(4), ..Policy::default() };
        db.domain = db.domain.with_policy(policy);
        let insert = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
                      VALUES ($1, 'extraction', $2, '{}', $3, 0, 'ready', 1, 1, 0)";
        // Their retries became due at the same time.
        for number in 0..6 {
            let values = [
                db.domain.new_id::<JobId>().into(),
                format!("low{number}").into(),
                Priority::Low.as_i16().into(),
            ];
            let connection = db.domain.db().write();
            connection.execute_raw(statement(connection, insert, values)).await.unwrap();
        }
        let submit = async |key: &str, priority| {
            let job = NewJob::new(JobKind::Extraction, key).priority(priority);
            crate::rows::submit(db.domain.db().write(), &db.domain, job).await
        };
        assert_eq!(submit("low", Priority::Low).await.unwrap_err().code, Code::CapacityExhausted);
        for key in ["a", "b"] {
            submit(key, Priority::Normal).await.unwrap();
        }
        assert_eq!(submit("c", Priority::Normal).await.unwrap_err().code, Code::CapacityExhausted);
    }
}

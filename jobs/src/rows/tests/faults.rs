//! Tests of faults between processes: clock skew, lost replies, rows of another build, and failovers.

use entities::ids::JobId;

use super::*;
use kernel::{Backend, Class, Code, DatabaseSettings};

#[tokio::test]
async fn worker_with_slow_clock_starts_pushed_jobs_immediately() {
    for db in TestDatabase::each().await {
        for behind in [5, 1_000, 3_600_000] {
            let id = submitted(&db.domain, read_job(&behind.to_string())).await.id;
            db.clock.advance(-behind);
            assert!(claim(&db.domain, id, "w", LEASE).await.unwrap().is_some(), "clock {behind} ms behind");
            db.clock.advance(behind);
        }
    }
}

#[tokio::test]
async fn retry_is_not_started_early_by_a_stale_queue_entry() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        retry_in(db.domain.db().write(), &db.domain, &first, Some(2_000), (Code::SourceError, "y"))
            .await
            .unwrap();
        assert_eq!(claim(&db.domain, first.id, "w", LEASE).await.unwrap(), None);
        db.clock.advance(2_000);
        assert!(claim(&db.domain, first.id, "w", LEASE).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn claim_with_lost_reply_is_resumed_without_a_second_start() {
    for db in TestDatabase::each().await {
        let id = submitted(&db.domain, read_job("a")).await.id;
        let lost = claim(&db.domain, id, "w-1", LEASE).await.unwrap().unwrap();
        assert_eq!(claim(&db.domain, id, "w-1", LEASE).await.unwrap(), None);
        assert_eq!(
            resume_claims(&db.domain, &[id], "w-2", LEASE).await.unwrap(),
            [],
            "another worker has the claim"
        );
        let resumed = resume_claims(&db.domain, &[id], "w-1", LEASE).await.unwrap();
        assert_eq!(resumed, [lost]);
        complete(&db.domain, &resumed[0]).await.unwrap();
        assert_eq!(resume_claims(&db.domain, &[id], "w-1", LEASE).await.unwrap(), [], "the job is complete");
    }
}

#[tokio::test]
async fn duplicate_fence_lets_only_one_worker_write() {
    for db in TestDatabase::each().await {
        let newer = claimed(&db.domain, "a").await;
        // Simulates a failover that lost the commit of the older claim.
        let older = Claimed { worker: "lost".to_owned(), ..newer.clone() };
        assert!(!is_renewed(&db.domain, &older).await);
        assert!(is_lease_lost(&complete(&db.domain, &older).await.unwrap_err()));
        assert!(is_lease_lost(&release(&db.domain, &older).await.unwrap_err()));
        let write = db.domain.db().write();
        assert!(is_lease_lost(&lock_claim_in(write, &older).await.unwrap_err()));
        lock_claim_in(write, &newer).await.unwrap();
        complete(&db.domain, &newer).await.unwrap();
        assert!(is_lease_lost(&lock_claim_in(write, &newer).await.unwrap_err()), "the job is complete");
    }
}

#[tokio::test]
async fn attempt_of_a_snoozed_job_is_not_counted() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        let outcome = snooze_in(db.domain.db().write(), &db.domain, &first, 5_000).await.unwrap();
        assert_eq!(outcome, JobOutcome::Retried { run_at: START + 5_000 });
        let waiting = job(&db.domain, first.id).await;
        assert_eq!((waiting.state, waiting.attempts), (JobState::Ready, 0));
        db.clock.advance(5_000);
        assert_eq!(claim(&db.domain, first.id, "w", LEASE).await.unwrap().unwrap().attempt, 1);
    }
}

#[tokio::test]
async fn manual_retry_conflicts_if_the_job_was_resubmitted() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        fail_in(db.domain.db().write(), &db.domain, &first, (Code::SourceError, "y")).await.unwrap();
        submitted(&db.domain, read_job("a")).await;
        assert_eq!(retry_manually(&db.domain, first.id).await.unwrap_err().class(), Class::Conflict);
    }
}

#[tokio::test]
async fn list_omits_jobs_of_a_newer_build() {
    for db in TestDatabase::each().await {
        let known_id = submitted(&db.domain, read_job("a")).await.id;
        let newer = submitted(&db.domain, read_job("b")).await.id;
        let sql = "UPDATE job SET kind = 'of_tomorrow' WHERE id = $1";
        let write = db.domain.db().write();
        write.execute_raw(statement(write, sql, [newer.into()])).await.unwrap();
        let listed: Vec<JobId> =
            list(&db.domain, &JobFilter::default()).await.unwrap().iter().map(|job| job.id).collect();
        assert_eq!(listed, [known_id]);
    }
}

#[tokio::test]
async fn cleanup_deletes_all_finished_rows_beyond_one_batch() {
    for db in TestDatabase::each().await {
        let jobs: Vec<NewJob> = (0..1_200).map(|number| read_job(&number.to_string())).collect();
        submit_all(db.domain.db().write(), &db.domain, &jobs).await.unwrap();
        let sql = format!("UPDATE job SET state = 'dead', finished_at = {START}");
        db.domain.db().write().execute_unprepared(&sql).await.unwrap();
        db.clock.advance(25 * 60 * 60 * 1_000);
        assert_eq!(delete_finished(&db.domain).await.unwrap(), 1_200);
    }
}

#[tokio::test]
async fn read_only_server_after_failover_is_unavailable() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let transaction = db.domain.db().begin().await.unwrap();
    transaction.execute_unprepared("SET TRANSACTION READ ONLY").await.unwrap();
    let error = submit(&transaction, &db.domain, read_job("a")).await.unwrap_err();
    assert_eq!(error.code, Code::ServiceUnavailable);
}

#[tokio::test]
async fn connections_to_a_read_only_server_are_replaced() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let name = db.url.rsplit('/').next().unwrap().split('?').next().unwrap();
    let admin = db.domain.db().write();
    // New connections reach a read-only server, as after a failover.
    let demote = format!("ALTER DATABASE {name} SET default_transaction_read_only = on");
    admin.execute_unprepared(&demote).await.unwrap();
    let other = db.second_handle().await;
    let open = [other.db().begin().await, other.db().begin().await, other.db().begin().await];
    drop(open);
    // The connections return to the pool after a moment; an earlier query would open another connection.
    while other.db().write().get_postgres_connection_pool().num_idle() < 3 {
        tokio::task::yield_now().await;
    }
    admin
        .execute_unprepared(&format!("ALTER DATABASE {name} RESET default_transaction_read_only"))
        .await
        .unwrap();
    let error = submit(other.db().write(), &other, read_job("a")).await.unwrap_err();
    assert_eq!(error.code, Code::ServiceUnavailable);
    for key in ["a", "b", "c", "d"] {
        submit(other.db().write(), &other, read_job(key)).await.unwrap();
    }
}

#[tokio::test]
async fn submit_reconnects_after_the_server_closes_all_connections() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let other = db.second_handle().await;
    submit(other.db().write(), &other, read_job("a")).await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    db.domain.db().write().execute_unprepared(cut).await.unwrap();
    submit(other.db().write(), &other, read_job("b")).await.unwrap();
}

#[tokio::test]
async fn lease_is_renewed_while_every_connection_is_busy() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let settings = DatabaseSettings { max_connections: 2, ..DatabaseSettings::default() };
    let busy = db.handle_with(&settings).await;
    let job = claimed(&busy, "a").await;
    let transactions = [busy.db().begin().await.unwrap(), busy.db().begin().await.unwrap()];
    assert!(is_renewed(&busy, &job).await);
    drop(transactions);
}

//! Tests of the life cycle of jobs from claim to completion: leases, fences, retries, and cancellation.

use std::sync::Arc;

use super::*;
use kernel::clock::HOUR;
use kernel::{Clock, Code, RandomIds, SystemClock};

/// Clock that is this many milliseconds ahead.
struct SkewedClock(Millis);

impl Clock for SkewedClock {
    fn now(&self) -> Millis {
        SystemClock.now() + self.0
    }
}

async fn machine(db: &TestDatabase, ahead: Millis) -> Domain {
    let database = db.second_handle().await.db().clone();
    Domain::with(database, Arc::new(SkewedClock(ahead)), Arc::new(RandomIds))
}

#[tokio::test]
async fn retry_due_time_is_independent_of_clock_skew() {
    let error = (Code::SourceTimeout, "It took too long.");
    for db in TestDatabase::each().await {
        for (worker, scheduler) in [(HOUR, -HOUR), (-HOUR, HOUR), (HOUR, 0), (-HOUR, 0)] {
            let (worker, scheduler) = (machine(&db, worker).await, machine(&db, scheduler).await);
            let id = submitted(&worker, read_job("a")).await.id;
            let kind = JobKind::ReadJob;
            // The retry is not claimed before its due time.
            let first = claim(&worker, id, "w", LEASE).await.unwrap().unwrap();
            retry_in(worker.db().write(), &worker, &first, Some(60_000), error).await.unwrap();
            for machine in [&worker, &scheduler] {
                assert_eq!(due_batch(machine, kind, 10).await.unwrap(), vec![]);
                assert_eq!(claim(machine, id, "early", LEASE).await.unwrap(), None);
                assert_eq!(waiting(machine.db().read(), machine, kind, 10).await.unwrap(), 0);
            }
            cancel(&worker, id).await.unwrap();
            // The job is due for every clock after a manual retry, a retry, a snooze, and a release.
            retry_manually(&worker, id).await.unwrap();
            for step in 0..4 {
                assert_eq!(waiting(scheduler.db().read(), &scheduler, kind, 10).await.unwrap(), 1);
                assert!(oldest_due(scheduler.db().read(), &scheduler, kind).await.unwrap().is_some());
                let due = due_batch(&scheduler, kind, 10).await.unwrap();
                assert_eq!(due.iter().map(|due| due.id).collect::<Vec<_>>(), [id], "step {step}");
                let claimed = claim(&worker, id, "w", LEASE).await.unwrap().unwrap();
                let write = worker.db().write();
                match step {
                    0 => drop(retry_in(write, &worker, &claimed, Some(0), error).await.unwrap()),
                    1 => drop(snooze_in(write, &worker, &claimed, 0).await.unwrap()),
                    2 => release(&worker, &claimed).await.unwrap(),
                    _ => complete(&worker, &claimed).await.unwrap(),
                }
            }
        }
    }
}

#[tokio::test]
async fn concurrent_claims_have_one_winner() {
    for db in TestDatabase::each().await {
        let id = submitted(&db.domain, read_job("a")).await.id;
        let other = db.second_handle().await;
        let mut tasks = tokio::task::JoinSet::new();
        for number in 0..12 {
            let domain = if number % 2 == 0 { db.domain.clone() } else { other.clone() };
            tasks.spawn(async move { claim(&domain, id, &format!("w{number}"), LEASE).await.unwrap() });
        }
        let won: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        assert_eq!(won.len(), 1);
        assert_eq!((won[0].attempt, won[0].fence), (1, 1));
        assert_eq!(job(&db.domain, id).await.state, JobState::Running);
    }
}

#[tokio::test]
async fn completed_rows_are_deleted_or_retained_by_kind() {
    for db in TestDatabase::each().await {
        let stays = claimed(&db.domain, "a").await;
        complete(&db.domain, &stays).await.unwrap();
        assert_eq!(job(&db.domain, stays.id).await.state, JobState::Complete);
        let goes = submitted(&db.domain, NewJob::new(JobKind::Extraction, "a")).await;
        let goes = claim(&db.domain, goes.id, "w", LEASE).await.unwrap().unwrap();
        complete(&db.domain, &goes).await.unwrap();
        assert_eq!(get(&db.domain, goes.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn effect_of_a_zombie_worker_is_rolled_back() {
    for db in TestDatabase::each().await {
        let zombie = claimed(&db.domain, "a").await;
        expire_all_leases(&db.domain).await;
        assert_eq!(expire_leases(&db.domain).await.unwrap().requeued, 1);
        let second = claim(&db.domain, zombie.id, "other", LEASE).await.unwrap().unwrap();
        assert_eq!((second.attempt, second.fence), (2, 2));

        let transaction = db.domain.db().begin().await.unwrap();
        let effect = submit(&transaction, &db.domain, read_job("effect")).await.unwrap();
        let error = complete_in(&transaction, &db.domain, &zombie).await.unwrap_err();
        assert!(is_lease_lost(&error));
        drop(transaction);
        assert_eq!(get(&db.domain, effect.id).await.unwrap(), None);

        assert!(!is_renewed(&db.domain, &zombie).await);
        assert!(is_lease_lost(&release(&db.domain, &zombie).await.unwrap_err()));
        let late =
            retry_in(db.domain.db().write(), &db.domain, &zombie, None, (Code::SourceError, "y")).await;
        assert!(is_lease_lost(&late.unwrap_err()));
        let late = fail_in(db.domain.db().write(), &db.domain, &zombie, (Code::SourceError, "y")).await;
        assert!(is_lease_lost(&late.unwrap_err()));
        complete(&db.domain, &second).await.unwrap();
    }
}

#[tokio::test]
async fn zombie_worker_cannot_write_while_its_job_waits() {
    for db in TestDatabase::each().await {
        let zombie = claimed(&db.domain, "a").await;
        expire_all_leases(&db.domain).await;
        expire_leases(&db.domain).await.unwrap();
        assert!(is_lease_lost(&complete(&db.domain, &zombie).await.unwrap_err()));
        assert_eq!(job(&db.domain, zombie.id).await.state, JobState::Ready);
    }
}

#[tokio::test]
async fn renewed_lease_does_not_expire() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        expire_all_leases(&db.domain).await;
        assert!(is_renewed(&db.domain, &running).await);
        assert_eq!(expire_leases(&db.domain).await.unwrap(), ExpiredLeases::default());
        // The process clock does not affect leases.
        db.clock.advance(24 * 60 * 60 * 1_000);
        assert_eq!(expire_leases(&db.domain).await.unwrap(), ExpiredLeases::default());
    }
}

#[tokio::test]
async fn job_that_ran_alone_in_four_lost_workers_is_dead() {
    for db in TestDatabase::each().await {
        let id = submitted(&db.domain, read_job("poison")).await.id;
        for (start, delay) in [(1, 0), (2, 10_000), (3, 60_000), (4, 0)] {
            let claimed = claim(&db.domain, id, "w", LEASE).await.unwrap().unwrap();
            assert_eq!((claimed.attempt, claimed.lost_starts), (start, start - 1));
            assert!(!claimed.is_last_attempt(), "no attempt has failed");
            expire_all_leases(&db.domain).await;
            let result = expire_leases(&db.domain).await.unwrap();
            assert_eq!(result.requeued, u64::from(start < 4));
            assert_eq!(result.dead.len(), usize::from(start == 4));
            let waits = job(&db.domain, id).await.run_at - db.domain.now();
            assert!(start == 4 || (delay..=delay * 3 / 2).contains(&waits.max(0)), "{waits}");
            db.clock.advance(delay * 3 / 2);
        }
        let dead = job(&db.domain, id).await;
        assert_eq!((dead.state, dead.error_code), (JobState::Dead, Some(WORKER_LOST)));
        assert_eq!(dead.finished_at, Some(db.domain.now()));
        assert_eq!(claim(&db.domain, id, "w", LEASE).await.unwrap(), None);

        assert_eq!(retry_manually(&db.domain, id).await.unwrap().attempts, 0);
        assert_eq!(claim(&db.domain, id, "w", LEASE).await.unwrap().unwrap().lost_starts, 0);
    }
}

#[tokio::test]
async fn equally_suspected_jobs_are_never_dead() {
    for db in TestDatabase::each().await {
        let ids = [
            submitted(&db.domain, read_job("one")).await.id,
            submitted(&db.domain, read_job("other")).await.id,
        ];
        for _ in 0..10 {
            for (index, id) in ids.iter().enumerate() {
                let name = format!("read_job-host-7-0000000100000001.{index}");
                claim(&db.domain, *id, &name, LEASE).await.unwrap().unwrap();
            }
            expire_all_leases(&db.domain).await;
            let result = expire_leases(&db.domain).await.unwrap();
            assert_eq!((result.requeued, result.dead.len()), (2, 0));
            db.clock.advance(450_000);
        }
        assert_eq!(job(&db.domain, ids[0]).await.lost_starts, 10);
    }
}

#[tokio::test]
async fn retry_waits_for_its_delay_and_the_last_attempt_fails_the_job() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        let error = (Code::SourceTimeout, "It took too long.");
        let write = db.domain.db().write();
        let outcome = retry_in(write, &db.domain, &first, Some(2_000), error).await.unwrap();
        assert_eq!(outcome, JobOutcome::Retried { run_at: START + 2_000 });
        assert_eq!(claim(&db.domain, first.id, "w", LEASE).await.unwrap(), None);

        db.clock.advance(2_000);
        let second = claim(&db.domain, first.id, "w", LEASE).await.unwrap().unwrap();
        let JobOutcome::Retried { run_at } = retry_in(write, &db.domain, &second, None, error).await.unwrap()
        else {
            panic!("the job can be retried");
        };
        let delay = run_at - START - 2_000;
        assert!((3_200..=4_000).contains(&delay), "the second backoff is {delay} ms");

        db.clock.advance(delay);
        let third = claim(&db.domain, first.id, "w", LEASE).await.unwrap().unwrap();
        assert!(third.is_last_attempt());
        let outcome = retry_in(write, &db.domain, &third, None, error).await.unwrap();
        assert!(matches!(outcome, JobOutcome::Failed { .. }));
        let failed = job(&db.domain, first.id).await;
        assert_eq!((failed.state, failed.error_code), (JobState::Failed, Some(Code::SourceTimeout)));
    }
}

#[tokio::test]
async fn stored_error_message_is_truncated_and_free_of_nul() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        let text = format!("\0{}", "ä".repeat(2_000));
        fail_in(db.domain.db().write(), &db.domain, &running, (Code::SourceError, &text)).await.unwrap();
        assert_eq!(job(&db.domain, running.id).await.error_message.unwrap(), "ä".repeat(500));
    }
}

#[tokio::test]
async fn attempt_of_a_released_job_is_not_counted() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        release(&db.domain, &running).await.unwrap();
        let after = job(&db.domain, running.id).await;
        assert_eq!((after.state, after.attempts), (JobState::Ready, 0));
        let second = claim(&db.domain, running.id, "w", LEASE).await.unwrap().unwrap();
        assert_eq!((second.attempt, second.fence), (1, 2));
    }
}

#[tokio::test]
async fn cancelled_job_has_failed_and_its_worker_cannot_write() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        let cancelled = cancel(&db.domain, running.id).await.unwrap();
        assert_eq!((cancelled.state, cancelled.error_code), (JobState::Failed, Some(CANCELLED)));
        assert!(is_lease_lost(&complete(&db.domain, &running).await.unwrap_err()));
        assert_eq!(cancel(&db.domain, running.id).await.unwrap_err().code, Code::JobConflict);
        assert_eq!(cancel(&db.domain, db.domain.new_id()).await.unwrap_err().code, Code::NotFound);
    }
}

#[tokio::test]
async fn manual_retry_does_not_duplicate_a_resubmitted_job() {
    for db in TestDatabase::each().await {
        let old = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(retry_manually(&db.domain, old).await.unwrap_err().code, Code::JobConflict);
        cancel(&db.domain, old).await.unwrap();
        let new = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(retry_manually(&db.domain, old).await.unwrap_err().code, Code::JobConflict);
        cancel(&db.domain, new).await.unwrap();
        assert_eq!(retry_manually(&db.domain, old).await.unwrap().state, JobState::Ready);
    }
}

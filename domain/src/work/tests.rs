//! The rules of job rows, on both databases.

use proptest::prelude::*;
use sea_orm::ConnectionTrait;

use super::*;
use crate::testing::{START, TestDatabase};
use crate::{Backend, Domain};

const LEASE: Millis = 30_000;

fn read_job(key: &str) -> NewJob {
    NewJob::new(Kind::ReadJob, key)
}

async fn submitted(domain: &Domain, job: NewJob) -> Submitted {
    submit(domain.db().write(), domain, job).await.unwrap()
}

async fn claimed(domain: &Domain, key: &str) -> Claimed {
    let id = submitted(domain, read_job(key)).await.id;
    claim(domain, id, "worker", LEASE).await.unwrap().unwrap()
}

async fn job(domain: &Domain, id: Uuid) -> Job {
    get(domain, id).await.unwrap().unwrap()
}

/// Makes every lease run out, as time would.
async fn let_leases_lapse(domain: &Domain) {
    domain
        .db()
        .write()
        .execute_unprepared("UPDATE job SET lease_until = 1 WHERE state = 'running'")
        .await
        .unwrap();
}

#[tokio::test]
async fn a_second_submission_joins_the_live_job() {
    for db in TestDatabase::each().await {
        let first = submitted(&db.domain, read_job("a")).await;
        let second = submitted(&db.domain, read_job("a")).await;
        assert!(!first.joined && first.to_push);
        assert!(second.joined && !second.to_push);
        assert_eq!(first.id, second.id);
        assert_ne!(first.id, submitted(&db.domain, read_job("b")).await.id);
        assert_ne!(first.id, submitted(&db.domain, NewJob::new(Kind::Extraction, "a")).await.id);
    }
}

#[tokio::test]
async fn the_same_work_may_be_submitted_again_when_it_is_over() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        complete(&db.domain, &first).await.unwrap();
        let again = submitted(&db.domain, read_job("a")).await;
        assert!(!again.joined);
        assert_ne!(again.id, first.id);
    }
}

#[tokio::test]
async fn submissions_that_race_make_one_row() {
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
        assert_eq!(tally(&db.domain, Kind::ReadJob, State::Ready).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_submission_is_undone_with_its_reason() {
    for db in TestDatabase::each().await {
        let transaction = db.domain.db().begin().await.unwrap();
        let result = submit(&transaction, &db.domain, read_job("a")).await.unwrap();
        transaction.rollback().await.unwrap();
        assert_eq!(get(&db.domain, result.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn joining_raises_the_priority_and_never_lowers_it() {
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
async fn a_full_queue_refuses_new_work_but_lets_callers_join() {
    for db in TestDatabase::each().await {
        let capacity = Kind::Extraction.rules().capacity.unwrap();
        let transaction = db.domain.db().begin().await.unwrap();
        let many = "INSERT INTO job (id, kind, key, payload, priority, run_at, state, attempts, fence, created_at) \
                    VALUES ($1, 'extraction', $2, '{}', $3, 0, 'ready', 0, 0, 0)";
        for number in 0..capacity {
            let priority = Priority::ALL[number as usize % 4].as_i16();
            let values = [db.domain.new_id().into(), format!("k{number}").into(), priority.into()];
            transaction.execute_raw(statement(&transaction, many, values)).await.unwrap();
        }
        transaction.commit().await.unwrap();
        let refused = submit(db.domain.db().write(), &db.domain, NewJob::new(Kind::Extraction, "new")).await;
        assert_eq!(refused.unwrap_err().code(), "capacity_exhausted");
        assert!(submitted(&db.domain, NewJob::new(Kind::Extraction, "k7")).await.joined);
        assert!(!submitted(&db.domain, read_job("another kind")).await.joined);
    }
}

#[tokio::test]
async fn a_payload_that_is_a_body_is_refused() {
    let long = "x".repeat(20_000);
    assert!(read_job("a").payload(&long).is_err());
}

#[tokio::test]
async fn one_of_many_claims_wins() {
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
        assert_eq!(job(&db.domain, id).await.state, State::Running);
    }
}

#[tokio::test]
async fn a_job_is_not_claimed_before_its_time() {
    for db in TestDatabase::each().await {
        let later = submitted(&db.domain, read_job("a").run_at(START + 1_000)).await;
        assert!(!later.to_push);
        assert_eq!(claim(&db.domain, later.id, "w", LEASE).await.unwrap(), None);
        assert_eq!(due_batch(&db.domain, Kind::ReadJob, 10).await.unwrap(), vec![]);
        db.clock.advance(1_000);
        assert_eq!(due_batch(&db.domain, Kind::ReadJob, 10).await.unwrap().len(), 1);
        assert!(claim(&db.domain, later.id, "w", LEASE).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn rows_go_or_stay_when_they_complete_as_their_kind_says() {
    for db in TestDatabase::each().await {
        let stays = claimed(&db.domain, "a").await;
        complete(&db.domain, &stays).await.unwrap();
        assert_eq!(job(&db.domain, stays.id).await.state, State::Complete);
        let goes = submitted(&db.domain, NewJob::new(Kind::Extraction, "a")).await;
        let goes = claim(&db.domain, goes.id, "w", LEASE).await.unwrap().unwrap();
        complete(&db.domain, &goes).await.unwrap();
        assert_eq!(get(&db.domain, goes.id).await.unwrap(), None);
    }
}

#[tokio::test]
async fn the_effect_of_a_zombie_is_rolled_back() {
    for db in TestDatabase::each().await {
        let zombie = claimed(&db.domain, "a").await;
        let_leases_lapse(&db.domain).await;
        assert_eq!(lapsed(&db.domain).await.unwrap().revived, 1);
        let second = claim(&db.domain, zombie.id, "other", LEASE).await.unwrap().unwrap();
        assert_eq!((second.attempt, second.fence), (2, 2));

        let transaction = db.domain.db().begin().await.unwrap();
        let effect = submit(&transaction, &db.domain, read_job("effect")).await.unwrap();
        let error = complete_in(&transaction, &db.domain, &zombie).await.unwrap_err();
        assert!(is_lease_lost(&error));
        drop(transaction);
        assert_eq!(get(&db.domain, effect.id).await.unwrap(), None);

        assert!(is_lease_lost(&renew(&db.domain, &zombie, LEASE).await.unwrap_err()));
        assert!(is_lease_lost(&release(&db.domain, &zombie).await.unwrap_err()));
        let late = retry_in(db.domain.db().write(), &db.domain, &zombie, None, ("x", "y")).await;
        assert!(is_lease_lost(&late.unwrap_err()));
        let late = fail_in(db.domain.db().write(), &db.domain, &zombie, ("x", "y")).await;
        assert!(is_lease_lost(&late.unwrap_err()));
        complete(&db.domain, &second).await.unwrap();
    }
}

#[tokio::test]
async fn a_zombie_cannot_write_while_its_job_waits_either() {
    for db in TestDatabase::each().await {
        let zombie = claimed(&db.domain, "a").await;
        let_leases_lapse(&db.domain).await;
        lapsed(&db.domain).await.unwrap();
        assert!(is_lease_lost(&complete(&db.domain, &zombie).await.unwrap_err()));
        assert_eq!(job(&db.domain, zombie.id).await.state, State::Ready);
    }
}

#[tokio::test]
async fn a_renewed_lease_does_not_lapse() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        let_leases_lapse(&db.domain).await;
        renew(&db.domain, &running, LEASE).await.unwrap();
        assert_eq!(lapsed(&db.domain).await.unwrap(), Lapsed::default());
        // The clock of the handle has no say in leases.
        db.clock.advance(24 * 60 * 60 * 1_000);
        assert_eq!(lapsed(&db.domain).await.unwrap(), Lapsed::default());
    }
}

#[tokio::test]
async fn a_job_that_never_ends_is_dead_after_three_starts() {
    for db in TestDatabase::each().await {
        let id = submitted(&db.domain, read_job("poison")).await.id;
        for start in 1..=3 {
            assert_eq!(claim(&db.domain, id, "w", LEASE).await.unwrap().unwrap().attempt, start);
            let_leases_lapse(&db.domain).await;
            let result = lapsed(&db.domain).await.unwrap();
            assert_eq!(result.revived, u64::from(start < 3));
            assert_eq!(result.dead.len(), usize::from(start == 3));
        }
        let dead = job(&db.domain, id).await;
        assert_eq!((dead.state, dead.error_code.as_deref()), (State::Dead, Some(WORKER_LOST)));
        assert_eq!(dead.finished_at, Some(START));
        assert_eq!(claim(&db.domain, id, "w", LEASE).await.unwrap(), None);

        assert_eq!(retry_by_hand(&db.domain, id).await.unwrap().attempts, 0);
        assert!(claim(&db.domain, id, "w", LEASE).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn retries_wait_as_told_and_the_last_error_is_final() {
    for db in TestDatabase::each().await {
        let first = claimed(&db.domain, "a").await;
        let error = ("fetch_timeout", "It took too long.");
        let write = db.domain.db().write();
        let outcome = retry_in(write, &db.domain, &first, Some(2_000), error).await.unwrap();
        assert_eq!(outcome, Outcome::Retried { run_at: START + 2_000 });
        assert_eq!(claim(&db.domain, first.id, "w", LEASE).await.unwrap(), None);

        db.clock.advance(2_000);
        let second = claim(&db.domain, first.id, "w", LEASE).await.unwrap().unwrap();
        let Outcome::Retried { run_at } = retry_in(write, &db.domain, &second, None, error).await.unwrap()
        else {
            panic!("a start is left");
        };
        let delay = run_at - START - 2_000;
        assert!((3_200..=4_000).contains(&delay), "the second backoff is {delay} ms");

        db.clock.advance(delay);
        let third = claim(&db.domain, first.id, "w", LEASE).await.unwrap().unwrap();
        assert!(third.is_last_attempt());
        let outcome = retry_in(write, &db.domain, &third, None, error).await.unwrap();
        assert_eq!(outcome, Outcome::Failed);
        let failed = job(&db.domain, first.id).await;
        assert_eq!((failed.state, failed.error_code.as_deref()), (State::Failed, Some("fetch_timeout")));
    }
}

#[tokio::test]
async fn an_error_text_is_kept_short_and_free_of_nul() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        let text = format!("\0{}", "ä".repeat(2_000));
        fail_in(db.domain.db().write(), &db.domain, &running, ("x", &text)).await.unwrap();
        assert_eq!(job(&db.domain, running.id).await.error_message.unwrap(), "ä".repeat(500));
    }
}

#[tokio::test]
async fn a_job_handed_back_has_not_been_started() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        release(&db.domain, &running).await.unwrap();
        let after = job(&db.domain, running.id).await;
        assert_eq!((after.state, after.attempts), (State::Ready, 0));
        let again = claim(&db.domain, running.id, "w", LEASE).await.unwrap().unwrap();
        assert_eq!((again.attempt, again.fence), (1, 2));
    }
}

#[tokio::test]
async fn a_cancelled_job_is_over_and_its_worker_writes_nothing() {
    for db in TestDatabase::each().await {
        let running = claimed(&db.domain, "a").await;
        let cancelled = cancel(&db.domain, running.id).await.unwrap();
        assert_eq!((cancelled.state, cancelled.error_code.as_deref()), (State::Failed, Some(CANCELLED)));
        assert!(is_lease_lost(&complete(&db.domain, &running).await.unwrap_err()));
        assert_eq!(cancel(&db.domain, running.id).await.unwrap_err().code(), "conflict");
        assert_eq!(cancel(&db.domain, db.domain.new_id()).await.unwrap_err().code(), "not_found");
    }
}

#[tokio::test]
async fn a_retry_by_hand_does_not_double_work_that_was_submitted_again() {
    for db in TestDatabase::each().await {
        let old = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(retry_by_hand(&db.domain, old).await.unwrap_err().code(), "conflict");
        cancel(&db.domain, old).await.unwrap();
        let new = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(retry_by_hand(&db.domain, old).await.unwrap_err().code(), "conflict");
        cancel(&db.domain, new).await.unwrap();
        assert_eq!(retry_by_hand(&db.domain, old).await.unwrap().state, State::Ready);
    }
}

#[tokio::test]
async fn the_sweep_takes_the_most_urgent_first_and_then_the_oldest() {
    for db in TestDatabase::each().await {
        let mut expected = Vec::new();
        for (priority, run_at) in [
            (Priority::Normal, START - 5),
            (Priority::Urgent, START - 1),
            (Priority::Urgent, START - 9),
            (Priority::Low, START - 99),
            (Priority::High, START - 2),
        ] {
            let job = read_job(&format!("{priority:?}{run_at}")).priority(priority).run_at(run_at);
            expected.push((std::cmp::Reverse(priority), run_at, submitted(&db.domain, job).await.id));
        }
        expected.sort();
        let ids: Vec<Uuid> = expected.into_iter().map(|(_, _, id)| id).collect();
        assert_eq!(due_batch(&db.domain, Kind::ReadJob, 10).await.unwrap(), vec![], "all are on their way");

        unmark_pushed(&db.domain, &ids).await.unwrap();
        let first: Vec<Uuid> =
            due_batch(&db.domain, Kind::ReadJob, 3).await.unwrap().iter().map(|due| due.id).collect();
        assert_eq!(first, ids[..3]);
        let rest: Vec<Uuid> =
            due_batch(&db.domain, Kind::ReadJob, 10).await.unwrap().iter().map(|due| due.id).collect();
        assert_eq!(rest, ids[3..]);
        assert_eq!(due_batch(&db.domain, Kind::Extraction, 10).await.unwrap(), vec![]);
    }
}

#[tokio::test]
async fn what_a_queue_lost_is_found_again() {
    for db in TestDatabase::each().await {
        let lost = submitted(&db.domain, read_job("a")).await.id;
        assert_eq!(lost_batch(&db.domain, Kind::ReadJob, 10_000, 10).await.unwrap(), vec![]);
        let found = lost_batch(&db.domain, Kind::ReadJob, 0, 10).await.unwrap();
        assert_eq!(found.iter().map(|due| due.id).collect::<Vec<_>>(), [lost]);
    }
}

#[tokio::test]
async fn waiting_jobs_are_counted_and_the_oldest_is_known() {
    for db in TestDatabase::each().await {
        let read = db.domain.db().read();
        assert_eq!(oldest_due(read, Kind::ReadJob, START).await.unwrap(), None);
        let one = submitted(&db.domain, read_job("a").run_at(START - 7)).await;
        unmark_pushed(&db.domain, &[one.id]).await.unwrap();
        let _ = submitted(&db.domain, read_job("b").run_at(START - 3)).await;
        let _ = submitted(&db.domain, read_job("later").run_at(START + 3)).await;
        assert_eq!(waiting(read, Kind::ReadJob, START, 100).await.unwrap(), 2);
        assert_eq!(waiting(read, Kind::ReadJob, START, 1).await.unwrap(), 1);
        assert_eq!(oldest_due(read, Kind::ReadJob, START).await.unwrap(), Some(START - 7));
        claim(&db.domain, one.id, "w", LEASE).await.unwrap().unwrap();
        assert_eq!(running(read, Kind::ReadJob).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn finished_rows_are_deleted_when_their_time_is_up() {
    for db in TestDatabase::each().await {
        let done = claimed(&db.domain, "a").await;
        complete(&db.domain, &done).await.unwrap();
        let _ = submitted(&db.domain, read_job("live")).await;
        db.clock.advance(Kind::ReadJob.rules().keep_finished_ms - 1);
        assert_eq!(delete_finished(&db.domain).await.unwrap(), 0);
        db.clock.advance(1);
        assert_eq!(delete_finished(&db.domain).await.unwrap(), 1);
        let left = list(&db.domain, &Filter::default()).await.unwrap();
        assert_eq!(left.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["live"]);
    }
}

#[tokio::test]
async fn lists_are_filtered_and_paged() {
    for db in TestDatabase::each().await {
        for number in 0..5 {
            db.clock.advance(1);
            let _ = submitted(&db.domain, read_job(&number.to_string())).await;
        }
        let _ = submitted(&db.domain, NewJob::new(Kind::Extraction, "x")).await;
        let filter = Filter { kind: Some(Kind::ReadJob), state: Some(State::Ready), limit: 3, after: None };
        let page = list(&db.domain, &filter).await.unwrap();
        assert_eq!(page.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["4", "3", "2"]);
        let next = Filter { after: Some(page[2].id), ..filter };
        let page = list(&db.domain, &next).await.unwrap();
        assert_eq!(page.iter().map(|job| job.key.as_str()).collect::<Vec<_>>(), ["1", "0"]);
    }
}

/// Whatever the engine asks all day long must be answered from an index, however much is stored.
#[tokio::test]
async fn the_engines_questions_are_answered_from_indexes() {
    let db = TestDatabase::create(Backend::Sqlite).await;
    let questions = [
        "SELECT id FROM job WHERE state = 'ready' AND kind = 'a' AND pushed_at IS NULL AND priority = 0 \
         AND run_at <= 5 ORDER BY run_at LIMIT 5",
        "SELECT id FROM job WHERE state = 'ready' AND kind = 'a' AND pushed_at <= 5 ORDER BY pushed_at LIMIT 5",
        "SELECT id FROM job WHERE state = 'running' AND lease_until <= 5 AND kind = 'a' LIMIT 5",
        "SELECT id FROM job WHERE kind = 'a' AND state = 'dead' AND finished_at <= 5 LIMIT 5",
        "SELECT * FROM job WHERE kind = 'a' AND key = 'b' AND state IN ('ready', 'running')",
        "UPDATE job SET state = 'running' WHERE id = x'00' AND state = 'ready' AND run_at <= 5",
    ];
    for question in questions {
        let explain = format!("EXPLAIN QUERY PLAN {question}");
        let read = db.domain.db().write();
        let rows = read.query_all_raw(statement(read, &explain, [])).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.try_get("", "detail").unwrap()).collect();
        assert!(plan.iter().all(|line| line.starts_with("SEARCH")), "{question}: {plan:?}");
    }
}

#[test]
fn words_of_kinds_are_unique_and_come_back() {
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.as_str()), Some(*kind));
    }
    assert_eq!(Kind::parse("nothing"), None);
}

proptest! {
    #[test]
    fn backoff_grows_is_capped_and_loses_at_most_a_fifth(attempts in 1_u32..200, jitter: u8) {
        let rules = Kind::Extraction.rules();
        let delay = rules.backoff_ms(attempts, jitter);
        let full = rules.backoff_ms(attempts, 0);
        prop_assert!(full <= rules.backoff_cap_ms && full >= rules.backoff_base_ms);
        prop_assert!(delay <= full && delay >= full * 4 / 5);
        prop_assert!(rules.backoff_ms(attempts + 1, 0) >= full);
    }

    #[test]
    fn priorities_survive_the_table(index in 0_usize..4, odd: i16) {
        let level = Priority::ALL[index];
        prop_assert_eq!(Priority::from_i16(level.as_i16()), level);
        let rounded = Priority::from_i16(odd);
        prop_assert!(rounded.as_i16() <= odd || rounded == Priority::Low);
    }
}

//! Tests of batches: members fail independently, and each receives its own result.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use entities::ids::JobId;
use sea_orm::sqlx::{self, Row};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::super::job_batch::BATCH_STATEMENT;
use super::*;
use kernel::db::{DriverPool, Durable};
use kernel::{Code, Policy, Result};

const SOON: Duration = Duration::from_mins(1);

/// Submits all keys concurrently, in their order.
async fn submit_concurrently(domain: &Domain, keys: &[&str]) -> Vec<Result<Submitted>> {
    let submits = keys.iter().map(|key| submit_batched(domain, read_job(key)));
    futures_util::future::join_all(submits).await
}

async fn submit_and_claim(domain: &Domain, keys: &[&str]) -> Vec<Claimed> {
    let submitted = submit_concurrently(domain, keys).await;
    let ids: Vec<JobId> = submitted.into_iter().map(|job| job.unwrap().id).collect();
    let mut claims = claim_all(domain, &ids, "group-1", LEASE).await.unwrap();
    claims.sort_by_key(|claimed| ids.iter().position(|id| *id == claimed.id));
    claims
}

#[tokio::test]
async fn concurrent_submits_insert_one_row_per_key() {
    for db in TestDatabase::each().await {
        let keys = ["c", "a", "b", "a", "d", "a"];
        let all: Vec<Submitted> =
            submit_concurrently(&db.domain, &keys).await.into_iter().map(Result::unwrap).collect();
        assert_eq!(all.iter().filter(|job| !job.joined && job.to_push).count(), 4);
        assert_eq!((all[1].id, all[1].id), (all[3].id, all[5].id));
        for (submitted, key) in all.iter().zip(keys) {
            let row = job(&db.domain, submitted.id).await;
            assert_eq!((row.key.as_str(), row.state, row.run_at), (key, JobState::Ready, START));
        }
        let future_job = read_job("later").run_at(START + 500).priority(Priority::Low);
        let future_job = submit_batched(&db.domain, future_job).await.unwrap();
        assert!(!future_job.to_push);
        let row = job(&db.domain, future_job.id).await;
        assert_eq!((row.run_at, row.priority), (START + 500, Priority::Low));
    }
}

/// Makes the database refuse a job with the key `poison`.
async fn refuse_poison(domain: &Domain) {
    let poison = match domain.db().backend() {
        Backend::Sqlite => {
            "CREATE TRIGGER poison BEFORE INSERT ON job WHEN NEW.key = 'poison' \
             BEGIN SELECT RAISE(ABORT, 'poison'); END"
        }
        Backend::Postgres => "ALTER TABLE job ADD CONSTRAINT poison CHECK (key <> 'poison')",
    };
    domain.db().write().execute_unprepared(poison).await.unwrap();
}

#[tokio::test]
async fn submits_and_completions_get_individual_results_if_the_batch_fails() {
    for db in TestDatabase::each().await {
        let domain = &db.domain;
        refuse_poison(domain).await;
        for (round, last) in ["fine", "poison"].into_iter().enumerate() {
            let key = |name: &str| format!("{name}-{round}");
            let stays = submit_and_claim(domain, &[&key("a"), &key("b")]).await;
            cancel(domain, stays[1].id).await.unwrap();
            let mail = submit_batched(domain, NewJob::new(JobKind::Mail, key("m"))).await.unwrap();
            let goes = claim_all(domain, &[mail.id], "group-2", LEASE).await.unwrap();
            let completions = [&stays[0], &stays[1], &goes[0]].map(|claimed| complete(domain, claimed));
            let keys = [key("c"), key("d"), last.to_owned()];
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let (ended, submitted) =
                tokio::join!(futures_util::future::join_all(completions), submit_concurrently(domain, &keys));
            let is_lost = |end: &Result<()>| end.as_ref().is_err_and(is_lease_lost);
            assert_eq!(ended.iter().map(is_lost).collect::<Vec<bool>>(), [false, true, false], "{ended:?}");
            let is_refused: Vec<bool> = submitted.iter().map(Result::is_err).collect();
            assert_eq!(is_refused, [false, false, last == "poison"], "{submitted:?}");
            assert_eq!(get(domain, stays[0].id).await.unwrap().unwrap().state, JobState::Complete);
            assert!(
                get(domain, mail.id).await.unwrap().is_none(),
                "the row of a completed mail job is deleted"
            );
        }
    }
}

#[tokio::test]
async fn failing_member_does_not_fail_its_batch() {
    for db in TestDatabase::each().await {
        refuse_poison(&db.domain).await;
        let all = submit_concurrently(&db.domain, &["a", "b", "poison", "c", "d", "e", "f"]).await;
        let failures: Vec<usize> =
            all.iter().enumerate().filter(|(_, job)| job.is_err()).map(|(at, _)| at).collect();
        assert_eq!(failures, [2]);
        assert_eq!(count_in_state(&db.domain, JobKind::ReadJob, JobState::Ready).await.unwrap(), 6);
    }
}

#[tokio::test]
async fn submit_blocked_by_another_transaction_does_not_block_other_submits() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let other = db.second_handle().await;
    let transaction = other.db().begin().await.unwrap();
    submit(&transaction, &other, read_job("held")).await.unwrap();
    let waiting = tokio::spawn({
        let domain = db.domain.clone();
        async move { submit_batched(&domain, read_job("held")).await }
    });
    tokio::task::yield_now().await;
    let free = timeout(SOON, submit_concurrently(&db.domain, &["a", "b", "c"]))
        .await
        .expect("submits with other keys do not wait");
    assert!(free.iter().all(|job| job.as_ref().is_ok_and(|job| !job.joined)));
    assert!(!waiting.is_finished());
    transaction.rollback().await.unwrap();
    assert!(!waiting.await.unwrap().unwrap().joined);
}

#[tokio::test]
async fn batch_does_not_exceed_the_capacity() {
    for mut db in TestDatabase::each().await {
        let policy = Policy { max_waiting_extractions: Some(4), ..Policy::default() };
        db.domain = db.domain.with_policy(policy);
        let submits = (0..20)
            .map(|number| submit_batched(&db.domain, NewJob::new(JobKind::Extraction, number.to_string())));
        let all = futures_util::future::join_all(submits).await;
        let (taken, refused): (Vec<_>, Vec<_>) = all.into_iter().partition(Result::is_ok);
        assert_eq!(taken.len(), 4);
        assert!(refused.into_iter().all(|job| job.unwrap_err().code == Code::CapacityExhausted));
        let joins = submit_batched(&db.domain, NewJob::new(JobKind::Extraction, "0")).await.unwrap();
        assert!(joins.joined, "joining a live job is always allowed");
    }
}

#[tokio::test]
async fn batch_claim_returns_each_ready_and_due_job_without_duplicates() {
    for db in TestDatabase::each().await {
        let ids: Vec<JobId> = submit_concurrently(&db.domain, &["a", "b", "c"])
            .await
            .into_iter()
            .map(|job| job.unwrap().id)
            .collect();
        let future_id = submitted(&db.domain, read_job("later").run_at(START + 1)).await.id;
        claim(&db.domain, ids[1], "other", LEASE).await.unwrap().unwrap();
        let requested = [ids[0], ids[1], ids[2], ids[0], future_id, db.domain.new_id()];
        let claims = claim_all(&db.domain, &requested, "group-1", LEASE).await.unwrap();
        let taken: HashSet<JobId> = claims.iter().map(|claimed| claimed.id).collect();
        assert_eq!(taken, HashSet::from([ids[0], ids[2]]));
        assert!(claims.iter().all(|claimed| (claimed.attempt, claimed.fence) == (1, 1)));
        assert_eq!(claim_all(&db.domain, &requested, "group-2", LEASE).await.unwrap(), vec![]);
        // Reading the row separately gives the same claim.
        let single = Claimed::try_from(job(&db.domain, ids[0]).await).unwrap();
        assert!(claims.contains(&single));
        assert_eq!(resume_claims(&db.domain, &requested, "group-2", LEASE).await.unwrap(), vec![]);
        let mut resumed = resume_claims(&db.domain, &requested, "group-1", LEASE).await.unwrap();
        resumed.sort_by_key(|claimed| claims.iter().position(|other| other.id == claimed.id));
        assert_eq!(resumed, claims, "resuming does not count another attempt");
    }
}

#[tokio::test]
async fn claim_skips_a_locked_row_and_claims_it_after_the_lock_is_released() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let ids: Vec<JobId> =
        submit_concurrently(&db.domain, &["a", "b"]).await.into_iter().map(|job| job.unwrap().id).collect();
    let holder = db.domain.db().begin().await.unwrap();
    let hold = "SELECT id FROM job WHERE key = 'a' FOR UPDATE";
    holder.execute_unprepared(hold).await.unwrap();
    let claims = timeout(SOON, claim_all(&db.domain, &ids, "group-1", LEASE)).await.unwrap().unwrap();
    assert_eq!(claims.iter().map(|claimed| claimed.id).collect::<Vec<_>>(), [ids[1]]);
    assert_eq!(still_in_transport(&db.domain, &ids).await.unwrap(), HashSet::from([ids[0]]));
    holder.rollback().await.unwrap();
    assert_eq!(claim_all(&db.domain, &ids, "group-2", LEASE).await.unwrap().len(), 1);
}

#[tokio::test]
async fn concurrent_completions_refuse_only_lost_leases() {
    for db in TestDatabase::each().await {
        let claims = submit_and_claim(&db.domain, &["a", "b", "c", "d"]).await;
        // One job is cancelled, and another job now belongs to another worker.
        cancel(&db.domain, claims[1].id).await.unwrap();
        let sql = "UPDATE job SET lease_until = 1 WHERE key = 'c'";
        db.domain.db().write().execute_unprepared(sql).await.unwrap();
        expire_leases(&db.domain).await.unwrap();
        let second = claim(&db.domain, claims[2].id, "other", LEASE).await.unwrap().unwrap();
        let completing: Vec<&Claimed> = claims.iter().chain([&second]).collect();
        let ended =
            futures_util::future::join_all(completing.iter().map(|claimed| complete(&db.domain, claimed)))
                .await;
        let lost: Vec<bool> = ended.iter().map(|end| end.as_ref().is_err_and(is_lease_lost)).collect();
        assert_eq!(lost, [false, true, true, false, false]);
        assert_eq!(count_in_state(&db.domain, JobKind::ReadJob, JobState::Complete).await.unwrap(), 3);
    }
}

#[tokio::test]
async fn queued_completion_releases_the_slot_and_fails_if_the_lease_is_lost() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let claims = submit_and_claim(&db.domain, &["a"]).await;
    let slots = Arc::new(Semaphore::new(1));
    let permit = SlotPermit::new(slots.clone().acquire_owned().await.unwrap());
    let claimed = claims[0].clone().with_slot(permit);
    // Another transaction has changed the row, and the completion must wait for it.
    let holder = db.domain.db().begin().await.unwrap();
    cancel_in(&holder, &db.domain, claimed.id).await.unwrap();
    let ending = tokio::spawn({
        let (domain, claimed) = (db.domain.clone(), claimed.clone());
        async move { complete(&domain, &claimed).await }
    });
    let free = timeout(SOON, slots.acquire()).await;
    assert!(free.is_ok(), "the slot of the completing job is free");
    assert!(!ending.is_finished(), "the completion has not been written yet");
    holder.commit().await.unwrap();
    assert!(is_lease_lost(&ending.await.unwrap().unwrap_err()));
    assert_eq!(job(&db.domain, claimed.id).await.state, JobState::Failed);
}

#[tokio::test]
async fn deleting_and_retaining_kinds_complete_concurrently() {
    for db in TestDatabase::each().await {
        let mut claims = submit_and_claim(&db.domain, &["a", "b"]).await;
        for key in ["a", "b"] {
            let goes = submitted(&db.domain, NewJob::new(JobKind::MonitorRun, key)).await.id;
            claims.push(claim(&db.domain, goes, "w", LEASE).await.unwrap().unwrap());
        }
        let ended =
            futures_util::future::join_all(claims.iter().map(|claimed| complete(&db.domain, claimed))).await;
        assert!(ended.iter().all(Result::is_ok));
        let left = list(&db.domain, &JobFilter::default()).await.unwrap();
        assert!(left.len() == 2 && left.iter().all(|job| job.state == JobState::Complete));
    }
}

#[tokio::test]
async fn batch_renewal_reports_lost_leases() {
    for db in TestDatabase::each().await {
        let claims = submit_and_claim(&db.domain, &["a", "b", "c"]).await;
        let claim_ids: Vec<ClaimId> = claims.iter().map(ClaimId::from).collect();
        cancel(&db.domain, claims[1].id).await.unwrap();
        expire_all_leases(&db.domain).await;
        assert_eq!(renew_all(&db.domain, &claim_ids, LEASE).await.unwrap(), [claim_ids[1].clone()]);
        assert_eq!(expire_leases(&db.domain).await.unwrap(), ExpiredLeases::default());
    }
}

#[tokio::test]
async fn renewal_skips_a_row_whose_effect_is_being_written() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let claims = submit_and_claim(&db.domain, &["a", "b"]).await;
    let claim_ids: Vec<ClaimId> = claims.iter().map(ClaimId::from).collect();
    let effect = db.domain.db().begin().await.unwrap();
    complete_in(&effect, &db.domain, &claims[0]).await.unwrap();
    let renewed = timeout(SOON, renew_all(&db.domain, &claim_ids, LEASE))
        .await
        .expect("renewing leases does not wait for locked rows");
    assert_eq!(renewed.unwrap(), vec![]);
    effect.commit().await.unwrap();
    assert_eq!(renew_all(&db.domain, &claim_ids, LEASE).await.unwrap(), [claim_ids[0].clone()]);
}

/// Submits and completions are durable when they are acknowledged. Claims need not be durable.
#[tokio::test]
async fn only_claims_commit_asynchronously_and_only_engine_plans_are_generic() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let sql = "SELECT setting || ' by ' || source FROM pg_settings WHERE name = $1";
    let setting = async |pool: &sqlx::PgPool, name: &'static str| {
        let row = sqlx::query::<sqlx::Postgres>(sql).bind(name).fetch_one(pool).await.unwrap();
        row.get::<String, _>(0)
    };
    let database = db.domain.db();
    let durable = async |name: &'static str| {
        let Durable::Postgres(durable) = database.durable() else { panic!("this is PostgreSQL") };
        durable.fetch(sqlx::query(sql).bind(name)).await.unwrap()[0].get::<String, _>(0)
    };
    let DriverPool::Postgres(quick) = database.quick() else { panic!("this is PostgreSQL") };
    assert_eq!(setting(quick, "synchronous_commit").await, "off by client");
    assert!(!durable("synchronous_commit").await.ends_with("by client"));
    let common = database.read().get_postgres_connection_pool();
    assert_eq!(setting(common, "plan_cache_mode").await, "force_custom_plan by client");
    let generic_plan = "force_generic_plan by client";
    assert_eq!(setting(quick, "plan_cache_mode").await, generic_plan);
    assert_eq!(durable("plan_cache_mode").await, generic_plan);
}

/// A queue is usually empty, so a plan that scans the table seems cheap. A generic plan that is chosen at
/// such a time would still be used with a million stored jobs.
#[tokio::test]
async fn query_plans_for_an_empty_queue_use_the_primary_key() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let DriverPool::Postgres(pool) = db.domain.db().quick() else { panic!("this is PostgreSQL") };
    let mut connection = pool.acquire().await.unwrap();
    for (number, statement) in
        sql::BY_ID_STATEMENTS.into_iter().chain([next::CLAIM_NEXT, BATCH_STATEMENT]).enumerate()
    {
        let prepare = format!("PREPARE s{number} AS {statement}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(prepare)).execute(&mut *connection).await.unwrap();
        let most = (1..=20).filter(|value| statement.contains(&format!("${value}"))).count();
        let explain = format!("EXPLAIN EXECUTE s{number}({})", vec!["NULL"; most].join(", "));
        let rows = sqlx::raw_sql(sqlx::AssertSqlSafe(explain)).fetch_all(&mut *connection).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains("job_pkey") && !plan.contains("Seq Scan on job "), "{statement}\n{plan}");
        if statement == next::CLAIM_NEXT {
            assert!(plan.contains("job_due") && !plan.contains("Sort"), "{statement}\n{plan}");
        }
    }
}

#[tokio::test]
async fn job_indexes_do_not_contain_columns_that_a_claim_changes() {
    for db in TestDatabase::each().await {
        let read = db.domain.db().read();
        let sql = match db.domain.db().backend() {
            Backend::Sqlite => {
                "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'job' AND sql <> ''"
            }
            Backend::Postgres => "SELECT indexdef FROM pg_indexes WHERE tablename = 'job'",
        };
        let rows = read.query_all_raw(statement(read, sql, [])).await.unwrap();
        assert!(rows.len() >= 3);
        for row in rows {
            let index: String = row.try_get_by_index(0).unwrap();
            for column in ["state", "lease_until", "fence", "attempts", "worker", "started_at", "pushed_at"] {
                assert!(!index.contains(column), "{index}");
            }
        }
    }
}

#[tokio::test]
async fn broken_connections_between_batches_lose_neither_submits_nor_claims() {
    let db = TestDatabase::create(Backend::Postgres).await;
    let other = db.second_handle().await;
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    for round in 0..4 {
        let id = submit_batched(&other, read_job(&round.to_string())).await.unwrap().id;
        let claims = claim_all(&other, &[id], "w", LEASE).await;
        db.domain.db().write().execute_unprepared(cut).await.unwrap();
        // A worker retries a failed claim. A submit must succeed at the first attempt.
        if let Ok(claims) = claims {
            complete(&other, &claims[0]).await.unwrap();
        }
    }
}

#[tokio::test]
async fn survey_reports_kinds_with_work_to_do() {
    for db in TestDatabase::each().await {
        assert_eq!(survey(&db.domain, 10_000).await.unwrap(), vec![]);
        let pushed_id = submitted(&db.domain, read_job("sent").run_at(START - 5)).await.id;
        let running = submitted(&db.domain, NewJob::new(JobKind::MonitorRun, "runs")).await.id;
        claim(&db.domain, running, "w", LEASE).await.unwrap().unwrap();
        let _ = submitted(&db.domain, NewJob::new(JobKind::Mail, "later").run_at(START + 5)).await;
        let of = async |kind, lost_after| {
            let all = survey(&db.domain, lost_after).await.unwrap();
            all.into_iter().find(|survey| survey.kind == kind).unwrap()
        };
        let read_jobs = of(JobKind::ReadJob, 10_000).await;
        assert_eq!((read_jobs.waiting, read_jobs.oldest), (1, Some(START - 5)));
        assert_eq!((read_jobs.has_unsent, read_jobs.has_lapsed), (false, false));
        assert!(of(JobKind::ReadJob, 0).await.has_unsent, "the job was pushed and not claimed");
        unmark_pushed(&db.domain, &[pushed_id]).await.unwrap();
        assert!(of(JobKind::ReadJob, 10_000).await.has_unsent);
        assert!(!of(JobKind::MonitorRun, 10_000).await.has_lapsed);
        assert!(of(JobKind::MonitorRun, 10_000).await.has_running && !read_jobs.has_running);
        expire_all_leases(&db.domain).await;
        assert!(of(JobKind::MonitorRun, 10_000).await.has_lapsed);
        assert_eq!(of(JobKind::Mail, 10_000).await.waiting, 0);
    }
}

#[tokio::test]
async fn one_process_leads_until_it_resigns_or_its_lease_expires() {
    for db in TestDatabase::each().await {
        let mut candidates = JoinSet::new();
        for number in 0..8 {
            let domain = db.domain.clone();
            candidates.spawn(async move { lead(&domain, &format!("s{number}"), 60_000).await.unwrap() });
        }
        assert_eq!(candidates.join_all().await.into_iter().filter(|leads| *leads).count(), 1);
        let write = db.domain.db().write();
        write.execute_unprepared("UPDATE scheduler_leader SET until = 1").await.unwrap();
        assert!(lead(&db.domain, "next", 60_000).await.unwrap());
        assert!(lead(&db.domain, "next", 60_000).await.unwrap(), "the leader renews its lease");
        assert!(!lead(&db.domain, "other", 60_000).await.unwrap());
        resign(&db.domain, "other").await.unwrap();
        assert!(!lead(&db.domain, "other", 60_000).await.unwrap(), "only the leader can resign");
        resign(&db.domain, "next").await.unwrap();
        assert!(lead(&db.domain, "other", 60_000).await.unwrap());
    }
}

//! Batch jobs: the runs that they contain, and recovery after a lost worker. The results of runs are covered
//! by the integration tests.

use std::collections::HashSet;

use entities::ids::JobId;
use entities::monitor_run;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ConnectionTrait, PaginatorTrait};

use super::*;
use crate::args::BrowserJobOwner;
use crate::tests::{create_monitor, create_monitor_as, page};
use crate::{Definition, Edit, Rendering, Status, claim_due, delete, get, give_up_run, run_now, update};
use articles::Payer;
use articles::worker_tools::ToolSettings;
use extract::sandbox::{Pool, PoolSettings};
use jobs::Priority;
use kernel::Policy;
use kernel::clock::{MINUTE, SECOND};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

const MONITORS: usize = 5;

/// Creates monitors of one account and claims them as a batch.
pub(crate) async fn claimed_batch(database: &TestDatabase) -> (Payer, Claimed, MonitorRunBatch) {
    let domain = &database.domain;
    let payer = Payer { account_id: person(domain, Tier::Pro).await, tier: Tier::Pro };
    for number in 0..MONITORS {
        create_monitor(domain, payer.account_id, &format!("https://site{number}.example/page")).await;
    }
    database.clock.advance(MINUTE);
    let jobs = claim_due(domain).await.unwrap();
    assert_eq!(jobs.len(), 1);
    let claimed = claim(domain, jobs[0].id).await;
    let RunJobArgs::Batch(batch) = claimed.arguments().unwrap() else { panic!("{claimed:?}") };
    (payer, claimed, batch)
}

async fn claim(domain: &Domain, id: JobId) -> Claimed {
    jobs::claim(domain, id, "worker", MINUTE).await.unwrap().unwrap()
}

#[tokio::test]
async fn due_monitors_share_one_job_with_separate_runs() {
    for database in TestDatabase::each().await {
        let (_, _, batch) = claimed_batch(&database).await;
        let ids: HashSet<_> = batch.runs.iter().map(|run| (run.monitor_id, run.run_id)).collect();
        assert_eq!((batch.runs.len(), ids.len()), (MONITORS, MONITORS));
        assert!(batch.runs.iter().all(|run| run.due_at <= database.domain.now() && !run.by_hand));
        let contexts = RunContext::load_all(&database.domain, &batch).await.unwrap();
        assert_eq!(contexts.len(), MONITORS);
        assert!(contexts.iter().all(|context| context.subscriber_count == 1 && context.target.is_none()));
        assert!(contexts.iter().all(|context| context.row.next_run_at == Some(batch.until)));
    }
}

#[tokio::test]
async fn batch_of_lost_worker_is_split_into_single_runs() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (payer, batch_job, batch) = claimed_batch(&database).await;
        let [paused, deleted] = [batch.runs[1].monitor_id, batch.runs[3].monitor_id];
        let pause = Edit { status: Some(Status::Paused), ..Edit::default() };
        update(domain, payer.account_id, paused, pause).await.unwrap();
        delete(domain, payer.account_id, deleted).await.unwrap();
        let single = split_batch(domain, &batch_job).await.unwrap().unwrap();
        assert_eq!(single.len(), MONITORS - 2, "paused and deleted monitors are not run");
        assert_eq!(jobs::get(domain, batch_job.id).await.unwrap(), None);
        for job in single {
            let claimed = claim(domain, job.id).await;
            let RunJobArgs::Single(run) = claimed.arguments().unwrap() else { panic!("{claimed:?}") };
            assert!(batch.runs.contains(&run) && claimed.key == run.monitor_id.to_string());
            assert_eq!(split_batch(domain, &claimed).await.unwrap(), None);
        }
        assert!(split_batch(domain, &batch_job).await.is_err(), "a batch is split only once");
    }
}

#[tokio::test]
async fn dead_batch_is_not_a_failure_of_its_monitors() {
    let database = TestDatabase::create(kernel::Backend::Sqlite).await;
    let domain = &database.domain;
    let (payer, claimed, batch) = claimed_batch(&database).await;
    let Claimed { id, kind, key, payload, .. } = claimed;
    give_up_run(domain, &jobs::DeadJob { id, kind, key, payload }).await.unwrap();
    for run in batch.runs {
        let monitor = get(domain, payer.account_id, run.monitor_id).await.unwrap();
        assert_eq!((monitor.last_error, monitor.failure_count), (None, 0));
        assert_eq!(monitor.next_run_at, Some(batch.until), "the monitor is due again when its claim expires");
    }
}

#[tokio::test]
async fn manual_run_joins_live_batch_and_raises_its_priority() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let (payer, batch_job, batch) = claimed_batch(&database).await;
        jobs::release(domain, &batch_job).await.unwrap();
        let args = batch.runs[2];
        let (run, job) = run_now(domain, payer, args.monitor_id).await.unwrap();
        assert_eq!((run.id, job.id, job.joined), (args.run_id, batch_job.id, true));
        let stored = jobs::get(domain, batch_job.id).await.unwrap().unwrap();
        assert_eq!(stored.priority, Priority::High);
        assert_eq!(serde_json::from_str::<MonitorRunBatch>(&stored.payload).unwrap(), batch);
    }
}

#[tokio::test]
async fn monitor_with_manual_run_is_excluded_from_batches() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let payer = Payer { account_id: person(domain, Tier::Pro).await, tier: Tier::Pro };
        let mut ids = Vec::new();
        for number in 0..MONITORS {
            ids.push(
                create_monitor(domain, payer.account_id, &format!("https://site{number}.example/")).await.id,
            );
        }
        let (_, by_hand) = run_now(domain, payer, ids[0]).await.unwrap();
        database.clock.advance(MINUTE);
        let due = claim_due(domain).await.unwrap();
        assert_eq!(due.len(), 1);
        let RunJobArgs::Batch(batch) = claim(domain, due[0].id).await.arguments().unwrap() else { panic!() };
        assert!(batch.runs.len() == MONITORS - 1 && batch.runs.iter().all(|run| run.monitor_id != ids[0]));
        let next = get(domain, payer.account_id, ids[0]).await.unwrap().next_run_at;
        assert_eq!(next, Some(domain.now() + MINUTE), "the monitor is due again a minute later");
        let RunJobArgs::Single(run) = claim(domain, by_hand.id).await.arguments().unwrap() else { panic!() };
        assert!(run.by_hand && run.monitor_id == ids[0]);
    }
}

#[tokio::test]
async fn rendered_monitors_of_a_batch_get_jobs_for_workers_with_a_browser() {
    for database in TestDatabase::each().await {
        let policy = Policy { renders_pages: true, ..Policy::default() };
        let domain = &database.domain.clone().with_policy(policy.clone());
        // No child process is started, because no page is read by the batch.
        let sandbox = Pool::new(PoolSettings::new("/bin/false".into(), Vec::new()));
        let tools = Tools::new(&policy, sandbox, ToolSettings::default()).unwrap();
        let payer = Payer { account_id: person(domain, Tier::Pro).await, tier: Tier::Pro };
        let rendered = Definition { rendering: Some(Rendering::default()), ..page() };
        let mut ids = Vec::new();
        for number in 0..2 {
            let url = format!("https://site{number}.example/page");
            ids.push(create_monitor_as(domain, payer.account_id, &url, rendered.clone()).await.id);
        }
        database.clock.advance(MINUTE);
        let due = claim_due(domain).await.unwrap();
        let batch_job = claim(domain, due[0].id).await;
        let moved = crate::run(domain, &tools, &batch_job).await.unwrap();
        assert_eq!(moved.len(), 2);
        assert!(moved.iter().all(|job| job.kind == JobKind::MonitorRender));
        assert_eq!(jobs::get(domain, batch_job.id).await.unwrap(), None);
        let (_, again) = run_now(domain, payer, ids[0]).await.unwrap();
        database.clock.advance(16 * MINUTE);
        assert!(
            claim_due(domain).await.unwrap().is_empty(),
            "monitors that wait for a browser get no other run"
        );
        let next = get(domain, payer.account_id, ids[0]).await.unwrap().next_run_at;
        assert!(next > Some(domain.now()), "they are due again when the claim expires");
        assert!(again.joined && moved.iter().any(|job| job.id == again.id));
        for job in moved {
            let claimed = claim(domain, job.id).await;
            let RunJobArgs::Single(run) = claimed.arguments().unwrap() else { panic!("{claimed:?}") };
            assert!(ids.contains(&run.monitor_id) && claimed.key == run.monitor_id.to_string());
            let owner: BrowserJobOwner = claimed.arguments().unwrap();
            assert_eq!(owner.account_id, payer.account_id);
            let checked = monitor::ActiveModel {
                id: Set(run.monitor_id),
                last_run_at: Set(Some(domain.now())),
                ..Default::default()
            };
            checked.update(domain.db().write()).await.unwrap();
            assert!(crate::run(domain, &tools, &claimed).await.unwrap().is_empty());
            assert_eq!(jobs::get(domain, job.id).await.unwrap(), None);
        }
        let runs = monitor_run::Entity::owned_by(payer.account_id).count(domain.db().read()).await.unwrap();
        assert_eq!(runs, 0, "a monitor that was checked in the meantime is not checked again");
    }
}

#[tokio::test]
async fn monitors_of_an_expired_batch_are_claimed_by_the_next_batch() {
    let database = TestDatabase::create(kernel::Backend::Sqlite).await;
    let domain = &database.domain;
    let (_, _, old) = claimed_batch(&database).await;
    database.clock.advance(15 * MINUTE + SECOND);
    assert_eq!(claim_due(domain).await.unwrap().len(), 1);
    assert!(RunContext::load_all(domain, &old).await.unwrap().is_empty());
}

/// Payloads that were written before batches existed have the format of single runs.
#[tokio::test]
async fn payload_from_before_batches_is_a_single_run() {
    let database = TestDatabase::create(kernel::Backend::Sqlite).await;
    let domain = &database.domain;
    let who = person(domain, Tier::Pro).await;
    let id = create_monitor(domain, who, "https://site.example/page").await.id;
    let run_id: entities::ids::MonitorRunId = domain.new_id();
    let payload = format!(
        "{{\"monitor_id\":\"{id}\",\"run_id\":\"{run_id}\",\"due_at\":{},\"by_hand\":false}}",
        domain.now()
    );
    let RunJobArgs::Single(run) = serde_json::from_str(&payload).unwrap() else { panic!("{payload}") };
    assert_eq!((run.monitor_id, run.run_id, run.by_hand), (id, run_id, false));
    assert!(RunContext::load(domain, run).await.unwrap().is_some());
    let count = "UPDATE monitor SET next_run_at = 1";
    domain.db().write().execute_unprepared(count).await.unwrap();
    let due = claim_due(domain).await.unwrap();
    let alone = claim(domain, due[0].id).await;
    assert!(
        matches!(alone.arguments().unwrap(), RunJobArgs::Single(run) if run.monitor_id == id),
        "a single monitor is not a batch"
    );
}

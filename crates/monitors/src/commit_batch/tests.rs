//! Selection of the runs that are committed in the same transaction.

mod followed;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use entities::ids::MonitorId;
use extract::watch::{Observation, Snapshot, SnapshotBlock};
use sea_orm::ConnectionTrait;

use super::*;
use identity::credits::{self, CreditBalance};
use jobs::hosts::{self, Pause};
use kernel::clock::MINUTE;
use kernel::{Backend, Code};

use crate::args::{MonitorRunBatch, RunJobArgs};
use crate::batch::tests::claimed_batch;
use crate::fetch::{RunContext, SourceResponse};
use crate::observation::{ObservedContent, SourceObservation};
use crate::outcome::RunError;
use crate::tests::create_monitor;
use crate::{Edit, claim_due, update};
use kernel::statement::{execute, scalar, statement};
use kernel::testing::{TestDatabase, person};
use kernel::tiers::Tier;

/// Runs of a batch of one account, sorted by monitor.
async fn runs(database: &TestDatabase) -> Vec<RunContext> {
    let (_, _, batch) = claimed_batch(database).await;
    contexts(database, batch).await
}

async fn contexts(database: &TestDatabase, batch: MonitorRunBatch) -> Vec<RunContext> {
    let mut runs = RunContext::load_all(&database.domain, &batch).await.unwrap();
    runs.sort_by_key(|run| run.row.id);
    runs
}

/// Runs whose sources did not answer.
fn failed(runs: Vec<RunContext>) -> Vec<ObservedRun> {
    let timeout = || RunError::unusable(Code::SourceTimeout);
    runs.into_iter()
        .map(|context| ObservedRun { context, observation: SourceObservation::failed(timeout()) })
        .collect()
}

/// Runs of a batch with the same number of monitors for each of two accounts. The runs of the second account
/// are last.
async fn runs_of_two(database: &TestDatabase) -> Vec<RunContext> {
    let domain = &database.domain;
    let people = [person(domain, Tier::Pro).await, person(domain, Tier::Pro).await];
    for (index, who) in people.into_iter().enumerate() {
        for number in 0..3 {
            create_monitor(domain, who, &format!("https://site{number}of{index}.example/page")).await;
        }
    }
    database.clock.advance(MINUTE);
    let mut runs = due_runs(database).await;
    runs.sort_by_key(|run| run.row.account_id != people[0]);
    runs
}

/// Runs of all due monitors.
async fn due_runs(database: &TestDatabase) -> Vec<RunContext> {
    let domain = &database.domain;
    let job = claim_due(domain).await.unwrap().remove(0);
    let claimed = jobs::claim(domain, job.id, "worker", MINUTE).await.unwrap().unwrap();
    let RunJobArgs::Batch(batch) = claimed.arguments().unwrap() else { panic!("{claimed:?}") };
    contexts(database, batch).await
}

/// Runs that observed this text and cost credits.
fn observed(runs: Vec<RunContext>, text: &str) -> Vec<ObservedRun> {
    let seen = |context: RunContext| {
        let text = format!("{text} at {}", context.row.target_url);
        let seen =
            Observation::of(Snapshot::Blocks(vec![SnapshotBlock { text, ..SnapshotBlock::default() }]));
        let at = context.started_at;
        let answered =
            SourceResponse { is_free: false, at, fetched: None, body_hash: None, warnings: Vec::new() };
        let content = ObservedContent::Content(Arc::new(seen));
        ObservedRun {
            observation: SourceObservation {
                content,
                answered: Some(answered),
                ..SourceObservation::default()
            },
            context,
        }
    };
    runs.into_iter().map(seen).collect()
}

/// Charges the account of `run` for another run. `open` is the balance of the month, or `None` if no row for
/// the month exists.
async fn spend(domain: &Domain, run: &RunContext, cost: i64, open: Option<CreditBalance>) {
    domain.cursor_key().await.unwrap();
    let transaction = domain.db().begin().await.unwrap();
    let mut writes = kernel::writes::Writes::of(&transaction);
    let mut charges = credits::AcceptedCharges::default();
    let (account_id, monitor_id) = (run.row.account_id, run.row.id);
    let spent = credits::Charge { account_id, run_id: domain.new_id(), monitor_id, cost };
    charges.charge_run(&transaction, domain.now(), (run.allowance(), open), spent).await.unwrap().unwrap();
    charges.add_to(&mut writes);
    writes.send().await.unwrap();
    transaction.commit().await.unwrap();
}

/// For each monitor, the id of the transaction that wrote its run.
async fn transactions(domain: &Domain) -> HashMap<MonitorId, String> {
    by_monitor(domain, "SELECT monitor_id, xmin::text FROM monitor_run").await
}

async fn by_monitor(domain: &Domain, sql: &str) -> HashMap<MonitorId, String> {
    let rows = domain.db().read().query_all_raw(statement(domain.db().read(), sql, [])).await.unwrap();
    rows.iter().map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap())).collect()
}

async fn count(domain: &Domain) -> usize {
    let sql = "SELECT monitor_id FROM monitor_run";
    domain.db().read().query_all_raw(statement(domain.db().read(), sql, [])).await.unwrap().len()
}

fn all_are_written(done: &[(MonitorRunArgs, Result<()>)]) -> bool {
    done.iter().all(|(_, written)| written.is_ok())
}

#[tokio::test]
async fn run_that_waits_for_a_host_row_does_not_delay_its_batch() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let mut seen = failed(runs(&database).await);
    let url = seen[0].context.row.target_url.clone();
    seen[0].observation = SourceObservation::failed(RunError {
        host_pause: Some(MINUTE),
        ..RunError::unusable(Code::SourceUnreachable)
    });
    let other_count = seen.len() - 1;
    let other = domain.db().begin().await.unwrap();
    let pause = Pause { url: &url, length: MINUTE, account_id: None };
    hosts::pause(&other, domain.now(), pause).await.unwrap();
    let others = async {
        while count(domain).await < other_count {
            tokio::task::yield_now().await;
        }
        other.commit().await.unwrap();
    };
    let (done, ()) = tokio::join!(commit_all(domain, seen), others);
    assert!(all_are_written(&done), "{done:?}");
    assert_eq!((done.len(), count(domain).await), (other_count + 1, other_count + 1));
}

#[tokio::test]
async fn runs_of_followed_monitors_of_one_account_share_a_transaction() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let runs = runs(&database).await;
    let follow = Edit { follow: Some(true), ..Edit::default() };
    update(domain, runs[1].row.account_id, runs[1].row.id, follow).await.unwrap();
    let done = commit_all(domain, failed(runs)).await;
    assert!(all_are_written(&done), "{done:?}");
    let written = transactions(domain).await;
    let transaction_id = written.values().next().unwrap();
    assert!(written.values().all(|other| other == transaction_id), "{written:?}");
}

#[tokio::test]
async fn run_of_a_monitor_edited_during_the_run_is_evaluated_again() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let moved = "UPDATE monitor SET baseline_hash = 'another' WHERE id = $1";
        let moved = statement(domain.db().write(), moved, [runs[2].row.id.into()]);
        domain.db().write().execute_raw(moved).await.unwrap();
        let (last, all) = (runs[2].args, runs.len());
        let done = commit_all(domain, failed(runs)).await;
        assert!(all_are_written(&done), "{done:?}");
        assert_eq!((done.last().unwrap().0, count(domain).await), (last, all));
    }
}

#[tokio::test]
async fn failed_transaction_leaves_all_runs_for_a_retry() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let run_count = runs.len();
        domain.db().write().execute_unprepared("ALTER TABLE credit_month RENAME TO gone").await.unwrap();
        let done = commit_all(domain, failed(runs)).await;
        assert_eq!(done.iter().filter(|(_, written)| written.is_err()).count(), run_count);
        assert_eq!(count(domain).await, 0);
    }
}

#[tokio::test]
async fn runs_of_several_accounts_share_a_transaction() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let done = commit_all(domain, observed(runs_of_two(&database).await, "High tide")).await;
    assert!(all_are_written(&done), "{done:?}");
    let written = transactions(domain).await;
    let transaction_id = written.values().next().unwrap();
    assert!(written.len() == 6 && written.values().all(|other| other == transaction_id), "{written:?}");
    let charged = "SELECT count(*) FROM credit_month WHERE used = 3";
    assert_eq!(scalar(domain.db().read(), charged, []).await.unwrap(), 2);
    assert_eq!(credits::audit(domain).await.unwrap(), []);
}

#[tokio::test]
async fn failing_run_does_not_affect_other_accounts() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs_of_two(&database).await;
        let account_id = runs[0].row.account_id;
        // Another charge already uses the id of this run.
        let paid = "INSERT INTO credit_entry (account_id, month, kind, amount, run_id, made_at) VALUES ($1, 200001, \
             'run', 0, $2, 0)";
        execute(domain.db().write(), paid, [account_id.into(), runs[1].args.run_id.into()]).await.unwrap();
        let (first, other): (Vec<_>, Vec<_>) = runs
            .iter()
            .map(|run| (run.row.account_id, run.args))
            .partition(|(owner, _)| *owner == account_id);
        let done = commit_all(domain, observed(runs, "High tide")).await;
        for (args, written) in &done {
            assert_eq!(written.is_ok(), other.iter().any(|(_, run)| run == args), "{done:?}");
        }
        assert_eq!((done.len(), first.len(), count(domain).await), (6, 3, 3));
        assert_eq!(credits::audit(domain).await.unwrap(), []);
    }
}

#[tokio::test]
async fn locked_account_delays_other_accounts_only_briefly() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let runs = runs_of_two(&database).await;
    let (locked, other_account) = (runs[0].row.account_id, runs[5].row.account_id);
    let holding = database.domain.db().begin().await.unwrap();
    execute(&holding, "SELECT 1 FROM account WHERE id = $1 FOR UPDATE", [locked.into()]).await.unwrap();
    let impatient =
        kernel::DatabaseSettings { lock_timeout: Duration::from_millis(100), ..Default::default() };
    let domain = database.handle_with(&impatient).await;
    let done = commit_all(&domain, observed(runs, "High tide")).await;
    holding.rollback().await.unwrap();
    let written = "SELECT count(*) FROM monitor_run WHERE account_id = $1";
    let number =
        async |account: AccountId| scalar(domain.db().read(), written, [account.into()]).await.unwrap();
    assert_eq!((number(locked).await, number(other_account).await), (0, 3));
    assert_eq!(done.iter().filter(|(_, written)| written.is_err()).count(), 3);
}

#[tokio::test]
async fn run_of_a_shared_url_is_committed_separately() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let mut runs = runs(&database).await;
    runs[1].subscriber_count = 2;
    let shared = runs[1].row.id;
    let done = commit_all(domain, failed(runs)).await;
    assert!(all_are_written(&done), "{done:?}");
    let mut written = transactions(domain).await;
    let separate = written.remove(&shared).unwrap();
    assert!(written.values().all(|other| *other != separate), "{written:?}");
}

#[test]
fn two_consecutive_unavailable_writes_stop_the_batch() {
    let mut written = BatchCommit {
        done: CommitResults::new(),
        separate: Vec::new(),
        unavailable_count: 0,
        last_error: None,
    };
    let (away, own) = (Error::new(Code::ServiceUnavailable, "Away."), Error::new(Code::Internal, "Wrong."));
    for (error, is_hopeless) in [
        (Some(&away), false),
        (Some(&own), false),
        (Some(&away), false),
        (None, false),
        (Some(&away), false),
        (Some(&away), true),
    ] {
        written.record(error);
        assert_eq!(written.abort_error().is_some(), is_hopeless, "{error:?}");
    }
}

#[tokio::test]
async fn runs_of_a_batch_are_charged_until_the_credits_are_spent() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let allowance = runs[0].allowance();
        spend(domain, &runs[0], allowance - 2, None).await;
        let done = commit_all(domain, observed(runs, "High tide")).await;
        assert!(all_are_written(&done), "{done:?}");
        let outcomes = "SELECT count(*) FROM monitor_run WHERE outcome = $1";
        let number =
            async |outcome: &str| scalar(domain.db().read(), outcomes, [outcome.into()]).await.unwrap();
        assert_eq!((number("baseline").await, number("error").await), (2, 3));
        let waiting = "SELECT count(*) FROM monitor WHERE credits_wait_until IS NOT NULL";
        assert_eq!(scalar(domain.db().read(), waiting, []).await.unwrap(), 5);
        let notices_sql = "SELECT count(*) FROM monitor_change WHERE kind = 'waiting'";
        assert_eq!(
            scalar(domain.db().read(), notices_sql, []).await.unwrap(),
            5,
            "each monitor reports the wait once"
        );
        assert_eq!(credits::audit(domain).await.unwrap(), []);
    }
}

#[tokio::test]
async fn newest_snapshots_and_snapshots_of_changes_are_retained() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let (full, other) = (runs[1].row.clone(), runs[3].row.id);
        let insert = "INSERT INTO monitor_snapshot (account_id, monitor_id, hash, content, seen_at) \
             VALUES ($1, $2, $3, $4, $5)";
        for at in 1..=30_i64 {
            let (hash, content) = (format!("old {at}"), vec![0_u8]);
            let values = [full.account_id.into(), full.id.into(), hash.into(), content.into(), at.into()];
            execute(domain.db().write(), insert, values).await.unwrap();
        }
        let change_sql = "INSERT INTO monitor_change (id, account_id, monitor_id, run_id, detected_at, kind, url, title, \
             summary, operations, before_hash, after_hash) VALUES ($1, $2, $3, $1, 0, 'changed', '', '', '', $4, \
             'old 2', 'old 4')";
        let id: entities::ids::ChangeId = domain.new_id();
        let values = [id.into(), full.account_id.into(), full.id.into(), vec![0_u8].into()];
        execute(domain.db().write(), change_sql, values).await.unwrap();
        let done = commit_all(domain, observed(runs, "High tide")).await;
        assert!(all_are_written(&done), "{done:?}");
        let snapshots_sql = "SELECT count(*) FROM monitor_snapshot WHERE monitor_id = $1 AND seen_at > $2";
        let number = async |id: MonitorId, after: i64| {
            scalar(domain.db().read(), snapshots_sql, [id.into(), after.into()]).await.unwrap()
        };
        assert_eq!(number(full.id, 10).await, 21, "the newest snapshots and the new one are retained");
        assert_eq!(number(full.id, 0).await, 23, "the snapshots of a recorded change are retained");
        assert_eq!(number(other, 0).await, 1);
    }
}

//! Which runs share a transaction, and which do not.

use std::collections::HashMap;

use entities::ids::MonitorId;
use sea_orm::ConnectionTrait;

use super::*;
use crate::Backend;
use crate::clock::MINUTE;
use crate::code::Code;
use crate::hosts::{self, Pause};
use crate::monitors::batch::tests::claimed_batch;
use crate::monitors::fetch::RunContext;
use crate::monitors::look::Looked;
use crate::monitors::outcome::RunError;
use crate::monitors::{Edit, update};
use crate::statement::statement;
use crate::testing::TestDatabase;

/// The runs of a batch of one account, in the order of their monitors.
async fn runs(database: &TestDatabase) -> Vec<RunContext> {
    let (_, _, batch) = claimed_batch(database).await;
    let mut runs = RunContext::load_all(&database.domain, &batch).await.unwrap();
    runs.sort_by_key(|run| run.row.id);
    runs
}

/// Runs whose sources said nothing.
fn failed(runs: Vec<RunContext>) -> Vec<Seen> {
    let timeout = || RunError::unusable(Code::SourceTimeout);
    runs.into_iter().map(|context| Seen { context, looked: Looked::failed(timeout()) }).collect()
}

/// The transactions that wrote the runs of each monitor.
async fn transactions(domain: &Domain) -> HashMap<MonitorId, String> {
    let sql = "SELECT monitor_id, xmin::text FROM monitor_run";
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
async fn a_run_that_waits_for_what_others_hold_has_those_beside_it_wait_for_nothing() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let mut seen = failed(runs(&database).await);
    let url = seen[0].context.row.target_url.clone();
    seen[0].looked =
        Looked::failed(RunError { host_pause: Some(MINUTE), ..RunError::unusable(Code::SourceUnreachable) });
    let beside = seen.len() - 1;
    let other = domain.db().begin().await.unwrap();
    let pause = Pause { url: &url, length: MINUTE, account_id: None };
    hosts::pause(&other, domain.now(), pause).await.unwrap();
    let others = async {
        while count(domain).await < beside {
            tokio::task::yield_now().await;
        }
        other.commit().await.unwrap();
    };
    let (done, ()) = tokio::join!(commit_all(domain, seen), others);
    assert!(all_are_written(&done), "{done:?}");
    assert_eq!((done.len(), count(domain).await), (beside + 1, beside + 1));
}

#[tokio::test]
async fn runs_of_one_account_share_a_transaction_and_one_that_is_followed_meanwhile_does_not() {
    let database = TestDatabase::create(Backend::Postgres).await;
    let domain = &database.domain;
    let runs = runs(&database).await;
    let followed = runs[1].row.id;
    let follow = Edit { follow: Some(true), ..Edit::default() };
    update(domain, runs[1].row.account_id, followed, follow).await.unwrap();
    let done = commit_all(domain, failed(runs)).await;
    assert!(all_are_written(&done), "{done:?}");
    let mut written = transactions(domain).await;
    let apart = written.remove(&followed).unwrap();
    let together = written.values().next().unwrap();
    assert!(written.values().all(|other| other == together), "{written:?}");
    assert_ne!(&apart, together);
}

#[tokio::test]
async fn a_run_whose_monitor_moved_meanwhile_is_weighed_anew_after_the_others() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let moved = "UPDATE monitor SET baseline_hash = 'another' WHERE id = $1";
        let moved = statement(domain.db().write(), moved, [runs[2].row.id.into()]);
        domain.db().write().execute_raw(moved).await.unwrap();
        let (last, all) = (runs[2].asked, runs.len());
        let done = commit_all(domain, failed(runs)).await;
        assert!(all_are_written(&done), "{done:?}");
        assert_eq!((done.last().unwrap().0, count(domain).await), (last, all));
    }
}

#[tokio::test]
async fn a_group_that_cannot_be_written_leaves_every_run_to_be_tried_again() {
    for database in TestDatabase::each().await {
        let domain = &database.domain;
        let runs = runs(&database).await;
        let asked = runs.len();
        domain.db().write().execute_unprepared("ALTER TABLE credit_month RENAME TO gone").await.unwrap();
        let done = commit_all(domain, failed(runs)).await;
        assert_eq!(done.iter().filter(|(_, written)| written.is_err()).count(), asked);
        assert_eq!(count(domain).await, 0);
    }
}

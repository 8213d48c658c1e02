//! Commits runs whose source is unchanged, with one statement per table for any number of runs. Such runs
//! cost no credits. If a row that a run writes was changed since the observation of the run, the run is
//! committed separately.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, FeedId, MonitorId};
use entities::monitor_run;
use sea_orm::{DatabaseTransaction, EntityTrait, IntoActiveModel};

use super::fetch::RunContext;
use super::locks::{LockedMonitor, lock_runs};
use super::memory::Memory;
use super::monitor::MAX_RUN_CREDITS;
use super::next_run;
use super::observation::{ObservedContent, ObservedRun};
use super::outcome::Outcome;
use super::run_rows::{run_row, target_row};
use super::sql::{self, TargetResponse};
use feeds::internal_feed;
use identity::credits::{self, CreditBalance};
use kernel::{Domain, Millis, Result};

/// Locked rows of the runs to commit.
struct LockedRows {
    monitors: HashMap<MonitorId, LockedMonitor>,
    /// Balances of the months that already have a row.
    months: HashMap<AccountId, CreditBalance>,
}

impl ObservedRun {
    /// True if the run received the body that was last evaluated, and a repeated evaluation would have the
    /// same result. Refers to the state of the monitor at the time of the observation.
    pub(super) fn is_unchanged(&self) -> bool {
        let is_same =
            matches!(self.observation.content, ObservedContent::Same) && self.observation.answered.is_some();
        let is_known = self.context.row.baseline_hash.is_some();
        is_same && is_known && !Memory::read(&self.context.row.masks).depends_on_time()
    }

    /// Response of the source. `None` if no request was sent.
    fn answered(&self) -> Option<TargetResponse<'_>> {
        let answered = self.observation.answered.as_ref()?;
        Some(TargetResponse {
            row: &self.context.row,
            known_hash: self.context.target.as_ref().map_or(0, |target| target.body_hash),
            body_hash: answered.body_hash.unwrap_or(0),
            fetched: answered.fetched.as_ref()?,
            at: answered.at,
        })
    }
}

/// Writes the runs whose rows were not changed since they started, and returns the other runs. The written
/// runs must be counted after the transaction is committed.
pub(super) async fn write(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    runs: Vec<ObservedRun>,
) -> Result<Vec<ObservedRun>> {
    if runs.is_empty() {
        return Ok(runs);
    }
    let now = domain.now();
    let contexts: Vec<&RunContext> = runs.iter().map(|run| &run.context).collect();
    let owners: HashSet<AccountId> = runs.iter().map(|run| run.context.row.account_id).collect();
    let monitors = lock_runs(transaction, domain, &contexts).await?;
    let locked = LockedRows { monitors, months: credits::open_months(transaction, now, &owners).await? };
    let mut addresses = HashSet::new();
    let (runs, others): (Vec<_>, Vec<_>) = runs
        .into_iter()
        .partition(|run| locked.fits(&run.context) && addresses.insert(run.context.row.url_key.clone()));
    if runs.is_empty() {
        return Ok(others);
    }
    let rows = runs.iter().map(|run| run_row(&run.context, Outcome::Unchanged, now).into_active_model());
    monitor_run::Entity::insert_many(rows).exec_without_returning(transaction).await?;
    let answers: Vec<TargetResponse<'_>> = runs.iter().filter_map(ObservedRun::answered).collect();
    sql::lock_targets(transaction, &answers).await?;
    let (known, same): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.fetched.not_modified);
    sql::confirm_targets(transaction, &known).await?;
    let target =
        |answer: &TargetResponse<'_>| target_row(answer.row, answer.fetched, answer.body_hash, answer.at);
    sql::upsert_targets(transaction, same.iter().map(target).collect()).await?;
    let next = runs.iter().map(|run| (run.context.row.id, locked.next(&run.context))).collect();
    sql::finish_unchanged(transaction, now, next).await?;
    let feeds: Vec<FeedId> = runs.iter().filter_map(|run| run.context.row.feed_id).collect();
    internal_feed::record_recovery(transaction, now, &feeds).await?;
    Ok(others)
}

impl LockedRows {
    /// True if the monitor and the balance of its owner were not changed since the run started. False if the
    /// month has no row yet, or if too few credits remain in it for some monitors.
    fn fits(&self, context: &RunContext) -> bool {
        let (Some(LockedMonitor { row, plan }), Some(month)) =
            (self.monitors.get(&context.row.id), self.months.get(&context.row.account_id))
        else {
            return false;
        };
        let allowance = i64::from(plan.web_monitor_monthly_credits);
        *row == context.row
            && allowance == context.allowance()
            && month.allowance == allowance
            && month.remaining() >= MAX_RUN_CREDITS
    }

    fn next(&self, context: &RunContext) -> Millis {
        let plan = self.monitors.get(&context.row.id).map_or(&context.plan, |locked| &locked.plan);
        next_run::after_success(&context.row, plan, context.started_at)
    }
}

//! Commits runs: their rows, changes, charges, next run times, snapshots and shared targets, and the
//! completion of the job. A transaction writes all of them, with about one statement per table. If a run is
//! committed again, its effects are not written again.

use std::collections::BTreeMap;

use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use sea_orm::DatabaseTransaction;

use super::change::Change;
use super::change_notice::{self, NoticeAudience};
use super::fetch::RunContext;
use super::follow::FeedUpdates;
use super::locks::{CommitFacts, LockedMonitor, limit_lock_wait, load_facts, lock_runs};
use super::message_text::ChangeFacts;
use super::monitor::{MAX_RUN_CREDITS, Status};
use super::observation::SourceObservation;
use super::outcome::{Outcome, RunError};
use super::plan;
use super::render;
use super::result::RunResult;
use super::run_rows::{RunRows, RunWriter};
use super::schedule::{self, RunFollowUp};
use super::{explanations, sql};
use identity::credits::{self, Charge, CreditBalance};
use kernel::{Domain, Error, Millis, Result};

use kernel::writes::Writes;

/// Maximum number of feed entries of a change that is committed in the same transaction as other runs.
const MAX_BATCHED_ENTRIES: usize = 8;

/// Finished run with its result.
pub(super) struct FinishedRun<'a> {
    /// Job that is completed with this run. `None` if the job has further runs.
    pub(super) claimed: Option<&'a jobs::Claimed>,
    pub(super) context: &'a RunContext,
    pub(super) observation: &'a SourceObservation,
    pub(super) result: RunResult,
}

/// Result of committing a run.
pub(super) enum Committed {
    /// The run was committed with this outcome. `None` if the run needed no commit.
    Written(Option<Outcome>),
    /// Nothing was written, because the monitor changed since the run was evaluated, or because the run needs
    /// its own transaction. Contains the current row of the monitor.
    Conflict(Box<monitor::Model>),
}

impl Committed {
    fn is_written(&self) -> bool {
        matches!(self, Self::Written(_))
    }
}

/// Commits a run, unless the monitor changed since the run was evaluated. Completes the job if this is its
/// last run.
///
/// # Errors
/// Returns an error if the transaction fails. In that case, nothing is written or charged.
pub(super) async fn commit_run(domain: &Domain, run: FinishedRun<'_>) -> Result<Committed> {
    let committed = commit_runs(domain, vec![run]).await?.pop();
    committed.ok_or_else(|| Error::internal("commit returned no result for a run"))
}

/// Commits runs in one transaction and returns their results in the same order. If there are several runs,
/// those that need their own transaction are not written. `runs` must not contain two runs of the same URL.
///
/// # Errors
/// Returns an error if the transaction fails. In that case, no run is written or charged.
pub(super) async fn commit_runs(domain: &Domain, runs: Vec<FinishedRun<'_>>) -> Result<Vec<Committed>> {
    // Load the key that signs links to changes before any row is locked.
    domain.cursor_key().await?;
    let transaction = domain.db().begin().await?;
    let mut owners = runs.iter().map(|run| run.context.row.account_id);
    if owners.next().is_some_and(|first| owners.any(|other| other != first)) {
        limit_lock_wait(&transaction).await?;
    }
    let committed = write_runs(&transaction, domain, runs).await?;
    if committed.iter().any(Committed::is_written) {
        transaction.commit().await?;
    }
    for run in &committed {
        if let Committed::Written(Some(outcome)) = run {
            outcome.count(1);
        }
    }
    Ok(committed)
}

/// Commits the failure of a run whose job is dead. Its workers crashed, so they could not commit a result.
pub(super) async fn commit_dead_run(domain: &Domain, context: &RunContext, failed: RunError) -> Result<()> {
    let observation = SourceObservation::failed(failed.clone());
    let result = RunResult::error(failed);
    // A conflict means that another run was committed in the meantime.
    commit_run(domain, FinishedRun { claimed: None, context, observation: &observation, result })
        .await
        .map(|_| ())
}

/// True if a run pauses its host. The row of the host is shared with other accounts and not locked in a
/// common order. Therefore, the run might wait for that row while it locks all rows of the batch.
pub(super) fn affects_host(failed: Option<&RunError>) -> bool {
    failed.is_some_and(|failed| failed.host_pause.is_some())
}

/// True if a run adds many entries to feeds, so that other writers of entries would wait for the whole batch.
fn is_large(row: &monitor::Model, result: &RunResult) -> bool {
    let change = result.evaluation.as_ref().and_then(|evaluation| evaluation.change.as_ref());
    row.feed_id.is_some()
        && change.is_some_and(|change| render::item_count(&change.operations) > MAX_BATCHED_ENTRIES)
}

/// Writes runs in a transaction. If this function fails or writes no run, the caller must roll back.
/// Otherwise, the job of a run that must be evaluated again would be completed.
async fn write_runs(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    runs: Vec<FinishedRun<'_>>,
) -> Result<Vec<Committed>> {
    let mut writes = Writes::of(transaction);
    for claimed in runs.iter().filter_map(|run| run.claimed) {
        jobs::add_completion(&mut writes, domain, claimed);
    }
    let contexts: Vec<&RunContext> = runs.iter().map(|run| run.context).collect();
    let mut locked = lock_runs(transaction, domain, &contexts).await?;
    let now = domain.now();
    let known = load_facts(transaction, &contexts, now).await?;
    let is_alone = runs.len() == 1;
    let mut all =
        BatchWriter { transaction, domain, now, is_alone, rows: RunRows::default(), pruned: Vec::new() };
    let (mut committed, mut written) = (Vec::with_capacity(runs.len()), Vec::with_capacity(runs.len()));
    for run in runs {
        let id = run.context.row.id;
        let known = known.get(&id).copied().unwrap_or_default();
        match locked.remove(&id) {
            // The monitor or its account was deleted, or the due time already has a run.
            None => committed.push(Committed::Written(None)),
            Some(_) if known.is_written => committed.push(Committed::Written(None)),
            Some(locked) => match Box::pin(all.add(run, locked, known)).await? {
                AddResult::Row(row) => {
                    committed.push(Committed::Written(Some(row.result.outcome)));
                    written.push(row);
                }
                AddResult::Conflict(row) => committed.push(Committed::Conflict(row)),
            },
        }
    }
    if !committed.iter().any(Committed::is_written) {
        return Ok(committed);
    }
    all.send(writes).await?;
    let feeds = Box::pin(follow_up(transaction, domain, now, written)).await?;
    feeds.write(transaction, now).await?;
    Ok(committed)
}

/// Rows of the runs that are written in one transaction.
struct BatchWriter<'a> {
    transaction: &'a DatabaseTransaction,
    domain: &'a Domain,
    now: Millis,
    is_alone: bool,
    rows: RunRows,
    /// Monitors with more stored snapshots than they need.
    pruned: Vec<MonitorId>,
}

/// Result of adding a run to the transaction.
enum AddResult<'a> {
    Row(Box<WrittenRun<'a>>),
    Conflict(Box<monitor::Model>),
}

/// Run whose rows are written, with the input of its follow-up.
struct WrittenRun<'a> {
    context: &'a RunContext,
    locked: LockedMonitor,
    result: RunResult,
    change: Option<(Change, ChangeFacts)>,
    balance: CreditBalance,
    cost: i64,
    /// True if a response body was received.
    has_body: bool,
}

impl BatchWriter<'_> {
    /// Adds the rows of a run.
    async fn add<'a>(
        &mut self,
        run: FinishedRun<'a>,
        locked: LockedMonitor,
        known: CommitFacts,
    ) -> Result<AddResult<'a>> {
        let FinishedRun { context, observation, mut result, .. } = run;
        if !context.is_comparable_with(&locked.row)? {
            result = RunResult::error(RunError::superseded());
        } else if locked.differs_from(&context.row) {
            return Ok(AddResult::Conflict(Box::new(locked.row)));
        }
        let is_for_itself = affects_host(result.failed.as_ref()) || is_large(&locked.row, &result);
        if !self.is_alone && is_for_itself {
            return Ok(AddResult::Conflict(Box::new(locked.row)));
        }
        let price = price(context, observation, &result);
        // A quota or the plan may have changed since the run started.
        let allowance = i64::from(locked.plan.web_monitor_monthly_credits);
        let charged = self.charge(context, (allowance, known.open_month), price).await?;
        let (balance, cost) = match charged {
            Some(balance) => (balance, price),
            None if !self.is_alone => return Ok(AddResult::Conflict(Box::new(locked.row))),
            // Another run may have spent the remaining credits. In that case, this run fails.
            None => {
                result = RunResult::error(RunError::exhausted());
                (credits::balance(self.transaction, self.now, locked.row.account_id, allowance).await?, 0)
            }
        };
        let has_body = observation.body_hash.is_some();
        let status = match (&result.failed, &result.evaluation) {
            (None, _) => Some(schedule::status_after_success(&self.after(context, &locked)).await?),
            // Only the memory is written now; the follow-up writes the failure.
            (Some(_), Some(_)) => Some(Status::parse(&locked.row.status).unwrap_or(Status::Paused)),
            (Some(_), None) => None,
        };
        if known.has_many_contents && result.evaluation.is_some() {
            self.pruned.push(locked.row.id);
        }
        let next = schedule::next_after_success(&self.after(context, &locked));
        let next = result.recheck_after.map_or(next, |recheck| next.min(context.started_at + recheck));
        let (domain, now) = (self.domain, self.now);
        let writer = RunWriter { domain, context, observation, row: &locked.row, known, now, cost };
        let change = writer.write(&mut result, status.map(|status| (status, next)), &mut self.rows)?;
        Ok(AddResult::Row(Box::new(WrittenRun { context, locked, result, change, balance, cost, has_body })))
    }

    /// Charges a run. `month` is the monthly allowance and, if the month already has a row, the balance of
    /// that row. Returns `None` if the account has too few credits.
    async fn charge(
        &mut self,
        context: &RunContext,
        month: (i64, Option<CreditBalance>),
        cost: i64,
    ) -> Result<Option<CreditBalance>> {
        let monitor::Model { id, account_id, .. } = context.row;
        let charge = Charge { account_id, run_id: context.args.run_id, monitor_id: id, cost };
        self.rows.charges.charge_run(self.transaction, self.now, month, charge).await
    }

    /// Executes the statements that every run needs. Statements of follow-ups are rare and are executed after
    /// them.
    async fn send(self, mut writes: Writes<'_>) -> Result<()> {
        self.rows.add_to(&mut writes, self.now);
        writes.send().await?;
        sql::prune_snapshots(self.transaction, &self.pruned).await
    }

    fn after<'a>(&'a self, context: &'a RunContext, locked: &'a LockedMonitor) -> RunFollowUp<'a> {
        let Self { transaction, domain, now, .. } = *self;
        RunFollowUp { transaction, domain, context, row: &locked.row, plan: &locked.plan, now }
    }
}

fn price(context: &RunContext, observation: &SourceObservation, result: &RunResult) -> i64 {
    let is_free = observation.answered.as_ref().is_none_or(|answered| answered.is_free);
    // A rendered page is charged for its rendering, even if the page is unchanged.
    let is_rendered = context.definition.rendering.is_some() && result.failed.is_none();
    let is_charged = (result.evaluated_new_body || is_rendered) && !is_free;
    if is_charged { context.definition.cost() } else { 0 }
}

/// Performs the follow-up of written runs and returns the pending updates of feeds.
async fn follow_up(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    now: Millis,
    written: Vec<Box<WrittenRun<'_>>>,
) -> Result<FeedUpdates> {
    let mut balances: BTreeMap<AccountId, CreditBalance> = BTreeMap::new();
    let mut feeds = FeedUpdates::default();
    for run in written {
        let WrittenRun { context, locked, result, change, balance, cost, has_body } = *run;
        let LockedMonitor { row, plan } = &locked;
        let used = (balance.month, balance.used, balance.limit(), cost);
        notices::credits_used(transaction, domain, row.account_id, used).await?;
        if let Some(change) = change {
            notify_change(transaction, domain, (context, row), &change, &mut feeds).await?;
        }
        let after = RunFollowUp { transaction, domain, context, row, plan, now };
        match &result.failed {
            Some(failed) => schedule::after_failure(&after, failed, has_body, &mut feeds).await?,
            None => feeds.note_success(row),
        }
        balances.insert(row.account_id, balance);
    }
    for (account_id, balance) in balances {
        if balance.remaining() < MAX_RUN_CREDITS {
            plan::wait_for_credits(transaction, domain, account_id, balance, &mut feeds).await?;
        }
    }
    Ok(feeds)
}

/// Notifies the owner of a change, and adds its entries to `feeds`, unless they wait for an explanation.
async fn notify_change(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    (context, row): (&RunContext, &monitor::Model),
    (change, facts): &(Change, ChangeFacts),
    feeds: &mut FeedUpdates,
) -> Result<()> {
    let text = change_notice::text_of(transaction, row, change, facts).await?;
    if let Some(settings) = &context.definition.explanation
        && explanations::request(transaction, domain, row, settings, (change, &text)).await?
    {
        return Ok(());
    }
    let audience = NoticeAudience::ChannelsAndFeeds;
    change_notice::send(transaction, domain, row, (change, &text), audience, feeds).await
}

//! Writes a run down: its row, its change, what it costs, when its monitor runs next, what is kept of the
//! target, and the end of the job, all in one transaction. A run that is written twice is written once.

use entities::{monitor, monitor_run, monitor_snapshot, monitor_target};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::change::Change;
use super::evaluate::{Evaluation, NewChange};
use super::fetch::RunContext;
use super::follow;
use super::look::Looked;
use super::monitor::Status;
use super::next::{self, After};
use super::outcome::{Outcome, RunError};
use super::plan;
use super::render::{self, Links};
use super::result::RunResult;
use super::sql;
use crate::accounts;
use crate::clock::{Millis, minute_in_words};
use crate::code::Code;
use crate::credits::{self, Charge, CreditBalance};
use crate::error::{Error, Result};
use crate::feeds::health::Health;
use crate::feeds::pushed;
use crate::handle::Domain;
use crate::jobs;
use crate::limits::Tier;
use crate::notices::{self, FoundChange};

/// What the dearest run costs: with less than this left, some monitors wait for the next month.
pub(super) const DEAREST: i64 = 3;

/// A run that ended, and what it came to.
pub(super) struct FinishedRun<'a> {
    /// The job that ends with it; none when the job goes on with other runs.
    pub(super) claimed: Option<&'a jobs::Claimed>,
    pub(super) context: &'a RunContext,
    pub(super) looked: &'a mut Looked,
    pub(super) result: RunResult,
}

/// What became of writing a run.
pub(super) enum Committed {
    /// It is written, or there was nothing to be written.
    Written,
    /// The monitor, which is not what the run was weighed against any more.
    Moved(Box<monitor::Model>),
}

/// What a run is written to, held until the end of the transaction.
struct LockedRows {
    /// The plan of the account.
    tier: Tier,
    /// The monitor as it is now.
    row: monitor::Model,
}

/// Where a run is being written.
struct RunWriter<'a> {
    transaction: &'a DatabaseTransaction,
    domain: &'a Domain,
    context: &'a RunContext,
    looked: &'a mut Looked,
    held: LockedRows,
    now: Millis,
    cost: i64,
}

/// Writes a run, and ends the job that ends with it, unless the monitor is another than the run was weighed against.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing was written then, and nothing
/// charged.
pub(super) async fn commit_run(domain: &Domain, ended: FinishedRun<'_>) -> Result<Committed> {
    let FinishedRun { claimed, context, looked, result } = ended;
    match write_run(domain, context, looked, result).await? {
        Written::Moved(row) => Ok(Committed::Moved(row)),
        Written::In(transaction) => {
            if let Some(claimed) = claimed {
                jobs::complete_in(&transaction, domain, claimed).await?;
            }
            transaction.commit().await?;
            Ok(Committed::Written)
        }
    }
}

/// Writes a run whose job is over already: none of its workers lived to write one.
///
/// # Errors
/// As [`commit_run`].
pub(super) async fn commit_dead_run(domain: &Domain, context: &RunContext, failed: RunError) -> Result<()> {
    let mut looked = Looked::failed(failed.clone());
    match write_run(domain, context, &mut looked, RunResult::error(failed)).await? {
        // Somebody looked meanwhile.
        Written::Moved(_) => Ok(()),
        Written::In(transaction) => Ok(transaction.commit().await?),
    }
}

/// A run that was written in a transaction, which is to be committed.
enum Written {
    In(DatabaseTransaction),
    Moved(Box<monitor::Model>),
}

/// Writes a run in a transaction of its own.
async fn write_run(
    domain: &Domain,
    context: &RunContext,
    looked: &mut Looked,
    mut result: RunResult,
) -> Result<Written> {
    let links = Links::load(domain, &domain.policy().base_url, &context.row.feed_token).await?;
    let transaction = domain.db().begin().await?;
    if let Some(held) = lock_rows(&transaction, context).await? {
        if !context.sees_the_same_as(&held.row)? {
            result = RunResult::error(RunError::superseded());
        } else if is_moved(&held.row, &context.row) {
            return Ok(Written::Moved(Box::new(held.row)));
        }
        let (transaction, now) = (&transaction, domain.now());
        let writing = RunWriter { transaction, domain, context, looked, held, now, cost: 0 };
        writing.write(result, &links).await?;
    }
    Ok(Written::In(transaction))
}

/// Whether what a run was weighed against is not what it would be weighed against now.
fn is_moved(now: &monitor::Model, then: &monitor::Model) -> bool {
    now.definition != then.definition
        || now.baseline_hash != then.baseline_hash
        || now.observed_hash != then.observed_hash
        || now.masks != then.masks
        || now.recent != then.recent
}

/// Holds the account and the monitor. `None` when the monitor is gone or has run for this due time.
async fn lock_rows(transaction: &DatabaseTransaction, context: &RunContext) -> Result<Option<LockedRows>> {
    let account_id = context.row.account_id;
    let tier = match accounts::lock(transaction, account_id).await {
        Ok(tier) => tier,
        Err(error) if error.code == Code::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let row = monitor::Entity::owned_by(account_id)
        .filter(monitor::Column::Id.eq(context.row.id))
        .lock_exclusive()
        .one(transaction)
        .await?;
    let written = monitor_run::Entity::owned_by(account_id)
        .filter(monitor_run::Column::MonitorId.eq(context.row.id))
        .filter(monitor_run::Column::DueAt.eq(context.asked.due_at));
    if written.count(transaction).await? > 0 {
        return Ok(None);
    }
    Ok(row.map(|row| LockedRows { tier, row }))
}

impl RunWriter<'_> {
    async fn write(mut self, mut result: RunResult, links: &Links) -> Result<()> {
        let balance = self.charge(&mut result).await?;
        self.run(&result).await?;
        self.target().await?;
        if let Some(evaluation) = &mut result.evaluation {
            let new = evaluation.change.take();
            self.snapshots(evaluation).await?;
            if let Some(new) = new {
                self.change(new, links).await?;
            }
        }
        let after = After {
            transaction: self.transaction,
            domain: self.domain,
            context: self.context,
            row: &self.held.row,
            tier: self.held.tier,
            now: self.now,
        };
        match &result.failed {
            None => self.success(&result, &after).await?,
            Some(failed) => next::after_failure(&after, failed, self.looked.body_hash.is_some()).await?,
        }
        if balance.remaining() < DEAREST {
            plan::wait_for_credits(self.transaction, self.domain, self.held.row.account_id, balance).await?;
        }
        metrics::counter!("carrel_monitor_runs_total", "outcome" => result.outcome.as_str()).increment(1);
        Ok(())
    }

    /// Charges the run. One that cannot be paid for any more came to nothing: another run took what was
    /// left meanwhile.
    async fn charge(&mut self, result: &mut RunResult) -> Result<CreditBalance> {
        let is_free = self.looked.answered.as_ref().is_none_or(|answered| answered.is_free);
        let price = if result.is_judged && !is_free { self.context.kind.cost() } else { 0 };
        let account_id = self.held.row.account_id;
        let (run_id, monitor_id) = (self.context.asked.run_id, self.held.row.id);
        let charge = Charge { account_id, run_id, monitor_id, cost: price };
        let allowance = self.context.allowance();
        if let Some(balance) = credits::charge(self.transaction, self.now, allowance, charge).await? {
            self.cost = price;
            let told = (balance.month, balance.used, balance.limit(), price);
            notices::credits_used(self.transaction, self.domain, account_id, told).await?;
            return Ok(balance);
        }
        *result = RunResult::error(RunError::exhausted());
        credits::balance(self.transaction, self.now, account_id, allowance).await
    }

    /// Writes the run.
    async fn run(&self, result: &RunResult) -> Result<()> {
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let evaluation = result.evaluation.as_ref();
        let row = monitor_run::Model {
            id: self.context.asked.run_id,
            account_id: self.held.row.account_id,
            monitor_id: self.held.row.id,
            due_at: self.context.asked.due_at,
            started_at: self.context.started_at,
            finished_at: self.now,
            outcome: result.outcome.as_str().to_owned(),
            added: evaluation.map_or(0, |evaluation| count(evaluation.added)),
            removed: evaluation.map_or(0, |evaluation| count(evaluation.removed)),
            modified: evaluation.map_or(0, |evaluation| count(evaluation.modified)),
            credits: i32::try_from(self.cost).unwrap_or(0),
            error_code: result.failed.as_ref().map(|failed| failed.code.as_str().to_owned()),
            warnings: Some(self.looked.warnings())
                .filter(|warnings| !warnings.is_empty())
                .map(|warnings| serde_json::to_string(&warnings))
                .transpose()
                .map_err(Error::internal)?,
            content_hash: evaluation.map(|evaluation| evaluation.observed_hash.clone()),
        };
        monitor_run::Entity::insert(row.into_active_model()).exec_without_returning(self.transaction).await?;
        Ok(())
    }

    /// Writes what the source said of itself, and its body while others share it.
    async fn target(&mut self) -> Result<()> {
        let Some(answered) = &self.looked.answered else { return Ok(()) };
        let Some(fetched) = &answered.fetched else { return Ok(()) };
        // By the time of the download, not of this writing: what others had from the source in between is newer.
        let at = answered.at;
        let url_key = self.context.row.url_key.clone();
        let fetched_by = Some(self.held.row.account_id);
        if fetched.not_modified {
            let known = self.context.target.as_ref().map_or(0, |target| target.body_hash);
            monitor_target::Entity::update_many()
                .col_expr(monitor_target::Column::CheckedAt, Expr::value(at))
                .col_expr(monitor_target::Column::FetchedBy, Expr::value(fetched_by))
                .filter(monitor_target::Column::UrlKey.eq(url_key))
                .filter(monitor_target::Column::BodyHash.eq(known))
                .exec(self.transaction)
                .await?;
            return Ok(());
        }
        // A body without a hash is asked for without conditions next time, and shared with nobody.
        let body_hash = self.looked.body_hash.or(answered.body_hash).unwrap_or(0);
        let target = monitor_target::Model {
            url_key,
            url: self.context.row.target_url.clone(),
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
            content_type: fetched.content_type.clone(),
            final_url: Some(fetched.url.as_str().to_owned()),
            body_hash,
            body: self.looked.shared_body.take().filter(|_| body_hash != 0),
            fetched_at: at,
            checked_at: at,
            fetched_by,
        };
        sql::upsert_targets(self.transaction, vec![target]).await
    }

    /// Stores contents, and drops those that nothing needs any more.
    async fn snapshots(&self, evaluation: &mut Evaluation) -> Result<()> {
        let row = &self.held.row;
        let is_new = row.observed_hash.as_deref() != Some(evaluation.observed_hash.as_str());
        for content in std::mem::take(&mut evaluation.contents) {
            let snapshot = monitor_snapshot::Model {
                account_id: row.account_id,
                monitor_id: row.id,
                hash: content.hash,
                content: content.packed,
                seen_at: self.now,
            };
            sql::upsert_snapshot(self.transaction, snapshot).await?;
        }
        if is_new {
            let needed = [evaluation.baseline_hash.as_str(), evaluation.observed_hash.as_str()];
            sql::prune_snapshots(self.transaction, row.id, needed).await?;
        }
        Ok(())
    }

    /// Writes a change, and tells it among the feeds of whoever follows it.
    async fn change(&self, new: NewChange, links: &Links) -> Result<()> {
        let row = &self.held.row;
        let previous_look_at = new.previous_look_at.max(self.last_good_run().await?);
        let mut summary = new.summary;
        // After a pause of whatever kind it matters how long ago things were as they are told to have been.
        let usual = self.now - 2 * self.context.interval();
        if let Some(last) = previous_look_at.filter(|last| *last < usual) {
            summary.push_str(&format!(" (since the look of {})", minute_in_words(last)));
        }
        let change = Change {
            id: self.domain.new_id(),
            monitor_id: row.id,
            run_id: self.context.asked.run_id,
            detected_at: self.now,
            kind: new.kind.to_owned(),
            url: row.target_url.clone(),
            title: new.title,
            summary,
            operations: new.operations,
            before_hash: Some(new.before_hash),
            after_hash: Some(new.after_hash),
            previous_look_at,
        };
        let stored = change.row(row.account_id)?.into_active_model();
        entities::monitor_change::Entity::insert(stored).exec_without_returning(self.transaction).await?;
        let found = FoundChange {
            id: change.id.to_string(),
            title: &change.title,
            summary: &change.summary,
            link: links.of(change.id),
        };
        notices::monitor_changed(self.transaction, self.domain, row, found).await?;
        if let Some(feed_id) = row.feed_id {
            follow::deliver(self.transaction, self.now, feed_id, &render::items(&change, links)).await?;
        }
        Ok(())
    }

    /// When the last run before this one began that did not fail: it may have found the same body, and judged none.
    async fn last_good_run(&self) -> Result<Option<Millis>> {
        let last = monitor_run::Entity::owned_by(self.held.row.account_id)
            .filter(monitor_run::Column::MonitorId.eq(self.held.row.id))
            .filter(monitor_run::Column::Id.ne(self.context.asked.run_id))
            .filter(monitor_run::Column::Outcome.ne(Outcome::Error.as_str()))
            .order_by_desc(monitor_run::Column::DueAt)
            .one(self.transaction)
            .await?;
        Ok(last.map(|last| last.started_at))
    }

    async fn success(&self, result: &RunResult, after: &After<'_>) -> Result<()> {
        let row = &self.held.row;
        let status = next::status_after_success(after).await?;
        let next = next::regular(after);
        let has_changed = result.outcome == Outcome::Changed;
        let body_hash = if result.looks_again { Some(0) } else { self.looked.body_hash };
        let mut after = monitor::ActiveModel {
            id: Set(row.id),
            status: Set(status.as_str().to_owned()),
            next_run_at: Set((status == Status::Active).then_some(next)),
            last_run_at: Set(Some(self.now)),
            last_change_at: if has_changed { Set(Some(self.now)) } else { NotSet },
            last_error_code: Set(None),
            failures: Set(0),
            failing_since: Set(None),
            absent: Set(0),
            refused_since: Set(None),
            credits_wait_until: Set(None),
            seen_body_hash: body_hash.map_or(NotSet, Set),
            ..Default::default()
        };
        if let Some(evaluation) = &result.evaluation {
            after.baseline_hash = Set(Some(evaluation.baseline_hash.clone()));
            after.observed_hash = Set(Some(evaluation.observed_hash.clone()));
            after.recent = Set(serde_json::to_string(&evaluation.trail).map_err(Error::internal)?);
            after.masks = Set(serde_json::to_string(&evaluation.memory).map_err(Error::internal)?);
        }
        after.update(self.transaction).await?;
        if let Some(feed_id) = row.feed_id {
            pushed::note_health(self.transaction, self.now, feed_id, Health::Ok).await?;
        }
        Ok(())
    }
}

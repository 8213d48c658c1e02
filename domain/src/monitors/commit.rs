//! Writes a run down: its row, its change, what it costs, when its monitor runs next, what is kept of the
//! target, and the end of the job, all in one transaction. A run that is written twice is written once.

use entities::{monitor, monitor_run, monitor_snapshot, monitor_target};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect,
};

use super::change::Change;
use super::evaluate::{Evaluation, NewChange};
use super::fetch::RunContext;
use super::follow;
use super::outcome::{EXHAUSTED, Outcome, RunError};
use super::render::{self, Links};
use super::result::RunResult;
use super::rules::{self, Failures};
use super::sql::{self, SharedBody};
use super::{Status, TargetType};
use crate::accounts;
use crate::clock::Millis;
use crate::code::Code;
use crate::credits::{self, Charge, CreditBalance};
use crate::error::{Error, Result};
use crate::handle::Domain;
use crate::hosts;
use crate::jobs;
use crate::limits::Tier;

/// What the dearest run costs: with less than this left, some monitors wait for the next month.
const DEAREST: i64 = 3;

/// A run that ended, and what it came to.
pub(super) struct FinishedRun<'a> {
    pub(super) claimed: &'a jobs::Claimed,
    pub(super) context: &'a RunContext,
    pub(super) result: RunResult,
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
    held: LockedRows,
    now: Millis,
    cost: i64,
}

/// Writes a run and ends its job.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing was written then, and nothing
/// charged.
pub(super) async fn commit_run(domain: &Domain, ended: FinishedRun<'_>) -> Result<()> {
    let FinishedRun { claimed, context, result } = ended;
    let transaction = write_run(domain, context, result).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Writes a run whose job is over already: none of its workers lived to write one.
///
/// # Errors
/// As [`commit_run`].
pub(super) async fn commit_dead_run(domain: &Domain, context: &RunContext, failed: RunError) -> Result<()> {
    Ok(write_run(domain, context, RunResult::error(failed)).await?.commit().await?)
}

/// Writes a run in a transaction of its own, which the caller commits.
async fn write_run(domain: &Domain, context: &RunContext, result: RunResult) -> Result<DatabaseTransaction> {
    let links = Links::load(domain, &domain.policy().base_url, &context.row.feed_token).await?;
    let transaction = domain.db().begin().await?;
    if let Some(held) = lock_rows(&transaction, context).await? {
        let (transaction, now) = (&transaction, domain.now());
        let writing = RunWriter { transaction, domain, context, held, now, cost: 0 };
        writing.write(result, &links).await?;
    }
    Ok(transaction)
}

/// Holds the account and the monitor. `None` when the monitor is gone, has run for this due time, or shall
/// look at something else than this run did: then the run never was.
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
    let is_same = |row: &monitor::Model| {
        row.definition == context.row.definition && row.baseline_hash == context.row.baseline_hash
    };
    Ok(row.filter(is_same).map(|row| LockedRows { tier, row }))
}

impl RunWriter<'_> {
    async fn write(mut self, mut result: RunResult, links: &Links) -> Result<()> {
        let standing = self.charge(&mut result).await?;
        self.run(&result).await?;
        self.target(&mut result).await?;
        if let Some(evaluation) = &mut result.evaluation {
            let new = evaluation.change.take();
            self.snapshots(evaluation).await?;
            if let Some(new) = new {
                self.change(new, links).await?;
            }
        }
        match &result.failed {
            None => self.success(&result).await?,
            Some(failed) => self.failure(failed, &result).await?,
        }
        self.wait_for_credits(standing).await?;
        metrics::counter!("carrel_monitor_runs_total", "outcome" => result.outcome.as_str()).increment(1);
        Ok(())
    }

    /// Charges the run. One that cannot be paid for any more came to nothing: another run took what was
    /// left meanwhile.
    async fn charge(&mut self, result: &mut RunResult) -> Result<CreditBalance> {
        let price = if result.is_charged() { self.context.kind.cost() } else { 0 };
        let account_id = self.held.row.account_id;
        let (run_id, monitor_id) = (self.context.asked.run_id, self.held.row.id);
        let charge = Charge { account_id, run_id, monitor_id, cost: price };
        let allowance = i64::from(self.context.plan.web_monitor_monthly_credits);
        if let Some(standing) = credits::charge(self.transaction, self.now, allowance, charge).await? {
            self.cost = price;
            return Ok(standing);
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
        };
        monitor_run::Entity::insert(row.into_active_model()).exec_without_returning(self.transaction).await?;
        Ok(())
    }

    /// Writes what the source said of itself, and its body while others share it.
    async fn target(&self, result: &mut RunResult) -> Result<()> {
        let Some(fetched) = result.answered.as_ref().and_then(|answered| answered.fetched.as_ref()) else {
            return Ok(());
        };
        let url_key = self.held.row.url_key.clone();
        if fetched.not_modified {
            monitor_target::Entity::update_many()
                .col_expr(monitor_target::Column::CheckedAt, Expr::value(self.now))
                .filter(monitor_target::Column::UrlKey.eq(url_key))
                .exec(self.transaction)
                .await?;
            return Ok(());
        }
        let hash = result.body_hash.filter(|hash| *hash != 0);
        let is_same = result.outcome == Outcome::Unchanged && hash.is_none() && result.evaluation.is_none();
        let known = self.context.target.as_ref().map_or(0, |target| target.body_hash);
        // A body without a hash is asked for without conditions next time, and shared with nobody.
        let body_hash = if is_same { known } else { hash.unwrap_or(0) };
        let target = monitor_target::Model {
            url_key,
            url: self.held.row.target_url.clone(),
            etag: fetched.etag.clone(),
            last_modified: fetched.last_modified.clone(),
            content_type: fetched.content_type.clone(),
            final_url: Some(fetched.url.as_str().to_owned()),
            body_hash,
            body: result.shared_body.take().filter(|_| body_hash != 0),
            fetched_at: self.now,
            checked_at: self.now,
        };
        let body = if is_same { SharedBody::Keep } else { SharedBody::Replace };
        sql::upsert_target(self.transaction, target, body).await
    }

    /// Stores a content, and drops one that nothing speaks of any more.
    async fn snapshots(&self, evaluation: &mut Evaluation) -> Result<()> {
        let row = &self.held.row;
        if let Some(content) = evaluation.kept.take() {
            let snapshot = monitor_snapshot::Model {
                account_id: row.account_id,
                monitor_id: row.id,
                hash: content.hash,
                content: content.packed,
                seen_at: self.now,
            };
            sql::upsert_snapshot(self.transaction, snapshot).await?;
        }
        if let Some(dropped) = evaluation.dropped.as_deref().filter(|hash| *hash != evaluation.baseline_hash)
        {
            sql::drop_snapshot(self.transaction, row.id, dropped).await?;
        }
        Ok(())
    }

    /// Writes a change, and tells it among the feeds of whoever follows it.
    async fn change(&self, new: NewChange, links: &Links) -> Result<()> {
        let row = &self.held.row;
        let change = Change {
            id: self.domain.new_id(),
            monitor_id: row.id,
            run_id: self.context.asked.run_id,
            detected_at: self.now,
            kind: new.kind.to_owned(),
            url: row.target_url.clone(),
            title: new.title,
            summary: new.summary,
            operations: new.operations,
            before_hash: Some(new.before_hash),
            after_hash: Some(new.after_hash),
        };
        let stored = change.row(row.account_id)?.into_active_model();
        entities::monitor_change::Entity::insert(stored).exec_without_returning(self.transaction).await?;
        if let Some(feed_id) = row.feed_id {
            follow::deliver(self.transaction, self.now, feed_id, &render::items(&change, links)).await?;
        }
        Ok(())
    }

    async fn success(&self, result: &RunResult) -> Result<()> {
        let (context, row) = (self.context, &self.held.row);
        let status = self.status_after_success().await?;
        let next = rules::next(row.id, context.started_at, context.interval());
        let has_changed = result.outcome == Outcome::Changed;
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
            seen_body_hash: result.body_hash.map_or(NotSet, Set),
            ..Default::default()
        };
        if let Some(evaluation) = &result.evaluation {
            after.baseline_hash = Set(Some(evaluation.baseline_hash.clone()));
            after.recent = Set(serde_json::to_string(&evaluation.recent).map_err(Error::internal)?);
            after.masks = Set(serde_json::to_string(&evaluation.memory).map_err(Error::internal)?);
        }
        after.update(self.transaction).await?;
        Ok(())
    }

    /// A failed monitor that a person has run goes on when that went well and the plan has room for it.
    async fn status_after_success(&self) -> Result<Status> {
        let status = Status::parse(&self.held.row.status).unwrap_or(Status::Paused);
        if status != Status::Failed || !self.context.asked.by_hand {
            return Ok(status);
        }
        let active = rules::count_active(self.transaction, self.held.row.account_id).await?;
        let room = u64::from(self.domain.policy().tiers.of(self.held.tier).web_monitors);
        Ok(if active < room { Status::Active } else { status })
    }

    async fn failure(&self, failed: &RunError, result: &RunResult) -> Result<()> {
        let (row, context) = (&self.held.row, self.context);
        let is_active = row.status == Status::Active.as_str();
        if failed.is_exhausted() {
            return if is_active { self.wait_for_next_month().await } else { Ok(()) };
        }
        if let Some(pause) = failed.host_pause {
            let account_id = Some(row.account_id);
            let pause = hosts::Pause { url: &row.target_url, length: pause, account_id };
            hosts::pause(self.transaction, self.now, pause).await?;
        }
        let failures = Failures {
            count: row.failures.saturating_add(1),
            since: row.failing_since.unwrap_or(self.now),
            absent: if failed.absent { row.absent.saturating_add(1) } else { 0 },
        };
        let is_given_up = is_active && (failed.is_final || failures.are_too_many(self.now));
        let back_off = rules::back_off(context.interval(), failures.count);
        let resumed = self.now + failed.host_pause.unwrap_or(0);
        let next = rules::next(row.id, context.started_at, back_off).max(resumed);
        let after = monitor::ActiveModel {
            id: Set(row.id),
            status: if is_given_up { Set(Status::Failed.as_str().to_owned()) } else { NotSet },
            next_run_at: Set((is_active && !is_given_up).then_some(next)),
            last_run_at: Set(Some(self.now)),
            last_error_code: Set(Some(failed.code.as_str().to_owned())),
            failures: Set(failures.count),
            failing_since: Set(Some(failures.since)),
            absent: Set(failures.absent),
            // What was of no use is looked at again, whatever its hash.
            seen_body_hash: if result.body_hash.is_some() { Set(0) } else { NotSet },
            ..Default::default()
        };
        after.update(self.transaction).await?;
        Ok(())
    }

    /// Has the monitor wait for credits, and say so.
    async fn wait_for_next_month(&self) -> Result<()> {
        let after = monitor::ActiveModel {
            id: Set(self.held.row.id),
            next_run_at: Set(Some(credits::next_month(self.now))),
            last_error_code: Set(Some(EXHAUSTED.as_str().to_owned())),
            ..Default::default()
        };
        after.update(self.transaction).await?;
        Ok(())
    }

    /// Has the account's monitors wait for the next month that cannot be paid for any more.
    async fn wait_for_credits(&self, standing: CreditBalance) -> Result<()> {
        if standing.remaining() >= DEAREST {
            return Ok(());
        }
        let month = credits::next_month(self.now);
        for kind in TargetType::ALL {
            if kind.cost() > standing.remaining() {
                sql::wait_for_month(self.transaction, self.held.row.account_id, kind, month).await?;
            }
        }
        Ok(())
    }
}

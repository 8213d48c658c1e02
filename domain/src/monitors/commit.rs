//! Writes a run down: its row, its change, what it costs, when its monitor runs next, what is kept of the
//! target, and the end of the job, all in one transaction. A run that is written twice is written once.

use std::collections::HashSet;

use entities::{monitor, monitor_run, monitor_snapshot, monitor_target};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter};

use super::change::Change;
use super::evaluate::{Evaluation, NewChange};
use super::fetch::RunContext;
use super::follow;
use super::held::{Held, Known, hold, know};
use super::look::Looked;
use super::monitor::Status;
use super::next::{self, After};
use super::outcome::{Outcome, RunError};
use super::plan;
use super::render::{self, Links};
use super::result::RunResult;
use super::sql;
use crate::clock::{Millis, minute_in_words};
use crate::credits::{self, Charge, CreditBalance};
use crate::error::{Error, Result};
use crate::feeds::health::Health;
use crate::feeds::pushed;
use crate::handle::Domain;
use crate::jobs;
use crate::notices::{self, FoundChange};
use crate::writes::Writes;

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

/// Whether others are written in the same transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Company {
    /// Nobody else.
    Alone,
    /// Other runs of the account, whose rows are held as well.
    Others,
}

/// What became of writing a run.
pub(super) enum Committed {
    /// It is written and came to this, or there was nothing to be written.
    Written(Option<Outcome>),
    /// Nothing is written. The monitor, which is not what the run was weighed against any more, or whose run is not to be
    /// written in company.
    Apart(Box<monitor::Model>),
}

/// Where a run is being written.
struct RunWriter<'a> {
    writes: Writes<'a>,
    domain: &'a Domain,
    context: &'a RunContext,
    looked: &'a mut Looked,
    held: Held,
    known: Known,
    now: Millis,
    cost: i64,
}

/// Writes a run, and ends the job that ends with it, unless the monitor is another than the run was weighed against.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing was written then, and nothing
/// charged.
pub(super) async fn commit_run(domain: &Domain, run: FinishedRun<'_>) -> Result<Committed> {
    let links = links_of(domain, run.context).await?;
    let transaction = domain.db().begin().await?;
    let committed = write_run(&transaction, domain, run, (&links, Company::Alone)).await?;
    if let Committed::Written(outcome) = &committed {
        transaction.commit().await?;
        outcome.inspect(|outcome| outcome.count(1));
    }
    Ok(committed)
}

/// Writes a run whose job is over already: none of its workers lived to write one.
///
/// # Errors
/// As [`commit_run`].
pub(super) async fn commit_dead_run(domain: &Domain, context: &RunContext, failed: RunError) -> Result<()> {
    let mut looked = Looked::failed(failed.clone());
    let result = RunResult::error(failed);
    // If it moved, somebody looked meanwhile.
    commit_run(domain, FinishedRun { claimed: None, context, looked: &mut looked, result }).await.map(|_| ())
}

/// The links that a change of this monitor is told with.
pub(super) async fn links_of(domain: &Domain, context: &RunContext) -> Result<Links> {
    Links::load(domain, &domain.policy().base_url, &context.row.feed_token).await
}

/// Writes a run as a part of a transaction, which must not be committed when this fails. Its outcome is to be counted once
/// that is committed.
///
/// # Errors
/// As [`commit_run`].
pub(super) async fn write_run(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    run: FinishedRun<'_>,
    (links, company): (&Links, Company),
) -> Result<Committed> {
    let FinishedRun { claimed, context, looked, mut result } = run;
    let mut writes = Writes::of(transaction);
    if let Some(claimed) = claimed {
        jobs::complete_with(&mut writes, domain, claimed);
    }
    let Some(held) = hold(transaction, context).await? else {
        writes.send().await?;
        return Ok(Committed::Written(None));
    };
    let now = domain.now();
    let known = know(transaction, context, now).await?;
    if known.is_written {
        // Its due time has had its run.
        writes.send().await?;
        return Ok(Committed::Written(None));
    }
    if !context.sees_the_same_as(&held.row)? {
        result = RunResult::error(RunError::superseded());
    } else if held.is_moved_from(&context.row) {
        return Ok(Committed::Apart(Box::new(held.row)));
    }
    if company == Company::Others && is_more_than_its_own(&held.row, result.failed.as_ref()) {
        return Ok(Committed::Apart(Box::new(held.row)));
    }
    let writing = RunWriter { writes, domain, context, looked, held, known, now, cost: 0 };
    Ok(Committed::Written(Some(Box::pin(writing.write(result, links)).await?)))
}

/// Whether a run also writes what those of other accounts write, in no common order: it may wait for them, and they for what
/// the runs beside it hold.
pub(super) fn is_more_than_its_own(row: &monitor::Model, failed: Option<&RunError>) -> bool {
    // Who hands out entries of feeds waits for others who do; who has a server paused, for others who do.
    row.feed_id.is_some() || failed.is_some_and(|failed| failed.host_pause.is_some())
}

impl RunWriter<'_> {
    /// Everything that is always written goes together; what follows from it, and is rarely there, comes after.
    /// Tells what the run came to.
    async fn write(mut self, mut result: RunResult, links: &Links) -> Result<Outcome> {
        let balance = self.charge(&mut result).await?;
        self.run(&result)?;
        self.target();
        let mut change = None;
        if let Some(evaluation) = &mut result.evaluation {
            let new = evaluation.change.take();
            self.snapshots(evaluation);
            change = new.map(|new| self.change(new)).transpose()?;
        }
        let transaction = self.writes.transaction();
        let (domain, context, now) = (self.domain, self.context, self.now);
        let account_id = self.held.row.account_id;
        if result.failed.is_none() {
            let status = next::status_after_success(&self.after()).await?;
            self.success(&result, status)?;
        }
        let Self { writes, held, looked, cost, .. } = self;
        writes.send().await?;
        notices::credits_used(
            transaction,
            domain,
            account_id,
            (balance.month, balance.used, balance.limit(), cost),
        )
        .await?;
        if let Some(change) = change {
            tell(transaction, domain, &held.row, (&change, links)).await?;
        }
        let after = After { transaction, domain, context, row: &held.row, tier: held.tier, now };
        match (&result.failed, held.row.feed_id) {
            (Some(failed), _) => next::after_failure(&after, failed, looked.body_hash.is_some()).await?,
            (None, Some(feed_id)) => pushed::note_health(transaction, now, feed_id, Health::Ok).await?,
            (None, None) => {}
        }
        if balance.remaining() < DEAREST {
            plan::wait_for_credits(transaction, domain, account_id, balance).await?;
        }
        Ok(result.outcome)
    }

    /// What follows from the run is asked of this.
    fn after(&self) -> After<'_> {
        After {
            transaction: self.writes.transaction(),
            domain: self.domain,
            context: self.context,
            row: &self.held.row,
            tier: self.held.tier,
            now: self.now,
        }
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
        let month = (allowance, self.known.open_month);
        if let Some(balance) = credits::charge(&mut self.writes, self.now, month, charge).await? {
            self.cost = price;
            return Ok(balance);
        }
        *result = RunResult::error(RunError::exhausted());
        credits::balance(self.writes.transaction(), self.now, account_id, allowance).await
    }

    /// Writes the run.
    fn run(&mut self, result: &RunResult) -> Result<()> {
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
        self.writes.add(&monitor_run::Entity::insert(row.into_active_model()));
        Ok(())
    }

    /// Writes what the source said of itself, and its body while others share it.
    fn target(&mut self) {
        let Some(answered) = &self.looked.answered else { return };
        let Some(fetched) = &answered.fetched else { return };
        // By the time of the download, not of this writing: what others had from the source in between is newer.
        let at = answered.at;
        let url_key = self.context.row.url_key.clone();
        let fetched_by = Some(self.held.row.account_id);
        if fetched.not_modified {
            let known = self.context.target.as_ref().map_or(0, |target| target.body_hash);
            let confirmed = monitor_target::Entity::update_many()
                .col_expr(monitor_target::Column::CheckedAt, Expr::value(at))
                .col_expr(monitor_target::Column::FetchedBy, Expr::value(fetched_by))
                .filter(monitor_target::Column::UrlKey.eq(url_key))
                .filter(monitor_target::Column::BodyHash.eq(known));
            return self.writes.add(&confirmed);
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
        let (sql, values) = sql::target_upsert(vec![target]);
        self.writes.add_sql(&sql, values);
    }

    /// Drops contents that nothing needs any more, and stores those that came.
    fn snapshots(&mut self, evaluation: &mut Evaluation) {
        let row = &self.held.row;
        let mut contents = std::mem::take(&mut evaluation.contents);
        // What is told and what is compared with may be the same.
        let mut hashes = HashSet::new();
        contents.retain(|content| hashes.insert(content.hash.clone()));
        if row.observed_hash.as_deref() != Some(evaluation.observed_hash.as_str()) {
            let new: Vec<String> = contents.iter().map(|content| content.hash.clone()).collect();
            let mut needed = vec![evaluation.baseline_hash.as_str(), evaluation.observed_hash.as_str()];
            needed.extend(row.baseline_hash.as_deref());
            sql::prune_snapshots(&mut self.writes, row.id, (&new, &needed));
        }
        for content in contents {
            let snapshot = monitor_snapshot::Model {
                account_id: row.account_id,
                monitor_id: row.id,
                hash: content.hash,
                content: content.packed,
                seen_at: self.now,
            };
            sql::upsert_snapshot(&mut self.writes, snapshot);
        }
    }

    /// Writes a change.
    fn change(&mut self, new: NewChange) -> Result<Change> {
        let row = &self.held.row;
        // The last good run may have found the same body, and judged none.
        let previous_look_at = new.previous_look_at.max(self.known.last_good_run);
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
        self.writes.add(&entities::monitor_change::Entity::insert(stored));
        Ok(change)
    }

    /// Writes what a run that went well means for its monitor.
    fn success(&mut self, result: &RunResult, status: Status) -> Result<()> {
        let next = next::regular(&self.after());
        let has_changed = result.outcome == Outcome::Changed;
        let body_hash = if result.looks_again { Some(0) } else { self.looked.body_hash };
        let mut after = monitor::ActiveModel {
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
        let update = monitor::Entity::update_many().set(after);
        self.writes.add(&update.filter(monitor::Column::Id.eq(self.held.row.id)));
        Ok(())
    }
}

/// Tells a change to whoever listens, and among the feeds of whoever follows the monitor.
async fn tell(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &monitor::Model,
    (change, links): (&Change, &Links),
) -> Result<()> {
    let found = FoundChange {
        id: change.id.to_string(),
        title: &change.title,
        summary: &change.summary,
        link: links.of(change.id),
    };
    notices::monitor_changed(transaction, domain, row, found).await?;
    if let Some(feed_id) = row.feed_id {
        follow::deliver(transaction, change.detected_at, feed_id, &render::items(change, links)).await?;
    }
    Ok(())
}

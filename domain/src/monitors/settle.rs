//! Writing a run down: its row, its change, what it costs, when its monitor runs next, what is kept of the
//! target, and the end of the job, all in one transaction. A run that is written twice is written once.

use entities::{monitor, monitor_run, monitor_snapshot, monitor_target};
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QuerySelect,
};

use super::change::Change;
use super::follow;
use super::judge::Found;
use super::look::Subject;
use super::outcome::{EXHAUSTED, Failed, Outcome};
use super::publish::{self, Links};
use super::rules::{self, Failures};
use super::sql::{self, SharedBody};
use super::weigh::{NewChange, Weighed};
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
pub(super) struct Ended<'a> {
    pub(super) claimed: &'a jobs::Claimed,
    pub(super) subject: &'a Subject,
    pub(super) found: Found,
}

/// What a run is written to, held until the end of the transaction.
struct Held {
    /// The plan of the account.
    tier: Tier,
    /// The monitor as it is now.
    row: monitor::Model,
}

/// Where a run is being written.
struct Writing<'a> {
    transaction: &'a DatabaseTransaction,
    domain: &'a Domain,
    subject: &'a Subject,
    held: Held,
    now: Millis,
    cost: i64,
}

/// Writes a run and ends its job.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing was written then, and nothing
/// charged.
pub(super) async fn write(domain: &Domain, ended: Ended<'_>) -> Result<()> {
    let Ended { claimed, subject, found } = ended;
    let links = Links::load(domain, &domain.policy().base_url, &subject.row.feed_token).await?;
    let transaction = domain.db().begin().await?;
    if let Some(held) = hold(&transaction, subject).await? {
        let (transaction, now) = (&transaction, domain.now());
        let writing = Writing { transaction, domain, subject, held, now, cost: 0 };
        writing.write(found, &links).await?;
    }
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Holds the account and the monitor. `None` when the monitor is gone, has run for this due time, or shall
/// look at something else than this run did: then the run never was.
async fn hold(transaction: &DatabaseTransaction, subject: &Subject) -> Result<Option<Held>> {
    let account_id = subject.row.account_id;
    let tier = match accounts::lock(transaction, account_id).await {
        Ok(tier) => tier,
        Err(error) if error.code == Code::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let row = monitor::Entity::owned_by(account_id)
        .filter(monitor::Column::Id.eq(subject.row.id))
        .lock_exclusive()
        .one(transaction)
        .await?;
    let written = monitor_run::Entity::owned_by(account_id)
        .filter(monitor_run::Column::MonitorId.eq(subject.row.id))
        .filter(monitor_run::Column::DueAt.eq(subject.asked.due_at));
    if written.count(transaction).await? > 0 {
        return Ok(None);
    }
    let is_same = |row: &monitor::Model| {
        row.definition == subject.row.definition && row.baseline_hash == subject.row.baseline_hash
    };
    Ok(row.filter(is_same).map(|row| Held { tier, row }))
}

impl Writing<'_> {
    async fn write(mut self, mut found: Found, links: &Links) -> Result<()> {
        let standing = self.charge(&mut found).await?;
        self.run(&found).await?;
        self.target(&mut found).await?;
        if let Some(weighed) = &mut found.weighed {
            let new = weighed.change.take();
            self.snapshots(weighed).await?;
            if let Some(new) = new {
                self.change(new, links).await?;
            }
        }
        match &found.failed {
            None => self.success(&found).await?,
            Some(failed) => self.failure(failed, &found).await?,
        }
        self.wait_for_credits(standing).await?;
        metrics::counter!("carrel_monitor_runs_total", "outcome" => found.outcome.as_str()).increment(1);
        Ok(())
    }

    /// Charges the run. One that cannot be paid for any more came to nothing: another run took what was
    /// left meanwhile.
    async fn charge(&mut self, found: &mut Found) -> Result<CreditBalance> {
        let price = if found.is_charged() { self.subject.kind.cost() } else { 0 };
        let account_id = self.held.row.account_id;
        let (run_id, monitor_id) = (self.subject.asked.run_id, self.held.row.id);
        let charge = Charge { account_id, run_id, monitor_id, cost: price };
        let allowance = i64::from(self.subject.plan.web_monitor_monthly_credits);
        if let Some(standing) = credits::charge(self.transaction, self.now, allowance, charge).await? {
            self.cost = price;
            return Ok(standing);
        }
        *found = Found::error(Failed::exhausted());
        credits::balance(self.transaction, self.now, account_id, allowance).await
    }

    /// Writes the run.
    async fn run(&self, found: &Found) -> Result<()> {
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let weighed = found.weighed.as_ref();
        let row = monitor_run::Model {
            id: self.subject.asked.run_id,
            account_id: self.held.row.account_id,
            monitor_id: self.held.row.id,
            due_at: self.subject.asked.due_at,
            started_at: self.subject.begun,
            finished_at: self.now,
            outcome: found.outcome.as_str().to_owned(),
            added: weighed.map_or(0, |weighed| count(weighed.added)),
            removed: weighed.map_or(0, |weighed| count(weighed.removed)),
            modified: weighed.map_or(0, |weighed| count(weighed.modified)),
            credits: i32::try_from(self.cost).unwrap_or(0),
            error_code: found.failed.as_ref().map(|failed| failed.code.as_str().to_owned()),
        };
        monitor_run::Entity::insert(row.into_active_model()).exec_without_returning(self.transaction).await?;
        Ok(())
    }

    /// Writes what the source said of itself, and its body while others share it.
    async fn target(&self, found: &mut Found) -> Result<()> {
        let Some(fetched) = found.answered.as_ref().and_then(|answered| answered.fetched.as_ref()) else {
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
        let hash = found.body_hash.filter(|hash| *hash != 0);
        let is_same = found.outcome == Outcome::Unchanged && hash.is_none() && found.weighed.is_none();
        let known = self.subject.target.as_ref().map_or(0, |target| target.body_hash);
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
            body: found.shared_body.take().filter(|_| body_hash != 0),
            fetched_at: self.now,
            checked_at: self.now,
        };
        let body = if is_same { SharedBody::Keep } else { SharedBody::Replace };
        sql::upsert_target(self.transaction, target, body).await
    }

    /// Stores a content, and drops one that nothing speaks of any more.
    async fn snapshots(&self, weighed: &mut Weighed) -> Result<()> {
        let row = &self.held.row;
        if let Some(content) = weighed.kept.take() {
            let snapshot = monitor_snapshot::Model {
                account_id: row.account_id,
                monitor_id: row.id,
                hash: content.hash,
                content: content.packed,
                seen_at: self.now,
            };
            sql::upsert_snapshot(self.transaction, snapshot).await?;
        }
        if let Some(dropped) = weighed.dropped.as_deref().filter(|hash| *hash != weighed.baseline_hash) {
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
            run_id: self.subject.asked.run_id,
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
            follow::deliver(self.transaction, self.now, feed_id, &publish::items(&change, links)).await?;
        }
        Ok(())
    }

    async fn success(&self, found: &Found) -> Result<()> {
        let (subject, row) = (self.subject, &self.held.row);
        let status = self.status_after_success().await?;
        let next = rules::next(row.id, subject.begun, subject.interval());
        let has_changed = found.outcome == Outcome::Changed;
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
            seen_body_hash: found.body_hash.map_or(NotSet, Set),
            ..Default::default()
        };
        if let Some(weighed) = &found.weighed {
            after.baseline_hash = Set(Some(weighed.baseline_hash.clone()));
            after.recent = Set(serde_json::to_string(&weighed.recent).map_err(Error::internal)?);
            after.masks = Set(serde_json::to_string(&weighed.memory).map_err(Error::internal)?);
        }
        after.update(self.transaction).await?;
        Ok(())
    }

    /// A failed monitor that a person has run goes on when that went well and the plan has room for it.
    async fn status_after_success(&self) -> Result<Status> {
        let status = Status::parse(&self.held.row.status).unwrap_or(Status::Paused);
        if status != Status::Failed || !self.subject.asked.by_hand {
            return Ok(status);
        }
        let active = rules::count_active(self.transaction, self.held.row.account_id).await?;
        let room = u64::from(self.domain.policy().tiers.of(self.held.tier).web_monitors);
        Ok(if active < room { Status::Active } else { status })
    }

    async fn failure(&self, failed: &Failed, found: &Found) -> Result<()> {
        let (row, subject) = (&self.held.row, self.subject);
        let is_active = row.status == Status::Active.as_str();
        if failed.is_exhausted() {
            return if is_active { self.wait_for_next_month().await } else { Ok(()) };
        }
        if let Some(pause) = failed.host_pause {
            hosts::pause(self.transaction, self.now, &row.target_url, pause).await?;
        }
        let failures = Failures {
            count: row.failures.saturating_add(1),
            since: row.failing_since.unwrap_or(self.now),
            absent: if failed.absent { row.absent.saturating_add(1) } else { 0 },
        };
        let is_given_up = is_active && (failed.is_final || failures.are_too_many(self.now));
        let back_off = rules::back_off(subject.interval(), failures.count);
        let resumed = self.now + failed.host_pause.unwrap_or(0);
        let next = rules::next(row.id, subject.begun, back_off).max(resumed);
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
            seen_body_hash: if found.body_hash.is_some() { Set(0) } else { NotSet },
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

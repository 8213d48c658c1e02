//! Writing a run down: its row, its change, what it costs, when its monitor runs next, what is kept of the
//! target, and the end of the job, all in one transaction. A run that is written twice is written once.

use entities::{monitor, monitor_change};
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::follow;
use super::judge::{self, Found, Outcome};
use super::look::{Failed, Subject};
use super::publish::{self, Links};
use super::rows::{change, for_update, model, number, sql};
use super::weigh::{NewChange, Weighed};
use super::{Status, rules};
use crate::accounts;
use crate::articles::extraction::Reach;
use crate::clock::Millis;
use crate::credits::{self, Charge, Standing};
use crate::error::{Error, Result};
use crate::feeds;
use crate::handle::Domain;
use crate::jobs;
use crate::limits::Tiers;

/// The word for a run that could not be paid for.
pub(super) const EXHAUSTED: &str = "monitor_credits_exhausted";
/// What the dearest run costs: with less than this left, some monitors wait for the next month.
const DEAREST: i64 = 3;

/// Where a run is being written.
struct Writing<'a> {
    transaction: &'a DatabaseTransaction,
    domain: &'a Domain,
    subject: &'a Subject,
    /// The monitor as it is now, held until the end of the transaction.
    row: monitor::Model,
    now: Millis,
    cost: i64,
}

/// Writes a run and ends its job.
///
/// # Errors
/// `Unavailable` and `Internal` when it could not be written; nothing was written then, and nothing
/// charged.
pub(super) async fn write(
    domain: &Domain,
    reach: &Reach,
    claimed: &jobs::Claimed,
    subject: &Subject,
    found: Found,
) -> Result<()> {
    let links = Links::load(domain, &reach.monitors.base_url, &subject.row.feed_token).await?;
    let transaction = domain.db().begin().await?;
    if let Some(row) = hold(&transaction, subject).await? {
        write_in(&transaction, domain, &reach.monitors.tiers, subject, row, (found, &links)).await?;
    }
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Holds the account and the monitor. `None` when the monitor is gone, has run for this due time, or shall
/// look at something else than this run did: then the run never was.
async fn hold(transaction: &DatabaseTransaction, subject: &Subject) -> Result<Option<monitor::Model>> {
    match accounts::lock(transaction, subject.row.account_id).await {
        Ok(_) => {}
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    }
    let text = format!("SELECT * FROM monitor m WHERE id = $1{}", for_update(transaction, "m"));
    let row = transaction.query_one_raw(sql(transaction, &text, [subject.row.id.into()])).await?;
    let row = row.as_ref().map(model).transpose()?;
    let text = "SELECT count(*) FROM monitor_run WHERE monitor_id = $1 AND due_at = $2";
    let values = [subject.row.id.into(), subject.asked.due_at.into()];
    if number(transaction, text, values).await? > 0 {
        return Ok(None);
    }
    let is_same = |row: &monitor::Model| {
        row.definition == subject.row.definition && row.baseline_hash == subject.row.baseline_hash
    };
    Ok(row.filter(is_same))
}

async fn write_in(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    tiers: &Tiers,
    subject: &Subject,
    row: monitor::Model,
    (mut found, links): (Found, &Links),
) -> Result<()> {
    let now = domain.now();
    let price = if found.is_charged() { subject.kind.cost() } else { 0 };
    let charge =
        Charge { account_id: row.account_id, run_id: subject.asked.run_id, monitor_id: row.id, cost: price };
    let allowance = i64::from(subject.plan.web_monitor_monthly_credits);
    let standing = if let Some(standing) = credits::charge(transaction, now, allowance, charge).await? {
        standing
    } else {
        // Another run took what was left meanwhile.
        found = Found::error(judge::exhausted(), None);
        credits::look(transaction, now, row.account_id, allowance).await?
    };
    let cost = if found.failed.as_ref().is_some_and(|failed| failed.code == EXHAUSTED) { 0 } else { price };
    let mut writing = Writing { transaction, domain, subject, row, now, cost };
    writing.run(&found).await?;
    writing.target(&mut found).await?;
    writing.snapshots(found.weighed.as_ref()).await?;
    let has_changed = found.outcome == Outcome::Changed;
    if let Some(new) = found.weighed.as_mut().and_then(|weighed| weighed.change.take()) {
        writing.change(new, links).await?;
    }
    match &found.failed {
        None => writing.success(tiers, &found, has_changed).await?,
        Some(failed) => writing.failure(failed, &found).await?,
    }
    writing.wait_for_credits(standing).await?;
    metrics::counter!("carrel_monitor_runs_total", "outcome" => found.outcome.as_str()).increment(1);
    Ok(())
}

impl Writing<'_> {
    /// Writes the run.
    async fn run(&self, found: &Found) -> Result<()> {
        let text = "INSERT INTO monitor_run (id, account_id, monitor_id, due_at, started_at, finished_at, outcome, \
            added, removed, modified, credits, error_code) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
        let (added, removed, modified) =
            found.weighed.as_ref().map_or((0, 0, 0), |found| (found.added, found.removed, found.modified));
        let asked = &self.subject.asked;
        let values: [Value; 12] = [
            asked.run_id.into(),
            self.row.account_id.into(),
            self.row.id.into(),
            asked.due_at.into(),
            self.subject.begun.into(),
            self.now.into(),
            found.outcome.as_str().into(),
            count(added).into(),
            count(removed).into(),
            count(modified).into(),
            i32::try_from(self.cost).unwrap_or(0).into(),
            found.failed.as_ref().map(|failed| failed.code).into(),
        ];
        change(self.transaction, text, values).await?;
        Ok(())
    }

    /// Writes what the source said of itself, and its body while others share it.
    async fn target(&self, found: &mut Found) -> Result<()> {
        let Some(fetched) = found.answered.as_ref().and_then(|answered| answered.fetched.as_ref()) else {
            return Ok(());
        };
        let key = self.row.url_key.as_str();
        if fetched.not_modified {
            let text = "UPDATE monitor_target SET checked_at = $1 WHERE url_key = $2";
            change(self.transaction, text, [self.now.into(), key.into()]).await?;
            return Ok(());
        }
        let hash = found.body_hash.filter(|hash| *hash != 0);
        let known = self.subject.target.as_ref().map_or(0, |target| target.body_hash);
        let is_same = found.outcome == Outcome::Unchanged && hash.is_none() && found.weighed.is_none();
        // A body without a hash is asked for without conditions next time, and shared with nobody.
        let hash = if is_same { known } else { hash.unwrap_or(0) };
        let body = found.shared_body.take().filter(|_| hash != 0);
        let keeps_body =
            if is_same { "COALESCE(excluded.body, monitor_target.body)" } else { "excluded.body" };
        let text = format!(
            "INSERT INTO monitor_target (url_key, url, etag, last_modified, content_type, final_url, body_hash, \
             body, fetched_at, checked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) \
             ON CONFLICT (url_key) DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified, \
             content_type = excluded.content_type, final_url = excluded.final_url, body_hash = excluded.body_hash, \
             body = {keeps_body}, fetched_at = excluded.fetched_at, checked_at = excluded.checked_at"
        );
        let values: [Value; 9] = [
            key.into(),
            self.row.target_url.as_str().into(),
            fetched.etag.as_deref().into(),
            fetched.last_modified.as_deref().into(),
            fetched.content_type.as_deref().into(),
            fetched.url.as_str().into(),
            hash.into(),
            body.into(),
            self.now.into(),
        ];
        change(self.transaction, &text, values).await?;
        Ok(())
    }

    /// Stores a content, and drops one that nothing speaks of any more.
    async fn snapshots(&self, weighed: Option<&Weighed>) -> Result<()> {
        let Some(weighed) = weighed else { return Ok(()) };
        if let Some((hash, content)) = &weighed.kept {
            let text = "INSERT INTO monitor_snapshot (account_id, monitor_id, hash, content, seen_at) \
                        VALUES ($1, $2, $3, $4, $5) \
                        ON CONFLICT (monitor_id, hash) DO UPDATE SET seen_at = excluded.seen_at";
            let values: [Value; 5] = [
                self.row.account_id.into(),
                self.row.id.into(),
                hash.as_str().into(),
                content.clone().into(),
                self.now.into(),
            ];
            change(self.transaction, text, values).await?;
        }
        if let Some(dropped) = weighed.dropped.as_deref().filter(|hash| *hash != weighed.baseline_hash) {
            let text = "DELETE FROM monitor_snapshot WHERE monitor_id = $1 AND hash = $2 AND NOT EXISTS \
                        (SELECT 1 FROM monitor_change WHERE monitor_id = $1 AND (before_hash = $2 OR after_hash = $2))";
            change(self.transaction, text, [self.row.id.into(), dropped.into()]).await?;
        }
        Ok(())
    }

    /// Writes a change, and tells it among the feeds of whoever follows it.
    async fn change(&mut self, new: NewChange, links: &Links) -> Result<()> {
        let row = monitor_change::Model {
            id: self.domain.new_id(),
            account_id: self.row.account_id,
            monitor_id: self.row.id,
            run_id: self.subject.asked.run_id,
            detected_at: self.now,
            kind: new.kind.to_owned(),
            url: self.row.target_url.clone(),
            title: new.title,
            summary: new.summary,
            operations: new.operations,
            before_hash: Some(new.before_hash),
            after_hash: Some(new.after_hash),
        };
        let text = "INSERT INTO monitor_change (id, account_id, monitor_id, run_id, detected_at, kind, url, title, \
            summary, operations, before_hash, after_hash) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let values: [Value; 12] = [
            row.id.into(),
            row.account_id.into(),
            row.monitor_id.into(),
            row.run_id.into(),
            row.detected_at.into(),
            row.kind.as_str().into(),
            row.url.as_str().into(),
            row.title.as_str().into(),
            row.summary.as_str().into(),
            row.operations.clone().into(),
            row.before_hash.as_deref().into(),
            row.after_hash.as_deref().into(),
        ];
        change(self.transaction, text, values).await?;
        if let Some(feed_id) = self.row.feed_id {
            follow::deliver(self.transaction, self.now, feed_id, &publish::items(&row, links)?).await?;
        }
        Ok(())
    }

    async fn success(&mut self, tiers: &Tiers, found: &Found, has_changed: bool) -> Result<()> {
        let (subject, row) = (self.subject, &self.row);
        let status = self.status_after_success(tiers).await?;
        let next = rules::next(row.id, subject.begun, subject.interval());
        let next = (status == Status::Active).then_some(next);
        let text = "UPDATE monitor SET status = $1, next_run_at = $2, last_run_at = $3, \
            last_change_at = COALESCE($4, last_change_at), last_error_code = NULL, failures = 0, \
            failing_since = NULL, absent = 0, seen_body_hash = COALESCE($5, seen_body_hash) WHERE id = $6";
        let values: [Value; 6] = [
            status.as_str().into(),
            next.into(),
            self.now.into(),
            has_changed.then_some(self.now).into(),
            found.body_hash.into(),
            row.id.into(),
        ];
        change(self.transaction, text, values).await?;
        let Some(weighed) = &found.weighed else { return Ok(()) };
        let text = "UPDATE monitor SET baseline_hash = $1, recent = $2, masks = $3 WHERE id = $4";
        let values: [Value; 4] = [
            weighed.baseline_hash.as_str().into(),
            serde_json::to_string(&weighed.recent).map_err(Error::internal)?.into(),
            serde_json::to_string(&weighed.memory).map_err(Error::internal)?.into(),
            row.id.into(),
        ];
        change(self.transaction, text, values).await?;
        Ok(())
    }

    /// A failed monitor that a person has run goes on when that went well and the plan has room for it.
    async fn status_after_success(&self, tiers: &Tiers) -> Result<Status> {
        let status = Status::parse(&self.row.status).unwrap_or(Status::Paused);
        if status != Status::Failed || !self.subject.asked.by_hand {
            return Ok(status);
        }
        let tier = accounts::lock(self.transaction, self.row.account_id).await?;
        let active = rules::count_active(self.transaction, self.row.account_id).await?;
        Ok(if active < u64::from(tiers.of(tier).web_monitors) { Status::Active } else { status })
    }

    async fn failure(&mut self, failed: &Failed, found: &Found) -> Result<()> {
        let (row, subject) = (&self.row, self.subject);
        if failed.code == EXHAUSTED {
            let text = "UPDATE monitor SET next_run_at = $1, last_error_code = $2 WHERE id = $3 AND status = 'active'";
            let month = credits::next_month(self.now);
            change(self.transaction, text, [month.into(), EXHAUSTED.into(), row.id.into()]).await?;
            return Ok(());
        }
        if let Some(pause) = failed.host_pause {
            feeds::pause_host(self.transaction, &row.host, self.now + pause).await?;
        }
        let failures = row.failures.saturating_add(1);
        let since = row.failing_since.unwrap_or(self.now);
        let absent = if failed.absent { row.absent.saturating_add(1) } else { 0 };
        let is_active = row.status == Status::Active.as_str();
        let is_given_up = rules::is_given_up(failed.is_final, failures, since, absent, self.now);
        let status = if is_active && is_given_up { Status::Failed.as_str() } else { row.status.as_str() };
        let back_off = rules::back_off(subject.interval(), failures);
        let resumed = self.now + failed.host_pause.unwrap_or(0);
        let next = rules::next(row.id, subject.begun, back_off).max(resumed);
        let next = (is_active && !is_given_up).then_some(next);
        let text = "UPDATE monitor SET status = $1, next_run_at = $2, last_run_at = $3, last_error_code = $4, \
            failures = $5, failing_since = $6, absent = $7, seen_body_hash = COALESCE($8, seen_body_hash) \
            WHERE id = $9";
        let values: [Value; 9] = [
            status.into(),
            next.into(),
            self.now.into(),
            failed.code.into(),
            failures.into(),
            since.into(),
            absent.into(),
            // What was of no use is looked at again, whatever its hash.
            found.body_hash.map(|_| 0_i64).into(),
            row.id.into(),
        ];
        change(self.transaction, text, values).await?;
        Ok(())
    }

    /// Has the account's monitors wait for the next month that cannot be paid for any more.
    async fn wait_for_credits(&self, standing: Standing) -> Result<()> {
        if standing.remaining() >= DEAREST {
            return Ok(());
        }
        let month = credits::next_month(self.now);
        for kind in super::TargetType::ALL {
            if kind.cost() > standing.remaining() {
                rules::wait_for_month(self.transaction, self.row.account_id, kind, month).await?;
            }
        }
        Ok(())
    }
}

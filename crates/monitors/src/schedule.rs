//! Effects of a run on its monitor: the time of the next run, waiting for credits, and giving the monitor up.

use entities::monitor;
use sea_orm::ActiveValue::{NotSet, Set};
use sea_orm::{ActiveModelTrait, DatabaseTransaction};

use super::fetch::RunContext;
use super::follow::FeedUpdates;
use super::memory::Memory;
use super::monitor::Status;
use super::next_run;
use super::notice::{self, Notice};
use super::outcome::{EXHAUSTED, RunError, Severity};
use super::plan::start_in_month;
use super::rules::{self, Failures};
use feeds::health;
use identity::credits;
use jobs::hosts;
use kernel::tiers::TierLimits;
use kernel::{Code, Domain, Error, Millis, Result};

/// Run that is being committed.
pub(super) struct RunFollowUp<'a> {
    pub(super) transaction: &'a DatabaseTransaction,
    pub(super) domain: &'a Domain,
    pub(super) context: &'a RunContext,
    /// Current row of the monitor.
    pub(super) row: &'a monitor::Model,
    /// Current limits of the owner.
    pub(super) plan: &'a TierLimits,
    pub(super) now: Millis,
}

/// Time of the next run after a successful run.
pub(super) fn next_after_success(after: &RunFollowUp<'_>) -> Millis {
    next_run::after_success(after.row, after.plan, after.context.started_at)
}

/// Status after a successful run. If a user successfully ran a failed monitor, it becomes active again,
/// provided that the plan allows it.
pub(super) async fn status_after_success(after: &RunFollowUp<'_>) -> Result<Status> {
    let status = Status::parse(&after.row.status).unwrap_or(Status::Paused);
    if status != Status::Failed || !after.context.args.by_hand {
        return Ok(status);
    }
    let active = rules::count_active(after.transaction, after.row.account_id).await?;
    let limit = u64::from(after.plan.web_monitors);
    Ok(if active < limit { Status::Active } else { status })
}

/// Writes the effects of a failure. Feed updates are added to `feeds`, which the caller writes at the end of
/// the transaction. `has_body` is true if a response body was received.
pub(super) async fn after_failure(
    after: &RunFollowUp<'_>,
    failed: &RunError,
    has_body: bool,
    feeds: &mut FeedUpdates,
) -> Result<()> {
    let row = after.row;
    let is_active = row.status == Status::Active.as_str();
    if failed.is_exhausted() {
        return if is_active { wait_for_next_month(after, feeds).await } else { Ok(()) };
    }
    if failed.code == Code::Superseded {
        return repeat_superseded(after, is_active).await;
    }
    if let Some(pause) = failed.host_pause {
        let pause = hosts::Pause { url: &row.target_url, length: pause, account_id: Some(row.account_id) };
        hosts::pause(after.transaction, after.now, pause).await?;
    }
    let failures = Failures::after(row, failed, after.now);
    let is_given_up = is_active
        && (failed.severity == Severity::Final || failures.are_too_many_for(row, failed, after.now));
    let started_at = after.context.started_at;
    let back_off = rules::back_off(next_run::interval(row, after.plan), failures.doublings(failed));
    let next = match failed.recheck_after.filter(|recheck| *recheck < back_off) {
        Some(recheck) => rules::next(row.id, started_at, recheck),
        None => next_run::after_pause(row, started_at, back_off),
    };
    let resumed = after.now + failed.host_pause.unwrap_or(0);
    let next = next.max(resumed);
    let update = monitor::ActiveModel {
        id: Set(row.id),
        status: if is_given_up { Set(Status::Failed.as_str().to_owned()) } else { NotSet },
        next_run_at: Set((is_active && !is_given_up).then_some(next)),
        last_run_at: Set(Some(after.now)),
        last_error_code: Set(Some(failed.code.as_str().to_owned())),
        failures: Set(failures.count),
        failing_since: Set(Some(failures.since)),
        absent: Set(failures.refusals),
        refused_since: Set(failures.refused_since),
        credits_wait_until: Set(None),
        // An unusable body is evaluated again even if its hash is unchanged.
        seen_body_hash: if has_body { Set(0) } else { NotSet },
        masks: awaiting(row, failed)?.map_or(NotSet, Set),
        ..Default::default()
    };
    update.update(after.transaction).await?;
    if is_given_up || health::is_failing(failures.count, failures.since, after.now) {
        feeds.note_failure(row);
    }
    if is_given_up {
        let stopped = Notice::Stopped { code: failed.code, failures: failures.count, since: failures.since };
        notice::write(after.transaction, after.domain, row, stopped, feeds).await?;
    } else if row.notify_failures == Some(failures.count) {
        let failing = Notice::Failing { code: failed.code, failures: failures.count, since: failures.since };
        notice::write(after.transaction, after.domain, row, failing, feeds).await?;
    }
    Ok(())
}

/// Returns the new memory of a monitor whose page does not exist yet. `None` if the memory does not change.
fn awaiting(row: &monitor::Model, failed: &RunError) -> Result<Option<String>> {
    let mut memory = Memory::read(&row.masks);
    if row.baseline_hash.is_some() || failed.code != Code::SourceNotFound || memory.is_awaited {
        return Ok(None);
    }
    memory.is_awaited = true;
    serde_json::to_string(&memory).map(Some).map_err(Error::internal)
}

/// Immediately repeats a run whose observed content is no longer watched. Such a run has no other effect on
/// the monitor.
async fn repeat_superseded(after: &RunFollowUp<'_>, is_active: bool) -> Result<()> {
    let update = monitor::ActiveModel {
        id: Set(after.row.id),
        // There is at most one run per due time, so the repeated run needs a different due time.
        next_run_at: if is_active { Set(Some(after.now.max(after.context.args.due_at + 1))) } else { NotSet },
        ..Default::default()
    };
    update.update(after.transaction).await?;
    Ok(())
}

/// Defers the monitor to the next month, and writes a notice about it.
async fn wait_for_next_month(after: &RunFollowUp<'_>, feeds: &mut FeedUpdates) -> Result<()> {
    let until = credits::next_month(after.now);
    let update = monitor::ActiveModel {
        id: Set(after.row.id),
        next_run_at: Set(Some(start_in_month(after.row, until))),
        last_error_code: Set(Some(EXHAUSTED.as_str().to_owned())),
        credits_wait_until: Set(Some(until)),
        ..Default::default()
    };
    update.update(after.transaction).await?;
    if after.row.credits_wait_until != Some(until) {
        notice::write(after.transaction, after.domain, after.row, Notice::Waiting { until }, feeds).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;

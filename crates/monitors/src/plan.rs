//! Effects of a changed plan or credit balance on the monitors of an account: some monitors are paused,
//! deferred, or resumed.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::monitor;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, ColumnTrait, DatabaseTransaction, QueryFilter, QueryOrder, QuerySelect};

use super::definition::cost_of;
use super::follow::FeedUpdates;
use super::monitor::{PauseReason, Status};
use super::notice::{self, Notice};
use super::outcome::EXHAUSTED;
use super::rules::{active, count_active, delay_seed};
use super::{next_run, sql};
use feeds::schedule::spread;
use identity::credits::{self, CreditBalance};
use kernel::clock::HOUR;
use kernel::tiers::TierLimits;
use kernel::{Domain, Millis, Result};

/// Time after the start of a month over which the runs of waiting monitors are spread.
const MONTH_START_SPREAD: Millis = HOUR;

/// Adapts the monitors of an account to its plan, in the transaction that changes the plan. Pauses the newest
/// monitors above the limit of the plan, or resumes the oldest monitors that were paused because of the
/// limit. Applies the minimum interval of the plan. Resumes monitors that waited for credits if the plan now
/// provides enough.
#[boxed]
pub async fn apply_plan(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let active_count = count_active(transaction, account_id).await?;
    let limit = u64::from(plan.web_monitors);
    if active_count > limit {
        sql::pause_newest(transaction, account_id, active_count - limit).await?;
    } else {
        resume_oldest(transaction, domain, account_id, limit - active_count).await?;
    }
    apply_intervals(transaction, domain, account_id, plan).await?;
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let balance = credits::balance(transaction, domain.now(), account_id, allowance).await?;
    credits_changed(transaction, domain, account_id, balance).await
}

/// Resumes monitors that were paused because of the plan's limit.
async fn resume_oldest(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    limit: u64,
) -> Result<()> {
    let paused = monitor::Entity::owned_by(account_id)
        .filter(monitor::Column::Status.eq(Status::Paused.as_str()))
        .filter(monitor::Column::PauseReason.eq(PauseReason::PlanLimit.as_str()))
        .order_by_asc(monitor::Column::Id)
        .limit(limit);
    for row in paused.all(transaction).await? {
        let resumed = monitor::ActiveModel {
            id: Set(row.id),
            status: Set(Status::Active.as_str().to_owned()),
            pause_reason: Set(None),
            next_run_at: Set(Some(next_run::first(&row, domain.now()))),
            ..Default::default()
        };
        resumed.update(transaction).await?;
    }
    Ok(())
}

/// Reschedules each monitor to its interval under this plan.
async fn apply_intervals(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<()> {
    let now = domain.now();
    for row in active(account_id).all(transaction).await? {
        let earliest = row.last_run_at.map_or(now, |last| next_run::allowed(&row, last, plan));
        // The first run of a monitor that was just created or resumed is not delayed.
        let next = next_run::reschedule(&row, plan, now).map(|next| {
            if row.last_run_at.is_some() && next < earliest && !is_starting(&row, now) {
                earliest
            } else {
                next
            }
        });
        if next != row.next_run_at {
            let moved =
                monitor::ActiveModel { id: Set(row.id), next_run_at: Set(next), ..Default::default() };
            moved.update(transaction).await?;
        }
    }
    Ok(())
}

/// True if a monitor was just created or resumed. Such a monitor runs within a minute.
fn is_starting(row: &monitor::Model, now: Millis) -> bool {
    row.next_run_at == Some(next_run::first(row, now))
}

/// Defers monitors that cost more than the remaining credits to the next month, and resumes waiting monitors
/// that the account can afford again.
#[boxed]
pub async fn credits_changed(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    balance: CreditBalance,
) -> Result<()> {
    let mut feeds = FeedUpdates::default();
    wait_for_credits(transaction, domain, account_id, balance, &mut feeds).await?;
    let waiting = active(account_id).filter(monitor::Column::CreditsWaitUntil.is_not_null());
    for row in waiting.all(transaction).await? {
        if cost_of(&row) > balance.remaining() {
            continue;
        }
        let is_exhausted = row.last_error_code.as_deref() == Some(EXHAUSTED.as_str());
        let mut resumed = monitor::ActiveModel {
            id: Set(row.id),
            next_run_at: Set(Some(next_run::first(&row, domain.now()))),
            credits_wait_until: Set(None),
            ..Default::default()
        };
        if is_exhausted {
            resumed.last_error_code = Set(None);
        }
        resumed.update(transaction).await?;
    }
    feeds.write(transaction, domain.now()).await
}

/// Defers the account's monitors that cost more than the remaining credits to the next month, and writes a
/// notice for each of them. Their runs are spread after the start of the month. Feed entries are added to
/// `feeds`, which the caller writes at the end of the transaction.
pub(super) async fn wait_for_credits(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
    balance: CreditBalance,
    feeds: &mut FeedUpdates,
) -> Result<()> {
    let until = credits::next_month(domain.now());
    let going = active(account_id).filter(monitor::Column::CreditsWaitUntil.is_null());
    for row in going.order_by_asc(monitor::Column::Id).all(transaction).await? {
        if cost_of(&row) <= balance.remaining() {
            continue;
        }
        let waiting = monitor::ActiveModel {
            id: Set(row.id),
            next_run_at: Set(Some(start_in_month(&row, until))),
            credits_wait_until: Set(Some(until)),
            last_error_code: Set(Some(EXHAUSTED.as_str().to_owned())),
            ..Default::default()
        };
        waiting.update(transaction).await?;
        notice::write(transaction, domain, &row, Notice::Waiting { until }, feeds).await?;
    }
    Ok(())
}

/// Time in `month` at which a monitor that waited for credits runs.
pub(super) fn start_in_month(row: &monitor::Model, month: Millis) -> Millis {
    next_run::from(row, month + spread(delay_seed(row.id), MONTH_START_SPREAD))
}

#[cfg(test)]
mod tests;

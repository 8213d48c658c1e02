//! The rules by which monitors are run, wait, are given up and are paused.

use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, PaginatorTrait, QueryFilter, Select,
};

use super::{Status, TargetType, sql};
use crate::clock::{HOUR, MINUTE, Millis};
use crate::credits::{self, CreditBalance};
use crate::error::Result;
use crate::feeds::schedule::spread;
use crate::limits::TierLimits;

/// The longest interval, and the longest wait after failures.
pub(super) const LONGEST_MINUTES: u32 = crate::bounds::MONITOR_MINUTES;
/// The first run comes within this time.
const FIRST_RUN: Millis = MINUTE / 2;
/// What a monitor's own share of time keeps crowds apart by.
const JITTER: Millis = MINUTE;
/// Failed runs in a row after which a monitor is given up, when they span the time below.
const FAILURES: i32 = 5;
const FAILURES_SPAN: Millis = 24 * HOUR;
/// Runs in a row without what is looked for after which it is given up.
const ABSENCES: i32 = 3;

/// A number that is always the same for a monitor.
fn share(id: MonitorId) -> i64 {
    let (high, low) = id.as_uuid().as_u64_pair();
    (high ^ low).cast_signed()
}

/// When a monitor that was just made, resumed or changed runs.
pub(super) fn soon(id: MonitorId, now: Millis) -> Millis {
    now + spread(share(id), FIRST_RUN)
}

/// When a monitor runs again that ended a run it began at `started_at`.
pub(super) fn next(id: MonitorId, started_at: Millis, pause: Millis) -> Millis {
    started_at + pause + spread(share(id), JITTER.min(pause / 10))
}

/// The time between two runs: what was asked for, but not less than the plan allows now.
pub(super) fn interval(minutes: i32, plan: &TierLimits) -> Millis {
    let minutes = u32::try_from(minutes).unwrap_or(0).max(plan.web_monitor_minimum_interval_minutes);
    Millis::from(minutes) * MINUTE
}

/// The pause after so many failures in a row: doubled by each, up to eight intervals or thirty days.
pub(super) fn back_off(interval: Millis, failures: i32) -> Millis {
    let doublings = u32::try_from(failures.clamp(0, 3)).unwrap_or(0);
    interval.saturating_mul(1 << doublings).min(Millis::from(LONGEST_MINUTES) * MINUTE)
}

/// Failed runs in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failures {
    pub(super) count: i32,
    /// When the first of them was.
    pub(super) since: Millis,
    /// How many of the last found nothing of what is looked for.
    pub(super) absent: i32,
}

impl Failures {
    /// Whether a monitor is given up after these.
    pub(super) fn are_too_many(self, now: Millis) -> bool {
        self.absent >= ABSENCES || (self.count >= FAILURES && now - self.since >= FAILURES_SPAN)
    }
}

/// Monitors of an account.
pub(crate) async fn count(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(monitor::Entity::owned_by(account_id).count(connection).await?)
}

/// Monitors of an account that are active.
pub(super) async fn count_active(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(active(account_id).count(connection).await?)
}

fn active(account_id: AccountId) -> Select<monitor::Entity> {
    monitor::Entity::owned_by(account_id).filter(monitor::Column::Status.eq(Status::Active.as_str()))
}

/// Has an account's monitors fit its plan, in the transaction that changes the plan: those beyond it are
/// paused, newest first, and none waits for credits that the plan gives.
pub(crate) async fn apply_plan(
    transaction: &DatabaseTransaction,
    now: Millis,
    account_id: AccountId,
    plan: &TierLimits,
) -> Result<u64> {
    let active = count_active(transaction, account_id).await?;
    let beyond = active.saturating_sub(plan.web_monitors.into());
    let paused = if beyond > 0 { sql::pause_newest(transaction, account_id, beyond).await? } else { 0 };
    let allowance = i64::from(plan.web_monitor_monthly_credits);
    let standing = credits::balance(transaction, now, account_id, allowance).await?;
    credits_changed(transaction, now, account_id, standing).await?;
    Ok(paused)
}

/// Has monitors wait for the next month that cost more than is left, and those go on that waited and can
/// be paid for again.
pub(crate) async fn credits_changed(
    connection: &impl ConnectionTrait,
    now: Millis,
    account_id: AccountId,
    standing: CreditBalance,
) -> Result<()> {
    let month = credits::next_month(now);
    for kind in TargetType::ALL {
        let can_be_paid = kind.cost() <= standing.remaining();
        if !can_be_paid {
            sql::wait_for_month(connection, account_id, kind, month).await?;
            continue;
        }
        let waiting = active(account_id)
            .filter(monitor::Column::TargetType.eq(kind.as_str()))
            .filter(monitor::Column::NextRunAt.eq(month));
        for row in waiting.all(connection).await? {
            let next = monitor::ActiveModel {
                id: Set(row.id),
                next_run_at: Set(Some(soon(row.id, now))),
                ..Default::default()
            };
            next.update(connection).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Tier, Tiers};

    #[test]
    fn failures_double_the_pause_up_to_eight_intervals() {
        let pauses: Vec<Millis> = (0..6).map(|failures| back_off(HOUR, failures) / HOUR).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 8, 8]);
        let month = Millis::from(LONGEST_MINUTES) * MINUTE;
        assert_eq!(back_off(month, 1), month, "never beyond thirty days");
    }

    #[test]
    fn five_failures_over_a_day_give_a_monitor_up() {
        let failures = |count: i32, absent: i32| Failures { count, since: 0, absent };
        assert!(!failures(5, 0).are_too_many(24 * HOUR - 1));
        assert!(failures(5, 0).are_too_many(24 * HOUR));
        assert!(!failures(4, 2).are_too_many(240 * HOUR));
        assert!(failures(3, 3).are_too_many(0));
    }

    #[test]
    fn a_monitor_runs_soon_and_then_keeps_its_interval() {
        let id = MonitorId::from_u128(0x0193_0000_0000_7000_8000_1234_5678_9abc);
        assert!((0..MINUTE).contains(&soon(id, 0)));
        let again = next(id, 0, 24 * HOUR);
        assert!((24 * HOUR..24 * HOUR + MINUTE).contains(&again));
        assert!(next(id, 0, 15 * MINUTE) <= 16 * MINUTE + MINUTE / 2);
    }

    #[test]
    fn a_smaller_plan_stretches_the_interval() {
        let tiers = Tiers::default();
        assert_eq!(interval(15, tiers.of(Tier::Pro)), 15 * MINUTE);
        assert_eq!(interval(15, tiers.of(Tier::Free)), 24 * HOUR);
        assert_eq!(interval(43_200, tiers.of(Tier::Free)), 720 * HOUR);
    }
}

//! Rules for the intervals of monitors, for back-off, and for giving up monitors.

use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use sea_orm::{ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter, Select};

use super::memory::Memory;
use super::monitor::Status;
use super::outcome::{RunError, Severity};
use feeds::schedule::spread;
use kernel::clock::{DAY, HOUR, MINUTE};
use kernel::tiers::TierLimits;
use kernel::{Code, Millis, Result};

pub(super) const LONGEST_MINUTES: u32 = kernel::bounds::MONITOR_MINUTES;
/// Time within which the first run starts.
const FIRST_RUN: Millis = MINUTE / 2;
/// Maximum delay of a run. The delay spreads the runs of monitors with the same interval.
const JITTER: Millis = MINUTE;
/// Number of consecutive failures after which a monitor is given up, if they span at least [`FAILURES_SPAN`].
const FAILURES: i32 = 5;
const FAILURES_SPAN: Millis = 24 * HOUR;
/// Number of consecutive refusals after which a monitor is given up, if they span at least [`FAILURES_SPAN`].
const REFUSALS: i32 = 3;
/// Time that a monitor waits for a page that has never existed.
const AWAITED_SPAN: Millis = 90 * DAY;
/// Maximum time over which the next runs are spread if several monitors are rescheduled at the same time.
const MAX_SPREAD: Millis = 10 * MINUTE;

/// Seed for the delay of a monitor. It depends only on the id.
pub(super) fn delay_seed(id: MonitorId) -> i64 {
    let (high, low) = id.as_uuid().as_u64_pair();
    (high ^ low).cast_signed()
}

/// Time of the first run of a monitor that was created, resumed or changed.
pub(super) fn soon(id: MonitorId, now: Millis) -> Millis {
    now + spread(delay_seed(id), FIRST_RUN)
}

/// Time of the next run after a run that started at `started_at`. `pause` is the time between them.
pub(super) fn next(id: MonitorId, started_at: Millis, pause: Millis) -> Millis {
    started_at + pause + spread(delay_seed(id), JITTER.min(pause / 10))
}

/// Interval between two runs, in minutes: the interval that the owner set, but at least the minimum of the
/// plan.
pub(super) fn interval_minutes(configured: i32, plan: &TierLimits) -> u32 {
    u32::try_from(configured).unwrap_or(0).max(plan.web_monitor_minimum_interval_minutes)
}

/// Time between two runs.
pub(super) fn interval(configured: i32, plan: &TierLimits) -> Millis {
    Millis::from(interval_minutes(configured, plan)) * MINUTE
}

/// Credits for a month of 31 days if every run is charged `cost`.
pub(super) fn credits_per_month(cost: i64, interval_minutes: u32) -> i64 {
    let month = 31 * 24 * 60;
    month / i64::from(interval_minutes.max(1)) * cost
}

/// Back-off after consecutive failures. It doubles with each failure, up to a day, and is at least the
/// interval.
pub(super) fn back_off(interval: Millis, failures: i32) -> Millis {
    let doublings = u32::try_from(failures.clamp(0, 16)).unwrap_or(0);
    interval.saturating_mul(1 << doublings).min(interval.max(DAY))
}

/// Time of the next run of a monitor whose interval was changed. It is at most the current time of the next
/// run, and at most one interval from now. If several monitors are changed at the same time, their runs are
/// spread.
pub(super) fn reschedule(row: &monitor::Model, interval: Millis, now: Millis) -> Option<Millis> {
    let is_waiting = row.credits_wait_until.is_some() || row.failures > 0;
    let next = row.next_run_at?;
    Some(if is_waiting {
        next
    } else {
        next.min(now + interval + spread(delay_seed(row.id), interval.min(MAX_SPREAD)))
    })
}

/// Consecutive failed runs of a monitor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failures {
    pub(super) count: i32,
    /// Time of the first failure.
    pub(super) since: Millis,
    /// Number of the latest consecutive failures with the same refusal. `refused_since` is the time of the
    /// first of them.
    pub(super) refusals: i32,
    pub(super) refused_since: Option<Millis>,
}

impl Failures {
    /// Failures of a monitor, including the run that has just failed.
    pub(super) fn after(row: &monitor::Model, failed: &RunError, now: Millis) -> Self {
        let is_same = row.last_error_code.as_deref() == Some(failed.code.as_str());
        let (refusals, refused_since) = match failed.severity {
            Severity::Refusal if is_same => (row.absent.saturating_add(1), row.refused_since.or(Some(now))),
            Severity::Refusal => (1, Some(now)),
            Severity::Passing | Severity::Final | Severity::Service => (0, None),
        };
        let was_without_browser = row.last_error_code.as_deref() == Some(Code::RendererUnavailable.as_str());
        // Failures of this service are not failures of the source.
        let (count, since) = if was_without_browser && !is_same {
            (1, now)
        } else {
            (row.failures.saturating_add(1), row.failing_since.unwrap_or(now))
        };
        Self { count, since, refusals, refused_since }
    }

    /// Number of failures that lengthen the back-off.
    pub(super) fn doublings(self, failed: &RunError) -> i32 {
        if failed.severity == Severity::Service { 0 } else { self.count }
    }

    /// True if the monitor is given up. A monitor that waits for its page to appear has more time, regardless
    /// of the failure.
    pub(super) fn are_too_many_for(self, row: &monitor::Model, failed: &RunError, now: Millis) -> bool {
        if failed.severity == Severity::Service {
            return false;
        }
        let is_awaited =
            row.baseline_hash.is_none() && failed.code == Code::SourceNotFound || is_awaited(row);
        self.are_too_many(if is_awaited { AWAITED_SPAN } else { FAILURES_SPAN }, now)
    }

    /// True if there are too many failures within a time span, or too many refusals.
    fn are_too_many(self, span: Millis, now: Millis) -> bool {
        let is_refused = self.refused_since.is_some_and(|since| now - since >= FAILURES_SPAN);
        self.refusals >= REFUSALS && is_refused || self.count >= FAILURES && now - self.since >= span
    }
}

/// True if the page of a monitor has never existed.
pub(super) fn is_awaited(row: &monitor::Model) -> bool {
    let is_missing = row.last_error_code.as_deref() == Some(Code::SourceNotFound.as_str());
    row.baseline_hash.is_none() && row.failures > 0 && (is_missing || Memory::read(&row.masks).is_awaited)
}

pub async fn count(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(monitor::Entity::owned_by(account_id).count(connection).await?)
}

pub(super) async fn count_active(connection: &impl ConnectionTrait, account_id: AccountId) -> Result<u64> {
    Ok(active(account_id).count(connection).await?)
}

pub(super) fn active(account_id: AccountId) -> Select<monitor::Entity> {
    monitor::Entity::owned_by(account_id).filter(monitor::Column::Status.eq(Status::Active.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::tiers::{Tier, Tiers};

    #[test]
    fn failures_double_the_back_off_up_to_a_day() {
        let pauses: Vec<Millis> = (0..7).map(|failures| back_off(HOUR, failures) / HOUR).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 24, 24]);
        assert_eq!(back_off(DAY, 3), DAY, "the back-off of a daily monitor is a day");
        assert_eq!(back_off(30 * DAY, 3), 30 * DAY);
    }

    #[test]
    fn monitor_is_given_up_after_five_failures_over_a_day() {
        let failures = |count: i32, refusals: i32| Failures {
            count,
            since: 0,
            refusals,
            refused_since: (refusals > 0).then_some(0),
        };
        assert!(!failures(5, 0).are_too_many(FAILURES_SPAN, 24 * HOUR - 1));
        assert!(failures(5, 0).are_too_many(FAILURES_SPAN, 24 * HOUR));
        assert!(!failures(4, 2).are_too_many(FAILURES_SPAN, 240 * HOUR));
        assert!(
            !failures(3, 3).are_too_many(FAILURES_SPAN, 24 * HOUR - 1),
            "three refusals within a day are not too many"
        );
        assert!(failures(3, 3).are_too_many(FAILURES_SPAN, 24 * HOUR));
        assert!(!failures(9, 0).are_too_many(AWAITED_SPAN, 80 * DAY), "an awaited page gets more time");
        assert!(failures(9, 3).are_too_many(AWAITED_SPAN, 80 * DAY));
    }

    #[test]
    fn credits_per_month_are_runs_multiplied_by_cost() {
        assert_eq!(3 * credits_per_month(3, 1440), 279);
        assert_eq!(credits_per_month(1, 43_200), 1);
    }

    #[test]
    fn first_run_is_soon_and_the_next_run_follows_after_one_interval() {
        let id = MonitorId::from_u128(0x0193_0000_0000_7000_8000_1234_5678_9abc);
        assert!((0..MINUTE).contains(&soon(id, 0)));
        let again = next(id, 0, 24 * HOUR);
        assert!((24 * HOUR..24 * HOUR + MINUTE).contains(&again));
        assert!(next(id, 0, 15 * MINUTE) <= 16 * MINUTE + MINUTE / 2);
    }

    #[test]
    fn smaller_plan_extends_the_interval() {
        let tiers = Tiers::default();
        assert_eq!(interval(15, tiers.of(Tier::Pro)), 15 * MINUTE);
        assert_eq!(interval(15, tiers.of(Tier::Free)), 24 * HOUR);
        assert_eq!(interval(43_200, tiers.of(Tier::Free)), 720 * HOUR);
    }
}

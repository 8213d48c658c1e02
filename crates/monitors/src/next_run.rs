//! Time of the next run of a monitor, which depends on its interval, its schedule, and its owner's plan.

use entities::monitor;

use super::calendar::{Calendar, Schedule};
use super::rules::{self, delay_seed, soon};
use feeds::schedule::spread;
use kernel::Millis;
use kernel::clock::MINUTE;
use kernel::tiers::TierLimits;

/// Number of next runs in the response for a monitor.
const PREVIEWED_RUNS: usize = 3;

/// Schedule of a monitor, or the default schedule if it has none.
pub(super) fn schedule_of(row: &monitor::Model) -> Schedule {
    let stored = row.schedule.as_deref().map(serde_json::from_str::<Schedule>);
    stored.transpose().unwrap_or_else(|error| unreadable(row, &error)).unwrap_or_default()
}

fn unreadable<T>(row: &monitor::Model, error: &impl std::fmt::Display) -> Option<T> {
    tracing::error!(%error, monitor = %row.id, "failed to read the schedule of a monitor");
    None
}

/// Calendar of a monitor. `None` if it runs at its interval without further rules.
fn calendar_of(row: &monitor::Model) -> Option<Calendar> {
    row.schedule.as_ref()?;
    schedule_of(row).parse().map_or_else(|error| unreadable(row, &error), Some)
}

/// Minimum time between two runs. If the schedule has times of day, the interval is not used.
pub(super) fn interval(row: &monitor::Model, plan: &TierLimits) -> Millis {
    interval_under(row, calendar_of(row).as_ref(), plan)
}

fn interval_under(row: &monitor::Model, calendar: Option<&Calendar>, plan: &TierLimits) -> Millis {
    if calendar.is_some_and(Calendar::has_times) {
        Millis::from(plan.web_monitor_minimum_interval_minutes) * MINUTE
    } else {
        rules::interval(row.interval_minutes, plan)
    }
}

/// Time of the next run after a successful run that started at `started_at`.
pub(super) fn after_success(row: &monitor::Model, plan: &TierLimits, started_at: Millis) -> Millis {
    let calendar = calendar_of(row);
    let pause = interval_under(row, calendar.as_ref(), plan);
    next(row, calendar.as_ref(), started_at, pause)
}

/// Time of the next run after a failed run that started at `started_at`. `pause` is the back-off.
pub(super) fn after_pause(row: &monitor::Model, started_at: Millis, pause: Millis) -> Millis {
    match calendar_of(row) {
        // The random delay of the failed run does not shorten the back-off.
        Some(calendar) if calendar.has_times() => {
            delayed(row, &calendar, started_at + shortened(pause), usual_delay(row, pause))
        }
        calendar => next(row, calendar.as_ref(), started_at, pause),
    }
}

fn next(row: &monitor::Model, calendar: Option<&Calendar>, started_at: Millis, pause: Millis) -> Millis {
    match calendar {
        None => rules::next(row.id, started_at, pause),
        Some(calendar) => {
            delayed(row, calendar, earliest(calendar, started_at, pause), usual_delay(row, pause))
        }
    }
}

/// Delay of a monitor without a configured random delay.
fn usual_delay(row: &monitor::Model, pause: Millis) -> Millis {
    rules::next(row.id, 0, pause) - pause
}

/// Earliest time of the next run. At times of day, it is also brought forward by the maximum random delay, with which
/// the last run may have started. The plan's minimum between times of day was checked.
fn earliest(calendar: &Calendar, started_at: Millis, pause: Millis) -> Millis {
    if calendar.has_times() {
        started_at + (shortened(pause) - calendar.jitter.unwrap_or(0)).max(MINUTE)
    } else {
        started_at + pause
    }
}

/// Shortest time between two runs at times of day whose regular interval is `pause`: a day may have 23 hours, and a run
/// may start late in the queue.
fn shortened(pause: Millis) -> Millis {
    pause / 8 * 7
}

/// First allowed time at or after `from`, plus the delay of the monitor: `usual`, or a random delay up to the
/// configured maximum.
fn delayed(row: &monitor::Model, calendar: &Calendar, from: Millis, usual: Millis) -> Millis {
    let at = calendar.next(from);
    let delay = max_delay(calendar, at).map_or(usual, |max| spread(delay_seed(row.id) ^ at, max));
    // The delay must not move a run outside the hours of the schedule.
    let is_allowed = calendar.has_times() || calendar.next(at + delay) == at + delay;
    if is_allowed { at + delay } else { at }
}

/// Maximum random delay of the run at `at`. `None` means the usual delay. A run at a time of day starts well before the
/// next time of day, which is skipped otherwise.
fn max_delay(calendar: &Calendar, at: Millis) -> Option<Millis> {
    let jitter = calendar.jitter?;
    if !calendar.has_times() {
        return Some(jitter);
    }
    let gap = calendar.next(at + 1) - at;
    Some(jitter.min((gap / 8 * 7 - MINUTE).max(0)))
}

/// Time of the first run of a monitor that was created or resumed: soon, or at the end of its pause.
pub(super) fn first(row: &monitor::Model, now: Millis) -> Millis {
    let paused_until = calendar_of(row).map_or(0, |calendar| calendar.paused_until);
    soon(row.id, now).max(paused_until)
}

/// First time at or after `at` that the schedule allows.
pub(super) fn from(row: &monitor::Model, at: Millis) -> Millis {
    calendar_of(row).map_or(at, |calendar| calendar.next(at))
}

/// Earliest time that the plan and the schedule allow for a run after a run at `last`.
pub(super) fn allowed(row: &monitor::Model, last: Millis, plan: &TierLimits) -> Millis {
    let calendar = calendar_of(row);
    let pause = interval_under(row, calendar.as_ref(), plan);
    calendar.map_or(last + pause, |calendar| calendar.next(earliest(&calendar, last, pause)))
}

/// Time of the next run after the interval, the schedule or the plan of a monitor changed.
pub(super) fn reschedule(row: &monitor::Model, plan: &TierLimits, now: Millis) -> Option<Millis> {
    let calendar = calendar_of(row);
    let pause = interval_under(row, calendar.as_ref(), plan);
    let Some(calendar) = calendar else { return rules::reschedule(row, pause, now) };
    let current = row.next_run_at?;
    if row.credits_wait_until.is_some() || row.failures > 0 {
        return Some(calendar.next(current));
    }
    let Some(last) = row.last_run_at else { return Some(first(row, now)) };
    let from = earliest(&calendar, last, pause).max(now);
    Some(delayed(row, &calendar, from, usual_delay(row, pause)))
}

/// True if runs were missed between `last` and `now`.
pub(super) fn is_gap(row: &monitor::Model, plan: &TierLimits, last: Millis, now: Millis) -> bool {
    let calendar = calendar_of(row);
    let pause = interval_under(row, calendar.as_ref(), plan);
    match calendar {
        None => last < now - 2 * pause,
        Some(calendar) => {
            let following = |at: Millis| next(row, Some(&calendar), at, pause);
            following(following(last)) < now
        }
    }
}

/// Times of the next run and of the runs after it, assuming that each of them succeeds.
pub(super) fn preview(row: &monitor::Model, plan: &TierLimits) -> Vec<Millis> {
    let calendar = calendar_of(row);
    let pause = interval_under(row, calendar.as_ref(), plan);
    std::iter::successors(row.next_run_at, |last| Some(next(row, calendar.as_ref(), *last, pause)))
        .take(PREVIEWED_RUNS)
        .collect()
}

/// End of the muted hours that contain `now`. `None` if notices are not muted now.
pub(super) fn muted_until(row: &monitor::Model, now: Millis) -> Option<Millis> {
    calendar_of(row)?.muted_until(now)
}

/// Credits for a month of 31 days if every run is charged `cost`.
pub(super) fn credits_per_month(row: &monitor::Model, cost: i64, plan: &TierLimits) -> i64 {
    let minutes = rules::interval_minutes(row.interval_minutes, plan);
    match calendar_of(row) {
        None => rules::credits_per_month(cost, minutes),
        Some(calendar) => calendar.runs_per_month(minutes) * cost,
    }
}

#[cfg(test)]
mod tests;

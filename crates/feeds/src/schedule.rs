//! Computes the next poll of a feed. The functions are pure. Times are in milliseconds.

use chrono::{DateTime, Datelike, Timelike};
use entities::feed;
use entities::ids::FeedId;

use kernel::Millis;
use kernel::clock::{DAY, HOUR, MINUTE};

/// Maximum interval between polls of a feed that is not failing.
const MAX_INTERVAL: Millis = DAY;
/// Minimum time between two manual refreshes of a feed. Also the minimum time between two effective messages
/// of its hub, unless a poll completed between them.
pub(super) const REFRESH_PAUSE: Millis = 5 * MINUTE;
/// Maximum back-off after failures.
const MAX_BACKOFF: Millis = 48 * HOUR;
/// Back-off after the first failure.
const FIRST_BACKOFF: Millis = 10 * MINUTE;
/// Assumed gap between entries if no entries of the feed are known.
const DEFAULT_GAP: Millis = 2 * HOUR;

/// Interval at which the whole body is requested without validators, because some servers respond with 304
/// forever. With the maximum interval between polls, this happens every seven days.
const FULL_FETCH_INTERVAL: Millis = 6 * DAY;

/// Combined demand of a feed's followers. The default describes a feed without followers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// Number of followers.
    pub(super) followers: i64,
    /// True if a follower requests the articles to which the entries link.
    pub(super) wants_texts: bool,
    /// True if at least one follower has no fixed interval.
    pub(super) adaptive: bool,
    /// Shortest fixed interval among the followers. `None` if no follower has one.
    pub(super) fixed_ms: Option<Millis>,
    /// Minimum interval of the best plan among the followers.
    pub(super) floor_ms: Millis,
}

/// Publishing statistics of a feed, and hints from the feed and its server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PublishStats {
    /// Mean gap between entries. `None` if unknown.
    pub(super) gap_ms: Option<Millis>,
    /// Publication time of the newest entry of the last poll with new entries. If no entry has a time in the past,
    /// the time of that poll.
    pub(super) last_new_at: Option<Millis>,
    /// Longest interval that `ttl`, `sy:*`, `max-age`, or `Expires` requests.
    pub(super) hint_floor_ms: Millis,
    /// Hours without polls, as a bit set. Bit 0 is the hour after midnight UTC.
    pub(super) skip_hours: u32,
    /// Days without polls, as a bit set. Bit 0 is Monday.
    pub(super) skip_days: u32,
    /// True if a hub pushes the feed.
    pub(super) is_pushed: bool,
}

impl PublishStats {
    /// Reads the statistics from a feed's row. `is_pushed` is not stored in the row and is false.
    pub(super) fn of(feed: &feed::Model) -> Self {
        Self {
            gap_ms: feed.gap_ms,
            last_new_at: feed.last_new_at,
            hint_floor_ms: feed.hint_floor_ms,
            skip_hours: u32::try_from(feed.skip_hours).unwrap_or(0),
            skip_days: u32::try_from(feed.skip_days).unwrap_or(0),
            is_pushed: false,
        }
    }
}

/// Returns the interval before the next poll of a feed that is not failing.
pub(super) fn interval(demand: Demand, stats: PublishStats, now: Millis) -> Millis {
    if stats.is_pushed {
        return MAX_INTERVAL;
    }
    // A feed that has had no new entries for a long time is polled less often, even if it published often
    // before.
    let idle = stats.last_new_at.map_or(0, |at| (now - at).max(0) / 4);
    let gap = stats.gap_ms.unwrap_or(DEFAULT_GAP).max(idle);
    let adaptive = (gap / 2).clamp(demand.floor_ms.min(MAX_INTERVAL), MAX_INTERVAL);
    // The minimum interval of the plan may have increased since the fixed interval was set.
    let fixed = demand.fixed_ms.map(|fixed| fixed.max(demand.floor_ms.min(MAX_INTERVAL)));
    let chosen = match (demand.adaptive, fixed) {
        (true, Some(fixed)) => adaptive.min(fixed),
        (false, Some(fixed)) => fixed,
        (_, None) => adaptive,
    };
    chosen.max(stats.hint_floor_ms.min(MAX_INTERVAL))
}

/// Returns the back-off after `failures` consecutive failures.
pub(super) fn backoff(failures: i32, interval: Millis) -> Millis {
    let doublings = u32::try_from((failures - 1).clamp(0, 16)).unwrap_or(0);
    let first = FIRST_BACKOFF.max(interval.min(HOUR));
    first.saturating_mul(1 << doublings).min(MAX_BACKOFF)
}

/// Returns the time of the next poll: `pause` after `now`, plus a jitter of up to a tenth of `pause`. The
/// jitter is constant per feed, so that feeds that were polled at the same time diverge, and never extends
/// the interval beyond a day. Hours and days without polls are skipped.
pub(super) fn next_poll(feed_id: FeedId, now: Millis, pause: Millis, stats: PublishStats) -> Millis {
    let jitter = spread(feed_id.as_i64(), pause / 10);
    let wait = match pause {
        // At the maximum interval, the jitter is subtracted. Near the maximum interval, the sum is capped.
        MAX_INTERVAL => pause - jitter,
        pause if pause < MAX_INTERVAL => (pause + jitter).min(MAX_INTERVAL),
        // A longer pause is a back-off after failures.
        pause => pause + jitter,
    };
    skip(now + wait, feed_id, stats)
}

/// Returns true if the request should send validators. The first request in each [`FULL_FETCH_INTERVAL`] does
/// not. These intervals start at a different time for each feed.
pub(super) fn is_conditional(feed_id: FeedId, last_fetched_at: Option<Millis>, now: Millis) -> bool {
    let period =
        |at: Millis| (at + spread(feed_id.as_i64(), FULL_FETCH_INTERVAL)).div_euclid(FULL_FETCH_INTERVAL);
    last_fetched_at.is_some_and(|last| period(last) == period(now))
}

/// Returns a value from 0 to `range` (exclusive) that is constant for each `number` and evenly distributed.
pub fn spread(number: i64, range: Millis) -> Millis {
    let mixed = number.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let share = i64::try_from(mixed).unwrap_or(0);
    Millis::try_from((i128::from(range.max(0)) * i128::from(share)) >> 24).unwrap_or(0)
}

fn skip(at: Millis, feed_id: FeedId, stats: PublishStats) -> Millis {
    const ALL_HOURS: u32 = 0x00FF_FFFF;
    const ALL_DAYS: u32 = 0x7F;
    // If a feed excludes all hours or all days, its hint is ignored.
    let hours = if stats.skip_hours & ALL_HOURS == ALL_HOURS { 0 } else { stats.skip_hours };
    let days = if stats.skip_days & ALL_DAYS == ALL_DAYS { 0 } else { stats.skip_days };
    let mut at = at;
    for _ in 0..(7 * 24) {
        let Some(time) = DateTime::from_timestamp_millis(at) else { return at };
        let skipped =
            hours & (1 << time.hour()) != 0 || days & (1 << time.weekday().num_days_from_monday()) != 0;
        if !skipped {
            return at;
        }
        at = at - at.rem_euclid(HOUR) + HOUR + spread(feed_id.as_i64(), 10 * MINUTE);
    }
    at
}

/// Returns the mean gap between entries. `published` contains publication times in any order; times after
/// `now` are ignored. `None` for fewer than two times.
pub(super) fn gap(published: &[Millis], now: Millis) -> Option<Millis> {
    let mut past: Vec<Millis> = published.iter().copied().filter(|at| *at <= now && *at > 0).collect();
    past.sort_unstable_by(|a, b| b.cmp(a));
    past.truncate(20);
    let oldest = past.last().copied().filter(|_| past.len() > 1)?;
    let count = i64::try_from(past.len()).ok()?;
    Some(((now - oldest) / count).max(MINUTE))
}

/// Returns the longest interval that the feed requests.
pub(super) fn hint_floor(hints: &extract::feed::PollingHints) -> Millis {
    let ttl = Millis::from(hints.ttl_minutes.unwrap_or(0)) * MINUTE;
    let period = Millis::from(hints.update_period_minutes.unwrap_or(0)) * MINUTE;
    let times = Millis::from(hints.update_frequency.unwrap_or(1).max(1));
    ttl.max(period / times).min(MAX_INTERVAL)
}

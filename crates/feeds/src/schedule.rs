//! When a feed is polled next: pure rules over what is known of it. Times are milliseconds.

use chrono::{DateTime, Datelike, Timelike};
use entities::feed;
use entities::ids::FeedId;

use kernel::clock::{DAY, HOUR, MINUTE, Millis};

/// No feed is polled less often than this.
const LONGEST: Millis = DAY;
/// The longest wait after failures.
const LONGEST_BACKOFF: Millis = 48 * HOUR;
/// The wait after a first failure.
const FIRST_BACKOFF: Millis = 10 * MINUTE;
/// What is taken for the gap between entries of a feed nothing is known of.
const UNKNOWN_GAP: Millis = 2 * HOUR;

/// Once in so long a server is asked for the whole body, whatever it says of the one that is known: some answer 304
/// for ever. With the longest pause between two polls that is once in seven days.
const BODY_ASKED: Millis = 6 * DAY;

/// What the followers of a feed ask for; the default is that of a feed without any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Demand {
    /// How many follow.
    pub(super) followers: i64,
    /// Whether any of them wants the articles behind the entries.
    pub(super) wants_texts: bool,
    /// Whether any of them leaves the interval to us.
    pub(super) adaptive: bool,
    /// The shortest interval that one of them set.
    pub(super) fixed_ms: Option<Millis>,
    /// The minimum interval of the best plan among them.
    pub(super) floor_ms: Millis,
}

/// What the feed and its server say and have shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Habits {
    /// Mean gap between entries.
    pub(super) gap_ms: Option<Millis>,
    /// When an entry was last new.
    pub(super) last_new_at: Option<Millis>,
    /// The longest pause that `ttl`, `sy:*`, `max-age` or `Expires` ask for.
    pub(super) hint_floor_ms: Millis,
    /// Hours without polls, bit 0 is midnight UTC.
    pub(super) skip_hours: u32,
    /// Days without polls, bit 0 is Monday.
    pub(super) skip_days: u32,
    /// A hub has promised to tell us.
    pub(super) is_pushed: bool,
}

impl Habits {
    /// What a feed's row says; whether it is pushed stands elsewhere.
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

/// The pause before the next poll of a feed that answers.
pub(super) fn interval(demand: Demand, habits: Habits, now: Millis) -> Millis {
    if habits.is_pushed {
        return LONGEST;
    }
    // A feed that has been quiet for long is given time, even if it once was lively.
    let quiet = habits.last_new_at.map_or(0, |at| (now - at).max(0) / 4);
    let gap = habits.gap_ms.unwrap_or(UNKNOWN_GAP).max(quiet);
    let adaptive = (gap / 2).clamp(demand.floor_ms.min(LONGEST), LONGEST);
    // A plan may have become smaller than what was set under it.
    let fixed = demand.fixed_ms.map(|fixed| fixed.max(demand.floor_ms.min(LONGEST)));
    let wanted = match (demand.adaptive, fixed) {
        (true, Some(fixed)) => adaptive.min(fixed),
        (false, Some(fixed)) => fixed,
        (_, None) => adaptive,
    };
    wanted.max(habits.hint_floor_ms.min(LONGEST))
}

/// The pause after `failures` failures in a row.
pub(super) fn backoff(failures: i32, interval: Millis) -> Millis {
    let doublings = u32::try_from((failures - 1).clamp(0, 16)).unwrap_or(0);
    let first = FIRST_BACKOFF.max(interval.min(HOUR));
    first.saturating_mul(1 << doublings).min(LONGEST_BACKOFF)
}

/// `pause` later than `now`, spread by up to a tenth that belongs to the feed alone and never beyond a day, so that
/// feeds which were asked together are not asked together for ever; and outside the hours and days without polls.
pub(super) fn next_poll(feed_id: FeedId, now: Millis, pause: Millis, habits: Habits) -> Millis {
    let jitter = spread(feed_id.as_i64(), pause / 10);
    let wait = match pause {
        // The longest interval is spread before its end, and what comes near to it no further than that.
        LONGEST => pause - jitter,
        pause if pause < LONGEST => (pause + jitter).min(LONGEST),
        // Back-off after failures.
        pause => pause + jitter,
    };
    skip(now + wait, feed_id, habits)
}

/// Whether the server is told of the body that is known: with each request but the first in a stretch of time, which
/// begins for each feed at a time of its own.
pub(super) fn is_conditional(feed_id: FeedId, last_fetched_at: Option<Millis>, now: Millis) -> bool {
    let stretch = |at: Millis| (at + spread(feed_id.as_i64(), BODY_ASKED)).div_euclid(BODY_ASKED);
    last_fetched_at.is_some_and(|last| stretch(last) == stretch(now))
}

/// A share of `range` that is always the same for a number.
pub fn spread(number: i64, range: Millis) -> Millis {
    let mixed = number.cast_unsigned().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let share = i64::try_from(mixed).unwrap_or(0);
    Millis::try_from((i128::from(range.max(0)) * i128::from(share)) >> 24).unwrap_or(0)
}

fn skip(at: Millis, feed_id: FeedId, habits: Habits) -> Millis {
    const ALL_HOURS: u32 = 0x00FF_FFFF;
    const ALL_DAYS: u32 = 0x7F;
    // Who skips everything wants nothing in particular.
    let hours = if habits.skip_hours & ALL_HOURS == ALL_HOURS { 0 } else { habits.skip_hours };
    let days = if habits.skip_days & ALL_DAYS == ALL_DAYS { 0 } else { habits.skip_days };
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

/// The mean gap between entries, from their times of publication up to `now`, newest first or not.
pub(super) fn gap(published: &[Millis], now: Millis) -> Option<Millis> {
    let mut past: Vec<Millis> = published.iter().copied().filter(|at| *at <= now && *at > 0).collect();
    past.sort_unstable_by(|a, b| b.cmp(a));
    past.truncate(20);
    let oldest = past.last().copied().filter(|_| past.len() > 1)?;
    let count = i64::try_from(past.len()).ok()?;
    Some(((now - oldest) / count).max(MINUTE))
}

/// The longest pause asked for by what the feed says of itself.
pub(super) fn hint_floor(hints: &extract::feed::Hints) -> Millis {
    let ttl = Millis::from(hints.ttl_minutes.unwrap_or(0)) * MINUTE;
    let period = Millis::from(hints.update_period_minutes.unwrap_or(0)) * MINUTE;
    let times = Millis::from(hints.update_frequency.unwrap_or(1).max(1));
    ttl.max(period / times).min(LONGEST)
}

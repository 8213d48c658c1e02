//! Schedules of monitors: days, times of day, hours and pauses in a time zone. The functions are pure. If a
//! local time does not exist because clocks are set forward, the next existing time is used. If a local time
//! occurs twice, its first occurrence is used.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Weekday};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use kernel::bounds::{MONITOR_JITTER_MINUTES, MONITOR_TIMES};
use kernel::clock::MINUTE;
use kernel::{Code, Error, FieldPath, Millis, Result};

/// Number of minutes in a day.
const DAY_MINUTES: u16 = 24 * 60;
/// Maximum time by which clocks are set forward, in minutes.
const LONGEST_GAP: i64 = 25 * 60;
/// Maximum number of days that are searched. Every schedule includes at least one day in any period of two
/// months and a week.
const MAX_DAYS: usize = 70;

/// Schedule that the owner set for a monitor. By default, a monitor runs at its interval.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// IANA name of the time zone; `None` for UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// Days of the week on which the monitor runs. If empty, it runs on all days.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weekdays: Vec<Day>,
    /// Occurrence of the weekdays in a month. `None` means every occurrence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub week: Option<Week>,
    /// Times of day at which the monitor runs, as `HH:MM`. If there are any, the interval is not used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<String>,
    /// Hours in which the monitor runs at its interval. `None` means all hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<Hours>,
    /// Maximum random delay of a run, in minutes. If `None`, it is at most one minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter_minutes: Option<u32>,
    /// Hours in which messages are delayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mute_hours: Option<Hours>,
    /// The monitor does not run before this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_until: Option<Millis>,
}

/// Hours of a day, as `HH:MM`. If `to` is not after `from`, they extend to the next day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hours {
    pub from: String,
    pub to: String,
}

/// Day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Day {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

/// Occurrence of a weekday in its month.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Week {
    First,
    Second,
    Third,
    Fourth,
    Last,
}

/// Validated schedule.
#[derive(Clone, Debug)]
pub(super) struct Calendar {
    zone: Tz,
    weekdays: Vec<Day>,
    week: Option<Week>,
    /// Minutes of the day, in ascending order.
    times: Vec<u16>,
    hours: DailyWindow,
    mute_hours: Option<DailyWindow>,
    /// Maximum random delay, in milliseconds. `None` means the default.
    pub(super) jitter: Option<Millis>,
    pub(super) paused_until: Millis,
}

/// Minutes of the day. If the end is not after the start, it is on the next day.
#[derive(Clone, Copy, Debug)]
struct DailyWindow {
    from: u16,
    to: u16,
}

impl Day {
    const fn of(weekday: Weekday) -> Self {
        match weekday {
            Weekday::Mon => Self::Monday,
            Weekday::Tue => Self::Tuesday,
            Weekday::Wed => Self::Wednesday,
            Weekday::Thu => Self::Thursday,
            Weekday::Fri => Self::Friday,
            Weekday::Sat => Self::Saturday,
            Weekday::Sun => Self::Sunday,
        }
    }
}

impl Week {
    fn includes(self, date: NaiveDate) -> bool {
        let index = date.day0() / 7;
        match self {
            Self::First => index == 0,
            Self::Second => index == 1,
            Self::Third => index == 2,
            Self::Fourth => index == 3,
            Self::Last => date.checked_add_days(Days::new(7)).is_none_or(|next| next.month() != date.month()),
        }
    }
}

impl Schedule {
    /// True if the monitor runs at its interval without further rules.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Validates the schedule.
    ///
    /// # Errors
    /// `invalid_request`, with the pointer of the first invalid value, if the schedule is invalid.
    pub(super) fn parse(&self) -> Result<Calendar> {
        let zone = match &self.time_zone {
            None => Tz::UTC,
            Some(name) => name.parse::<Tz>().map_err(|_| {
                Error::invalid_at("/schedule/time_zone", "must be a time zone such as Europe/Berlin")
            })?,
        };
        if self.times.len() > MONITOR_TIMES {
            return Err(Error::invalid_at("/schedule/times", format!("has more than {MONITOR_TIMES} items")));
        }
        let time = |(index, text): (usize, &String)| minute_at(&format!("/schedule/times/{index}"), text);
        let mut times = self.times.iter().enumerate().map(time).collect::<Result<Vec<_>>>()?;
        times.sort_unstable();
        times.dedup();
        if !times.is_empty() && self.hours.is_some() {
            return Err(Error::invalid_at("/schedule/hours", "cannot be combined with times"));
        }
        let jitter = self.jitter_minutes;
        if jitter.is_some_and(|minutes| minutes > MONITOR_JITTER_MINUTES) {
            let reason = format!("must be at most {MONITOR_JITTER_MINUTES}");
            return Err(Error::invalid_at("/schedule/jitter_minutes", reason));
        }
        let window = |hours: Option<&Hours>, name: &str| {
            hours.map(|hours| hours.parse(&format!("/schedule/{name}"))).transpose()
        };
        Ok(Calendar {
            zone,
            weekdays: self.weekdays.clone(),
            week: self.week,
            times,
            hours: window(self.hours.as_ref(), "hours")?.unwrap_or(DailyWindow { from: 0, to: 0 }),
            mute_hours: window(self.mute_hours.as_ref(), "mute_hours")?,
            jitter: jitter.map(|minutes| Millis::from(minutes) * MINUTE),
            paused_until: self.paused_until.unwrap_or(0),
        })
    }
}

impl Hours {
    fn parse(&self, pointer: &str) -> Result<DailyWindow> {
        let from = minute_at(&format!("{pointer}/from"), &self.from)?;
        let to = minute_at(&format!("{pointer}/to"), &self.to)?;
        if from == to {
            return Err(Error::invalid_at(&format!("{pointer}/to"), "must differ from the start"));
        }
        Ok(DailyWindow { from, to })
    }
}

/// Parses a time such as `08:30` into the minute of the day. `pointer` is the location that an error reports.
fn minute_at(pointer: &str, text: &str) -> Result<u16> {
    minute_of(text).ok_or_else(|| Error::invalid_at(pointer, "must be a time of day such as 08:30"))
}

fn minute_of(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |digits: &str, below: u16| -> Option<u16> {
        let is_plain = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|number| is_plain && *number < below)
    };
    Some(number(hour, 24)? * 60 + number(minute, 60)?)
}

impl Calendar {
    /// True if the monitor runs at times of day instead of at its interval.
    pub(super) fn has_times(&self) -> bool {
        !self.times.is_empty()
    }

    /// Checks that at least `least_minutes` pass between the times of day, as the plan requires.
    ///
    /// # Errors
    /// `interval_too_short` if less time passes.
    pub(super) fn check_gaps(&self, least_minutes: u32) -> Result<()> {
        let next_day = self.times.first().map(|first| first + DAY_MINUTES);
        let following = self.times.iter().copied().skip(1).chain(next_day);
        let is_short = |(time, next): (&u16, u16)| u32::from(next - time) < least_minutes.min(1440);
        if !self.times.iter().zip(following).any(is_short) {
            return Ok(());
        }
        let message = format!("This account's plan requires at least {least_minutes} minutes between runs.");
        let reason = format!("must be at least {least_minutes} minutes from each other");
        Err(Error::new(Code::IntervalTooShort, message).at(FieldPath::of_pointer("/schedule/times"), reason))
    }

    /// First time at or after `from` at which the monitor may run.
    pub(super) fn next(&self, from: Millis) -> Millis {
        let from = from.max(self.paused_until);
        let Some(mut date) = self.day_before(from) else { return from };
        for _ in 0..MAX_DAYS {
            if self.includes(date)
                && let Some(at) = self.first_on(date, from)
            {
                return at;
            }
            let Some(next) = date.succ_opt() else { break };
            date = next;
        }
        from
    }

    /// End of the muted hours that contain `at`.
    pub(super) fn muted_until(&self, at: Millis) -> Option<Millis> {
        let window = self.mute_hours?;
        let yesterday = self.day_before(at)?;
        [Some(yesterday), yesterday.succ_opt()].into_iter().flatten().find_map(|date| {
            let (start, end) = window.on(self.zone, date);
            (start <= at && at < end).then_some(end)
        })
    }

    /// Upper estimate of the number of runs in a month of 31 days.
    pub(super) fn runs_per_month(&self, interval_minutes: u32) -> i64 {
        let weekdays = if self.weekdays.is_empty() { 7 } else { self.distinct_weekdays() };
        let days = if self.week.is_some() { weekdays } else { (31 * weekdays).div_ceil(7) };
        if self.has_times() {
            return i64::from(days) * i64::try_from(self.times.len()).unwrap_or(i64::MAX);
        }
        let interval = interval_minutes.max(1);
        let per_day = u32::from(self.hours.minutes()).div_ceil(interval);
        i64::from((days * per_day).min(31 * u32::from(DAY_MINUTES) / interval))
    }

    fn distinct_weekdays(&self) -> u32 {
        let mut days: Vec<u8> = self.weekdays.iter().map(|day| *day as u8).collect();
        days.sort_unstable();
        days.dedup();
        u32::try_from(days.len()).unwrap_or(7)
    }

    /// Local date before the date of `at`. Hours that begin on that date may include `at`.
    fn day_before(&self, at: Millis) -> Option<NaiveDate> {
        let today = DateTime::from_timestamp_millis(at)?.with_timezone(&self.zone).date_naive();
        today.checked_sub_days(Days::new(1))
    }

    fn includes(&self, date: NaiveDate) -> bool {
        let is_day = self.weekdays.is_empty() || self.weekdays.contains(&Day::of(date.weekday()));
        is_day && self.week.is_none_or(|week| week.includes(date))
    }

    /// First allowed time of a day at or after `from`.
    fn first_on(&self, date: NaiveDate, from: Millis) -> Option<Millis> {
        if self.has_times() {
            return self.times.iter().map(|minute| instant(self.zone, date, *minute)).find(|at| *at >= from);
        }
        let (start, end) = self.hours.on(self.zone, date);
        (from < end).then(|| from.max(start))
    }
}

impl DailyWindow {
    const fn is_overnight(self) -> bool {
        self.to <= self.from
    }

    fn minutes(self) -> u16 {
        if self.is_overnight() { self.to + DAY_MINUTES - self.from } else { self.to - self.from }
    }

    /// Start and end of the hours that begin on `date`.
    fn on(self, zone: Tz, date: NaiveDate) -> (Millis, Millis) {
        let last = if self.is_overnight() { date.succ_opt().unwrap_or(date) } else { date };
        (instant(zone, date, self.from), instant(zone, last, self.to))
    }
}

fn instant(zone: Tz, date: NaiveDate, minute: u16) -> Millis {
    let midnight: NaiveDateTime = date.into();
    let local_time = midnight + TimeDelta::minutes(minute.into());
    let mut times = (0..=LONGEST_GAP).map(|minutes| local_time + TimeDelta::minutes(minutes));
    let earliest = times.find_map(|local| zone.from_local_datetime(&local).earliest());
    earliest.map_or(0, |time| time.timestamp_millis())
}

#[cfg(test)]
mod tests;

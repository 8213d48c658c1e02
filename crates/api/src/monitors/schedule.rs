//! Schedules of monitors in requests and responses.

use kernel::bounds::{MONITOR_JITTER_MINUTES, MONITOR_TIMES, TIME_ZONE_CHARS};
use kernel::rfc3339;
use monitors::{Day, Hours, Schedule, Week};
use poem_openapi::{Enum, Object};

use http_kit::http::params::{Integer, Text, Time};
use http_kit::http::request::request;
use http_kit::http::value::{List, words};

/// Length of a time of day such as `08:30`.
const TIME_CHARS: usize = 5;

words!(MonitorDay, MonitorWeek);

/// Day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorDay {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

/// Occurrence of a weekday in its month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[oai(rename_all = "snake_case")]
pub enum MonitorWeek {
    /// First occurrence in the month.
    First,
    /// Second occurrence in the month.
    Second,
    /// Third occurrence in the month.
    Third,
    /// Fourth occurrence in the month.
    Fourth,
    /// Last occurrence in the month.
    Last,
}

request! {
    /// Hours of a day; they end on the next day if `to` is not after `from`.
    pub struct MonitorHoursRequest in camelCase {
        /// Start, such as `22:00`.
        from: Text<TIME_CHARS, TIME_CHARS>,
        /// End, such as `07:00`.
        to: Text<TIME_CHARS, TIME_CHARS>,
    }
}

request! {
    /// Days and times of the runs; an empty object means the interval alone.
    pub struct MonitorScheduleRequest in camelCase {
        /// IANA time zone. Default: UTC.
        time_zone: Option<Text<1, TIME_ZONE_CHARS>>,
        /// Days of the week; all if empty.
        weekdays: Option<List<MonitorDay, 0, 7>>,
        /// Occurrence of these days in a month. Default: all.
        week: Option<MonitorWeek>,
        /// Times such as `08:30`, instead of the interval.
        times: Option<List<Text<TIME_CHARS, TIME_CHARS>, 0, MONITOR_TIMES>>,
        /// Hours within which the monitor runs at its interval. Default: all.
        hours: Option<MonitorHoursRequest>,
        /// Maximum random delay in minutes.
        jitter_minutes: Option<Integer<0, { MONITOR_JITTER_MINUTES as i64 }>>,
        /// Hours in which messages wait.
        mute_hours: Option<MonitorHoursRequest>,
        /// No run before this time.
        paused_until: Option<Time>,
    }
}

/// Hours of a day; they end on the next day if `to` is not after `from`.
#[derive(Debug, Object)]
pub(super) struct MonitorHours {
    /// Start, such as `22:00`.
    pub from: String,
    /// End, such as `07:00`.
    pub to: String,
}

/// Days and times of the runs.
#[derive(Debug, Default, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorSchedule {
    /// Time zone (IANA name); null for UTC.
    pub time_zone: Option<String>,
    /// Days of the week; empty for all.
    pub weekdays: Vec<MonitorDay>,
    /// Occurrence of these days in a month; null for all.
    pub week: Option<MonitorWeek>,
    /// Times of day instead of the interval; empty for the interval.
    pub times: Vec<String>,
    /// Hours within which the monitor runs at its interval; null for all.
    pub hours: Option<MonitorHours>,
    /// Maximum random delay of each run in minutes; null for a fixed delay of less than a minute.
    pub jitter_minutes: Option<u32>,
    /// Hours in which messages wait; null for none.
    pub mute_hours: Option<MonitorHours>,
    /// Time before which the monitor does not run, RFC 3339 UTC; null if there is none.
    pub paused_until: Option<String>,
}

impl From<MonitorHoursRequest> for Hours {
    fn from(hours: MonitorHoursRequest) -> Self {
        Self { from: hours.from.0, to: hours.to.0 }
    }
}

impl From<MonitorScheduleRequest> for Schedule {
    fn from(schedule: MonitorScheduleRequest) -> Self {
        let weekdays = schedule.weekdays.map(|days| days.0).unwrap_or_default();
        let times = schedule.times.map(|times| times.0).unwrap_or_default();
        Self {
            time_zone: schedule.time_zone.map(|name| name.0),
            weekdays: weekdays.into_iter().map(Day::from).collect(),
            week: schedule.week.map(Week::from),
            times: times.into_iter().map(|time| time.0).collect(),
            hours: schedule.hours.map(Hours::from),
            jitter_minutes: schedule.jitter_minutes.map(Integer::get),
            mute_hours: schedule.mute_hours.map(Hours::from),
            paused_until: schedule.paused_until.map(|time| time.0),
        }
    }
}

impl From<Schedule> for MonitorSchedule {
    fn from(schedule: Schedule) -> Self {
        let hours = |hours: Hours| MonitorHours { from: hours.from, to: hours.to };
        Self {
            time_zone: schedule.time_zone,
            weekdays: schedule.weekdays.into_iter().map(MonitorDay::from).collect(),
            week: schedule.week.map(MonitorWeek::from),
            times: schedule.times,
            hours: schedule.hours.map(hours),
            jitter_minutes: schedule.jitter_minutes,
            mute_hours: schedule.mute_hours.map(hours),
            paused_until: schedule.paused_until.map(rfc3339),
        }
    }
}

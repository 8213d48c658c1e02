//! Rows for intervals and schedules. The source changes every day, so each day with a run after the baseline
//! has a report. The days are computed from the calendar and the fixed offset of each time zone.

use std::collections::BTreeSet;

use chrono::{Datelike, Days, NaiveDate, Weekday};
use fastrand::Rng;
use kernel::clock::{DAY, HOUR, rfc3339};
use kernel::testing::START;
use serde_json::{Value, json};

use super::plan::{DAYS, Plan, Row, daily_sentences, offer, with};

pub(super) const ROWS: &[Row] = &[
    Row { name: "interval of several days", plan: interval },
    Row { name: "weekdays", plan: weekdays },
    Row { name: "times of day at weekends", plan: times },
    Row { name: "one weekday of the month", plan: week_of_month },
    Row { name: "hours on weekdays", plan: hours },
    Row { name: "paused until", plan: paused_until },
];

const DAY_MINUTES: i64 = 24 * 60;
/// Minutes of the day at which the month starts.
const START_MINUTES: i64 = 12 * 60;
/// Time zones with their offsets in minutes. None of them changes its offset in this month.
const ZONES: [(&str, i64); 4] =
    [("Europe/Berlin", 60), ("America/New_York", -300), ("Asia/Kolkata", 330), ("Australia/Sydney", 660)];

/// Creates a plan with another text on each day.
fn daily(rng: &mut Rng, name: &str, value: Value, expected: Vec<usize>) -> Plan {
    let states = daily_sentences(rng);
    Plan::of(with(json!({"selector": ".offer"}), name, value), &states, |text| offer(text), expected)
}

/// Days of the month with a run at one of the minutes of an allowed local date. The day of the baseline has no
/// report.
fn run_days(offset: i64, minutes: &[i64], is_allowed: impl Fn(NaiveDate) -> bool) -> Vec<usize> {
    let first = NaiveDate::from_ymd_opt(2026, 11, 20).expect("the date exists");
    let mut days = BTreeSet::new();
    for (number, date) in (0..).zip(first.iter_days().take(DAYS + 2)) {
        if !is_allowed(date) {
            continue;
        }
        for minute in minutes {
            let since_start = number * DAY_MINUTES - START_MINUTES - offset + minute;
            days.extend(usize::try_from(since_start.div_euclid(DAY_MINUTES)));
        }
    }
    days.into_iter().filter(|day| (1..DAYS).contains(day)).collect()
}

fn names_of(days: &[Weekday]) -> Vec<&'static str> {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let number = |day: &Weekday| usize::try_from(day.num_days_from_monday()).unwrap_or_default();
    days.iter().map(|day| names[number(day)]).collect()
}

fn interval(rng: &mut Rng) -> Plan {
    let days = rng.usize(2..6);
    daily(rng, "intervalMinutes", json!(days * 1440), (days..DAYS).step_by(days).collect())
}

/// A run that is due on another day is delayed until the next allowed day begins. The month starts on a Friday,
/// so that the first day after the baseline is not allowed.
fn weekdays(rng: &mut Rng) -> Plan {
    let (zone, offset) = ZONES[rng.usize(..ZONES.len())];
    let choices: [&[Weekday]; 4] = [
        &[Weekday::Mon, Weekday::Wed, Weekday::Fri],
        &[Weekday::Tue, Weekday::Thu],
        &[Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri],
        &[Weekday::Sun],
    ];
    let days = choices[rng.usize(..choices.len())];
    let expected = run_days(offset, &[0], |date| days.contains(&date.weekday()));
    daily(rng, "schedule", json!({"weekdays": names_of(days), "timeZone": zone}), expected)
}

fn times(rng: &mut Rng) -> Plan {
    let (zone, offset) = ZONES[rng.usize(..ZONES.len())];
    let days = [Weekday::Sat, Weekday::Sun];
    let expected = run_days(offset, &[7 * 60 + 15, 19 * 60 + 45], |date| days.contains(&date.weekday()));
    let schedule = json!({"weekdays": names_of(&days), "times": ["07:15", "19:45"], "timeZone": zone,
        "jitterMinutes": 0});
    daily(rng, "schedule", schedule, expected)
}

fn week_of_month(rng: &mut Rng) -> Plan {
    let (zone, offset) = ZONES[rng.usize(..ZONES.len())];
    let (week, day) = [
        ("first", Weekday::Mon),
        ("second", Weekday::Tue),
        ("third", Weekday::Thu),
        ("fourth", Weekday::Wed),
        ("last", Weekday::Fri),
    ][rng.usize(..5)];
    let is_in_week = |date: NaiveDate| match week {
        "first" => date.day() <= 7,
        "second" => (8..=14).contains(&date.day()),
        "third" => (15..=21).contains(&date.day()),
        "fourth" => (22..=28).contains(&date.day()),
        _ => date.checked_add_days(Days::new(7)).is_some_and(|next| next.month() != date.month()),
    };
    let expected = run_days(offset, &[9 * 60], |date| date.weekday() == day && is_in_week(date));
    let schedule = json!({"weekdays": names_of(&[day]), "week": week, "times": ["09:00"], "timeZone": zone});
    daily(rng, "schedule", schedule, expected)
}

/// A run is delayed until the hours of the next allowed day begin.
fn hours(rng: &mut Rng) -> Plan {
    let (zone, offset) = ZONES[rng.usize(..ZONES.len())];
    let days = [Weekday::Mon, Weekday::Wed, Weekday::Fri];
    let expected = run_days(offset, &[20 * 60], |date| days.contains(&date.weekday()));
    let schedule = json!({"weekdays": names_of(&days), "hours": {"from": "20:00", "to": "23:30"},
        "timeZone": zone});
    daily(rng, "schedule", schedule, expected)
}

/// The baseline is read at the end of the pause.
fn paused_until(rng: &mut Rng) -> Plan {
    let first = rng.usize(3..20);
    let until = START + i64::try_from(first).expect("a day of the month is small") * DAY + 5 * HOUR;
    let expected = (first + 1..DAYS).collect();
    daily(rng, "schedule", json!({"pausedUntil": rfc3339(until)}), expected)
}

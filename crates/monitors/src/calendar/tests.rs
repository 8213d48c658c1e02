//! Schedules across clock changes, months and leap years.

use super::*;
use kernel::rfc3339;

fn at(text: &str) -> Millis {
    DateTime::parse_from_rfc3339(text).unwrap().timestamp_millis()
}

fn berlin() -> Schedule {
    Schedule { time_zone: Some("Europe/Berlin".into()), ..Schedule::default() }
}

fn times(texts: &[&str], base: Schedule) -> Schedule {
    Schedule { times: texts.iter().map(|text| (*text).to_owned()).collect(), ..base }
}

fn hours(from: &str, to: &str) -> Hours {
    Hours { from: from.to_owned(), to: to.to_owned() }
}

/// Successive allowed times after `from`. Each search begins one millisecond after the previous result.
fn next(schedule: &Schedule, from: &str, count: usize) -> Vec<String> {
    let calendar = schedule.parse().unwrap();
    let mut from = at(from);
    let mut allowed = Vec::new();
    for _ in 0..count {
        let next = calendar.next(from);
        allowed.push(rfc3339(next).replace(":00.000Z", "Z"));
        from = next + 1;
    }
    allowed
}

#[test]
fn time_of_day_follows_the_clock_of_its_zone() {
    let nine = times(&["09:00"], berlin());
    assert_eq!(
        next(&nine, "2026-03-27T12:00:00Z", 3),
        ["2026-03-28T08:00Z", "2026-03-29T07:00Z", "2026-03-30T07:00Z"]
    );
    let night = times(&["02:30"], berlin());
    // In March, the hour from two to three does not exist; in October, it occurs twice.
    assert_eq!(next(&night, "2026-03-28T12:00:00Z", 2), ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]);
    assert_eq!(next(&night, "2026-10-24T12:00:00Z", 2), ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]);
    let twice = times(&["18:00", "06:00"], berlin());
    assert_eq!(next(&twice, "2026-11-20T05:00:00Z", 2), ["2026-11-20T05:00Z", "2026-11-20T17:00Z"]);
    let auckland = Schedule { time_zone: Some("Pacific/Auckland".into()), ..Schedule::default() };
    assert_eq!(next(&times(&["08:00"], auckland), "2026-11-20T12:00:00Z", 1), ["2026-11-20T19:00Z"]);
}

#[test]
fn weekdays_and_weeks_select_days_of_the_month() {
    let on = |weekdays: &[Day], week| {
        let schedule = Schedule { weekdays: weekdays.to_vec(), week, ..Schedule::default() };
        times(&["09:00"], schedule)
    };
    let workdays = on(&[Day::Monday, Day::Friday], None);
    assert_eq!(
        next(&workdays, "2026-11-20T10:00:00Z", 3),
        ["2026-11-23T09:00Z", "2026-11-27T09:00Z", "2026-11-30T09:00Z"]
    );
    let first_monday = on(&[Day::Monday], Some(Week::First));
    assert_eq!(
        next(&first_monday, "2026-11-20T10:00:00Z", 3),
        ["2026-12-07T09:00Z", "2027-01-04T09:00Z", "2027-02-01T09:00Z"]
    );
    let last_tuesday = on(&[Day::Tuesday], Some(Week::Last));
    assert_eq!(next(&last_tuesday, "2028-02-23T00:00:00Z", 1), ["2028-02-29T09:00Z"], "a leap year");
    let last_sunday = on(&[Day::Sunday], Some(Week::Last));
    assert_eq!(next(&last_sunday, "2027-02-22T00:00:00Z", 2), ["2027-02-28T09:00Z", "2027-03-28T09:00Z"]);
    let fourth = on(&[Day::Monday], Some(Week::Fourth));
    assert_eq!(next(&fourth, "2026-11-24T00:00:00Z", 1), ["2026-12-28T09:00Z"]);
}

#[test]
fn interval_runs_are_within_the_hours() {
    let office = Schedule { hours: Some(hours("08:00", "18:00")), ..berlin() };
    assert_eq!(next(&office, "2026-11-20T16:59:00Z", 1), ["2026-11-20T16:59Z"]);
    assert_eq!(next(&office, "2026-11-20T17:00:00Z", 1), ["2026-11-21T07:00Z"]);
    assert_eq!(next(&office, "2026-11-20T03:00:00Z", 1), ["2026-11-20T07:00Z"]);
    let friday_night =
        Schedule { weekdays: vec![Day::Friday], hours: Some(hours("22:00", "06:00")), ..Schedule::default() };
    assert_eq!(next(&friday_night, "2026-11-21T03:00:00Z", 1), ["2026-11-21T03:00Z"]);
    assert_eq!(next(&friday_night, "2026-11-21T06:00:00Z", 1), ["2026-11-27T22:00Z"]);
    let sunday = Schedule { weekdays: vec![Day::Sunday], ..berlin() };
    assert_eq!(next(&sunday, "2026-11-20T10:00:00Z", 1), ["2026-11-21T23:00Z"], "Sunday begins in Berlin");
    // The hours do not exist on this day.
    let skipped = Schedule { hours: Some(hours("02:10", "02:40")), ..berlin() };
    assert_eq!(next(&skipped, "2026-03-29T00:00:00Z", 1), ["2026-03-29T01:00Z"]);
}

#[test]
fn pause_delays_the_first_allowed_time() {
    let paused = Schedule { paused_until: Some(at("2026-12-24T12:00:00Z")), ..Schedule::default() };
    assert_eq!(next(&paused, "2026-11-20T10:00:00Z", 1), ["2026-12-24T12:00Z"]);
    assert_eq!(next(&paused, "2026-12-25T10:00:00Z", 1), ["2026-12-25T10:00Z"]);
    let at_nine = times(&["09:00"], paused);
    assert_eq!(next(&at_nine, "2026-11-20T10:00:00Z", 1), ["2026-12-25T09:00Z"]);
}

#[test]
fn muted_hours_may_last_until_the_next_day() {
    let schedule = Schedule { mute_hours: Some(hours("22:00", "07:00")), ..berlin() };
    let calendar = schedule.parse().unwrap();
    let until = |text: &str| calendar.muted_until(at(text)).map(rfc3339);
    assert_eq!(until("2026-11-20T21:00:00Z").as_deref(), Some("2026-11-21T06:00:00.000Z"));
    assert_eq!(until("2026-11-21T05:59:00Z").as_deref(), Some("2026-11-21T06:00:00.000Z"));
    assert_eq!(until("2026-11-21T06:00:00Z"), None);
    assert_eq!(until("2026-11-20T20:59:00Z"), None);
    assert_eq!(berlin().parse().unwrap().muted_until(at("2026-11-20T21:00:00Z")), None);
}

#[test]
fn times_of_day_closer_than_the_plan_allows_are_refused() {
    let gaps =
        |texts: &[&str], least| times(texts, Schedule::default()).parse().unwrap().check_gaps(least).is_ok();
    assert!(gaps(&["09:00"], 1440) && gaps(&[], 1440));
    assert!(!gaps(&["09:00", "21:00"], 1440));
    assert!(gaps(&["09:00", "21:00"], 720) && !gaps(&["09:00", "20:00"], 720));
    assert!(!gaps(&["00:05", "23:55"], 15), "midnight is between them");
}

#[test]
fn runs_per_month_are_estimated_from_days_and_hours() {
    let runs = |schedule: &Schedule, minutes| schedule.parse().unwrap().runs_per_month(minutes);
    assert_eq!(runs(&times(&["09:00", "17:00"], Schedule::default()), 60), 62);
    let monday = Schedule { weekdays: vec![Day::Monday, Day::Monday], ..Schedule::default() };
    assert_eq!(runs(&monday, 60), 5 * 24);
    let first = Schedule { week: Some(Week::First), ..times(&["09:00"], monday.clone()) };
    assert_eq!(runs(&first, 60), 1);
    let office = Schedule { hours: Some(hours("08:00", "18:00")), ..Schedule::default() };
    assert_eq!(runs(&office, 60), 310);
    assert_eq!(runs(&office, 10_080), 4, "one a week");
    assert_eq!(runs(&Schedule::default(), 1440), 31);
}

#[test]
fn malformed_schedules_are_refused_with_the_field() {
    let fault = |schedule: &Schedule| {
        let error = schedule.parse().unwrap_err();
        error.field().unwrap().path.pointer(str::to_owned)
    };
    let zone = Schedule { time_zone: Some("Mars/Olympus".into()), ..Schedule::default() };
    assert_eq!(fault(&zone), "/schedule/time_zone");
    for text in ["9:00", "24:00", "12:60", "+1:00", "noon", "", "é1:00"] {
        assert_eq!(fault(&times(&[text], Schedule::default())), "/schedule/times/0", "{text}");
    }
    let empty = Schedule { hours: Some(hours("08:00", "08:00")), ..Schedule::default() };
    assert_eq!(fault(&empty), "/schedule/hours/to");
    let muted = Schedule { mute_hours: Some(hours("8", "09:00")), ..Schedule::default() };
    assert_eq!(fault(&muted), "/schedule/mute_hours/from");
    let both = Schedule { hours: Some(hours("08:00", "09:00")), ..times(&["08:00"], Schedule::default()) };
    assert_eq!(fault(&both), "/schedule/hours");
    let jitter = Schedule { jitter_minutes: Some(MONITOR_JITTER_MINUTES + 1), ..Schedule::default() };
    assert_eq!(fault(&jitter), "/schedule/jitter_minutes");
}

#[test]
fn stored_schedule_round_trips() {
    let schedule = Schedule {
        weekdays: vec![Day::Monday],
        week: Some(Week::First),
        jitter_minutes: Some(10),
        mute_hours: Some(hours("22:00", "07:00")),
        paused_until: Some(1),
        ..times(&["09:00"], berlin())
    };
    let text = serde_json::to_string(&schedule).unwrap();
    assert_eq!(serde_json::from_str::<Schedule>(&text).unwrap(), schedule);
    assert_eq!(serde_json::to_string(&Schedule::default()).unwrap(), "{}");
}

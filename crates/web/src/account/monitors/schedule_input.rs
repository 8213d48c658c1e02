//! Form fields of a monitor's schedule, and a description of the schedule.

use kernel::rfc3339;
use maud::{Markup, html};
use monitors::{Day, Hours, Monitor, Schedule, Week};
use serde_json::{Map, Value, json};

use super::text_fields::line;
use super::words;
use crate::form_input::comma_separated;
use crate::language::formats;
use crate::language::text::Text;
use crate::page::form::{Form, FormError};

const DAYS: [(Day, &str, Text); 7] = [
    (Day::Monday, "monday", Text("day-monday")),
    (Day::Tuesday, "tuesday", Text("day-tuesday")),
    (Day::Wednesday, "wednesday", Text("day-wednesday")),
    (Day::Thursday, "thursday", Text("day-thursday")),
    (Day::Friday, "friday", Text("day-friday")),
    (Day::Saturday, "saturday", Text("day-saturday")),
    (Day::Sunday, "sunday", Text("day-sunday")),
];

const WEEKS: [(Week, &str, Text); 5] = [
    (Week::First, "first", Text("week-first")),
    (Week::Second, "second", Text("week-second")),
    (Week::Third, "third", Text("week-third")),
    (Week::Fourth, "fourth", Text("week-fourth")),
    (Week::Last, "last", Text("week-last")),
];

/// Form values as typed.
#[derive(Default)]
pub(super) struct ScheduleInput {
    weekdays: Vec<String>,
    week: String,
    /// Times of day, separated by commas.
    times: String,
    hours: (String, String),
    time_zone: String,
    jitter_minutes: String,
    mute_hours: (String, String),
    paused_until: String,
    notify_failures: String,
}

impl ScheduleInput {
    /// Reads the values of a submitted form.
    pub(super) fn of(form: &Form) -> Self {
        let text = |name: &str| form.get(name).trim().to_owned();
        Self {
            weekdays: form.all("weekdays").map(str::to_owned).collect(),
            week: text("week"),
            times: text("times"),
            hours: (text("hoursFrom"), text("hoursTo")),
            time_zone: text("timeZone"),
            jitter_minutes: text("jitterMinutes"),
            mute_hours: (text("muteFrom"), text("muteTo")),
            paused_until: text("pausedUntil"),
            notify_failures: text("notifyFailures"),
        }
    }

    /// Returns the values of an existing monitor.
    pub(super) fn of_monitor(monitor: &Monitor) -> Self {
        let notify_failures = monitor.notify_failures.map(|count| count.to_string()).unwrap_or_default();
        Self { notify_failures, ..Self::of_schedule(&monitor.schedule) }
    }

    /// Returns the values of a schedule, without the number of failures.
    pub(super) fn of_schedule(schedule: &Schedule) -> Self {
        let day = |day: &Day| DAYS.iter().find(|(known, ..)| known == day).map(|(_, word, _)| *word);
        let hours = |hours: Option<&Hours>| {
            hours.map(|hours| (hours.from.clone(), hours.to.clone())).unwrap_or_default()
        };
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        Self {
            weekdays: schedule.weekdays.iter().filter_map(day).map(str::to_owned).collect(),
            week: schedule.week.map(week_word).unwrap_or_default().to_owned(),
            times: schedule.times.join(", "),
            hours: hours(schedule.hours.as_ref()),
            time_zone: schedule.time_zone.clone().unwrap_or_default(),
            jitter_minutes: number(schedule.jitter_minutes),
            mute_hours: hours(schedule.mute_hours.as_ref()),
            paused_until: schedule.paused_until.map(rfc3339).unwrap_or_default(),
            notify_failures: String::new(),
        }
    }

    /// Returns the number of failures before a message, for the API. `None` if it is not set.
    pub(super) fn failures(&self) -> Option<Value> {
        (!self.notify_failures.is_empty()).then(|| json!(self.notify_failures))
    }

    /// Returns the schedule for the API. Empty fields are omitted.
    pub(super) fn schedule(&self) -> Value {
        let mut schedule = Map::new();
        let mut put = |name: &str, value: Value| schedule.insert(name.to_owned(), value);
        let texts = [
            ("week", &self.week),
            ("timeZone", &self.time_zone),
            ("jitterMinutes", &self.jitter_minutes),
            ("pausedUntil", &self.paused_until),
        ];
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            put(name, json!(text));
        }
        put("weekdays", json!(self.weekdays));
        let times: Vec<&str> = comma_separated(&self.times).collect();
        put("times", json!(times));
        for (name, (from, to)) in [("hours", &self.hours), ("muteHours", &self.mute_hours)] {
            if !from.is_empty() || !to.is_empty() {
                put(name, json!({ "from": from, "to": to }));
            }
        }
        Value::Object(schedule)
    }

    /// Returns true if days or times of runs are set.
    fn has_days(&self) -> bool {
        let texts = [&self.week, &self.times, &self.hours.0, &self.jitter_minutes, &self.paused_until];
        !self.weekdays.is_empty() || texts.iter().any(|text| !text.is_empty())
    }

    /// Returns true if muted hours or a number of failures are set.
    fn has_message_settings(&self) -> bool {
        !self.mute_hours.0.is_empty() || !self.notify_failures.is_empty()
    }
}

/// Renders the days and times of the runs. Expanded if some are set.
pub(super) fn schedule_fields(input: &ScheduleInput, form_error: &FormError) -> Markup {
    let names = ["times", "hoursFrom", "timeZone", "jitterMinutes", "pausedUntil"];
    html! {
        details open[input.has_days() || is_any_wrong(form_error, &names)] { summary { (Text("schedule-days")) }
            (day_fields(input, form_error))
        }
    }
}

/// Renders the muted hours, and the number of failures before a message. Expanded if one is set.
pub(super) fn message_fields(input: &ScheduleInput, form_error: &FormError) -> Markup {
    let (label, hint) = (Text("schedule-failures").get(), Text("schedule-failures-hint").get());
    let failures = line("notifyFailures", &label, &hint, &input.notify_failures);
    let is_wrong = is_any_wrong(form_error, &["muteFrom", "notifyFailures"]);
    html! {
        details open[input.has_message_settings() || is_wrong] { summary { (Text("schedule-muted")) }
            (mute_fields(input, form_error))
            (failures.show(form_error))
        }
    }
}

/// Returns true if at least one of the fields has an error.
fn is_any_wrong(form_error: &FormError, names: &[&str]) -> bool {
    names.iter().any(|name| form_error.at(name).is_some())
}

/// Renders the days and times of the runs.
pub(super) fn day_fields(input: &ScheduleInput, form_error: &FormError) -> Markup {
    let field = |name: &str, label: Text, hint: Text, value: &str| {
        line(name, &label.get(), &hint.get(), value).show(form_error)
    };
    html! {
        fieldset {
            legend { (Text("schedule-only-on")) }
            @for (_, word, label) in DAYS {
                label.choice { input type="checkbox" name="weekdays" value=(word) checked[input.weekdays.iter().any(|day| day == word)]; span { (label) } }
            }
        }
        div {
            label for="week" { (Text("schedule-week")) }
            select #week name="week" {
                option value="" selected[input.week.is_empty()] { (Text("schedule-week-all")) }
                @for (_, word, label) in WEEKS { option value=(word) selected[input.week == word] { (label) } }
            }
        }
        (field("times", Text("schedule-times"), Text("schedule-times-hint"), input.times.as_str()))
        (field("hoursFrom", Text("schedule-from"), Text("schedule-from-hint"), input.hours.0.as_str()))
        (field("hoursTo", Text("schedule-to"), Text("schedule-to-hint"), input.hours.1.as_str()))
        (field("timeZone", Text("schedule-zone"), Text("schedule-zone-hint"), input.time_zone.as_str()))
        (field("jitterMinutes", Text("schedule-jitter"), Text("schedule-jitter-hint"), input.jitter_minutes.as_str()))
        (field("pausedUntil", Text("schedule-not-before"), Text("schedule-not-before-hint"), input.paused_until.as_str()))
    }
}

/// Renders the hours in which messages wait, in the time zone of the runs.
pub(super) fn mute_fields(input: &ScheduleInput, form_error: &FormError) -> Markup {
    html! {
        (line("muteFrom", &Text("schedule-mute-from").get(), &Text("schedule-mute-from-hint").get(), &input.mute_hours.0).show(form_error))
        (line("muteTo", &Text("schedule-to").get(), &Text("schedule-mute-to-hint").get(), &input.mute_hours.1).show(form_error))
    }
}

fn week_word(week: Week) -> &'static str {
    WEEKS.iter().find(|(known, ..)| *known == week).map_or("", |(_, word, _)| *word)
}

/// Describes when a monitor is checked, for example `at 09:00 on the first Monday of the month (Europe/Berlin)`.
pub(super) fn schedule_words(schedule: &Schedule, interval_minutes: u32) -> String {
    let mut words = if schedule.times.is_empty() {
        words::every(interval_minutes)
    } else {
        Text("schedule-at").with("times", schedule.times.join(", ")).get()
    };
    let label = |day: &Day| DAYS.iter().find(|(known, ..)| known == day).map(|(.., label)| label.get());
    let days: Vec<String> = schedule.weekdays.iter().filter_map(label).collect();
    let mut days = formats::list(&days);
    if let Some(week) = schedule.week {
        let each = if days.is_empty() { Text("schedule-each").get() } else { days };
        days = Text("schedule-in-month").with("week", week_name(week)).with("days", each).get();
    }
    if !days.is_empty() {
        words = Text("schedule-on").with("schedule", words).with("days", days).get();
    }
    if let Some(Hours { from, to }) = &schedule.hours {
        words = between(Text("schedule-between"), words, from, to);
    }
    if let Some(zone) = &schedule.time_zone {
        words = format!("{words} ({zone})");
    }
    if let Some(Hours { from, to }) = &schedule.mute_hours {
        words = between(Text("schedule-no-messages"), words, from, to);
    }
    words
}

/// Returns the ordinal of a week in a month, for example `first`.
fn week_name(week: Week) -> String {
    WEEKS.iter().find(|(known, ..)| *known == week).map(|(.., label)| label.get()).unwrap_or_default()
}

/// Adds a time range to the description of a schedule.
fn between(text: Text, schedule: String, from: &str, to: &str) -> String {
    text.with("schedule", schedule).with("from", from).with("to", to).get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_described() {
        let hours = |from: &str, to: &str| Some(Hours { from: from.into(), to: to.into() });
        let first = Schedule {
            time_zone: Some("Europe/Berlin".into()),
            weekdays: vec![Day::Monday],
            week: Some(Week::First),
            times: vec!["09:00".into()],
            ..Schedule::default()
        };
        assert_eq!(schedule_words(&first, 1440), "at 09:00 on the first Monday of the month (Europe/Berlin)");
        let office = Schedule {
            hours: hours("08:00", "18:00"),
            mute_hours: hours("22:00", "07:00"),
            ..Schedule::default()
        };
        let expected = "every hour between 08:00 and 18:00; no messages from 22:00 to 07:00";
        assert_eq!(schedule_words(&office, 60), expected);
        assert_eq!(schedule_words(&Schedule::default(), 60), "every hour");
    }
}

//! Normalises dates that were written by programs or people.

use chrono::{DateTime, NaiveDate, NaiveDateTime};

use super::calendar::{self, DayMonthOrder};

/// Returns an RFC 3339 time unchanged, and any other date without a time. `None` if the date is implausible.
pub fn normal(raw: &str) -> Option<String> {
    let raw = raw.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(raw) {
        return is_plausible(time.date_naive()).then(|| raw.to_owned());
    }
    for form in
        ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%dT%H:%M%z"]
    {
        if let Ok(time) = DateTime::parse_from_str(raw, form) {
            return is_plausible(time.date_naive()).then(|| time.to_rfc3339());
        }
    }
    if let Ok(time) = DateTime::parse_from_rfc2822(raw) {
        return is_plausible(time.date_naive()).then(|| time.to_rfc3339());
    }
    if let Ok(day) = NaiveDate::parse_from_str(raw, "%Y%m%d") {
        return is_plausible(day).then(|| format_date(day));
    }
    for form in ["%Y%m%d%H%M%S", "%Y%m%dT%H%M%S"] {
        if let Ok(time) = NaiveDateTime::parse_from_str(raw, form) {
            return is_plausible(time.date()).then(|| format_date(time.date()));
        }
    }
    let start: String = raw.chars().take(60).collect();
    calendar::first_date(&start, DayMonthOrder::MonthFirst).map(format_date)
}

fn is_plausible(day: NaiveDate) -> bool {
    use chrono::Datelike;
    u32::try_from(day.year()).is_ok_and(|year| calendar::date(year, day.month(), day.day()).is_some())
}

/// Formats a date without a time.
pub(super) fn format_date(day: NaiveDate) -> String {
    day.format("%Y-%m-%d").to_string()
}

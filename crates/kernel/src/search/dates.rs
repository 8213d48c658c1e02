//! Dates in search queries: a year, a month, or a day. All days are those of UTC.

use std::ops::RangeInclusive;

use chrono::{Days, Months, NaiveDate, NaiveTime};

use crate::Millis;

/// Accepted years. They have four digits, so that dates can be compared as texts.
const YEARS: RangeInclusive<i32> = 1000..=9998;

/// Days of a filter, from `start` to the day before `end`. A bound that is `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub start: Option<NaiveDate>,
    pub end: Option<NaiveDate>,
}

impl Period {
    /// Parses a year (`2026`), a month (`2026-02`), or a day (`2026-02-28`).
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = |part: &str, count: usize| {
            let is_number = part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| part.parse::<u32>().ok())?
        };
        let mut parts = text.split('-');
        let year = i32::try_from(digits(parts.next()?, 4)?).ok().filter(|year| YEARS.contains(year))?;
        let month = parts.next().map(|part| digits(part, 2).ok_or(())).transpose().ok()?;
        let day = parts.next().map(|part| digits(part, 2).ok_or(())).transpose().ok()?;
        if parts.next().is_some() {
            return None;
        }
        let start = NaiveDate::from_ymd_opt(year, month.unwrap_or(1), day.unwrap_or(1))?;
        let end = match (month, day) {
            (_, Some(_)) => start.checked_add_days(Days::new(1)),
            (Some(_), None) => start.checked_add_months(Months::new(1)),
            (None, None) => start.checked_add_months(Months::new(12)),
        };
        Some(Self { start: Some(start), end: Some(end?) })
    }

    /// Returns the period from the first day of this period, without an end.
    pub(super) fn onward(self) -> Self {
        Self { end: None, ..self }
    }

    /// Returns the period before the first day of this period, without a start.
    pub(super) fn preceding(self) -> Self {
        Self { start: None, end: self.start }
    }

    /// Comparison operators, each with the time that it compares with.
    pub fn times(self) -> impl Iterator<Item = (&'static str, Millis)> {
        let start_of = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
        self.bounds().map(move |(operator, day)| (operator, start_of(day)))
    }

    /// Comparison operators, each with the date that it compares with, in the form `2026-02-28`.
    pub fn dates(self) -> impl Iterator<Item = (&'static str, String)> {
        self.bounds().map(|(operator, day)| (operator, day.to_string()))
    }

    fn bounds(self) -> impl Iterator<Item = (&'static str, NaiveDate)> {
        let start = self.start.map(|day| (">=", day));
        start.into_iter().chain(self.end.map(|day| ("<", day)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_months_and_days_are_parsed() {
        let days = |text: &str| {
            let period = Period::parse(text)?;
            Some(format!("{}..{}", period.start?, period.end?))
        };
        for (text, expected) in [
            ("2026", Some("2026-01-01..2027-01-01")),
            ("2026-02", Some("2026-02-01..2026-03-01")),
            ("2026-12", Some("2026-12-01..2027-01-01")),
            ("2024-02-29", Some("2024-02-29..2024-03-01")),
            ("9998-12-31", Some("9998-12-31..9999-01-01")),
            ("2026-02-29", None),
            ("2026-13", None),
            ("2026-2", None),
            ("2026-02-", None),
            ("2026-02-01-01", None),
            ("+026", None),
            ("0999", None),
            ("9999", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(days(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn open_periods_have_one_bound() {
        let year = Period::parse("2026").unwrap();
        assert_eq!(year.onward().times().collect::<Vec<_>>(), [(">=", 1_767_225_600_000)]);
        assert_eq!(year.preceding().dates().collect::<Vec<_>>(), [("<", "2026-01-01".to_owned())]);
        assert_eq!(year.times().count(), 2);
    }
}

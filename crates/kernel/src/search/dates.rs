//! Dates in search queries: a year, a month, a day, or an age such as `7d`, which is relative to the day of the search.
//! All days are UTC days.

use std::ops::RangeInclusive;

use chrono::{DateTime, Days, Months, NaiveDate, NaiveTime};

use crate::Millis;

/// Accepted years. They have four digits, so that dates can be compared as text.
const YEARS: RangeInclusive<i32> = 1000..=9998;
/// Maximum number of digits of an age.
const AGE_DIGITS: usize = 5;

/// Days of a filter, from `start` to the day before `end`. A bound that is `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub start: Option<FilterDay>,
    pub end: Option<FilterDay>,
}

/// Day of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterDay {
    On(NaiveDate),
    /// The day that was this long before the search.
    Ago(Age),
}

/// Number of days, weeks, months, or years. At most a hundred years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Age {
    Days(u32),
    Months(u32),
}

impl Age {
    /// Parses a number and a unit: `7d`, `2w`, `3m`, or `1y`.
    fn parse(text: &str) -> Option<Self> {
        let unit = text.chars().next_back()?;
        let digits = text.strip_suffix(unit)?;
        if digits.len() > AGE_DIGITS || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let count: u32 = digits.parse().ok()?;
        let (age, most) = match unit.to_ascii_lowercase() {
            'd' => (Self::Days(count), 36_500),
            'w' => (Self::Days(count.checked_mul(7)?), 5_200),
            'm' => (Self::Months(count), 1_200),
            'y' => (Self::Months(count.checked_mul(12)?), 100),
            _ => return None,
        };
        (count <= most).then_some(age)
    }

    fn before(self, today: NaiveDate) -> NaiveDate {
        let day = match self {
            Self::Days(count) => today.checked_sub_days(Days::new(count.into())),
            Self::Months(count) => today.checked_sub_months(Months::new(count)),
        };
        day.unwrap_or(today)
    }
}

impl FilterDay {
    fn resolve(self, today: NaiveDate) -> NaiveDate {
        match self {
            Self::On(day) => day,
            Self::Ago(age) => age.before(today),
        }
    }
}

impl Period {
    /// Parses a year (`2026`), a month (`2026-02`), a day (`2026-02-28`), or an age (`7d`), which stands for all days
    /// since then.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match Age::parse(text) {
            Some(age) => Some(Self { start: Some(FilterDay::Ago(age)), end: None }),
            None => Self::of_calendar(text),
        }
    }

    /// Parses the same dates as [`Self::parse`], and ages with an operator: `<7d` for the days since then, `>7d` for
    /// the days before.
    pub(super) fn parse_compared(text: &str) -> Option<Self> {
        if let Some(age) = text.strip_prefix('<') {
            Some(Self { start: Some(FilterDay::Ago(Age::parse(age)?)), end: None })
        } else if let Some(age) = text.strip_prefix('>') {
            Some(Self { start: None, end: Some(FilterDay::Ago(Age::parse(age)?)) })
        } else {
            Self::parse(text)
        }
    }

    /// Parses the same dates as `parse_compared`; `before:` with a date, for the days before its first day;
    /// `after:` with a date, for its first day and all days after it; and `between:` with two dates, for the days from
    /// the first day of the first date to the last day of the second.
    pub fn parse_condition(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        if let Some(date) = text.strip_prefix("before:") {
            Some(Self::parse(date.trim_start())?.preceding())
        } else if let Some(date) = text.strip_prefix("after:") {
            Some(Self::parse(date.trim_start())?.onward())
        } else if let Some(dates) = text.strip_prefix("between:") {
            let (first, last) = dates.split_once(',')?;
            Self::of_calendar(first.trim())?.through(Self::of_calendar(last.trim())?)
        } else {
            Self::parse_compared(&text)
        }
    }

    /// True if `time` is in this period. Ages are relative to `now`.
    pub fn contains(self, time: Millis, now: Millis) -> bool {
        self.times(now).all(|(operator, bound)| if operator == "<" { time < bound } else { time >= bound })
    }

    fn of_calendar(text: &str) -> Option<Self> {
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
        Some(Self { start: Some(FilterDay::On(start)), end: Some(FilterDay::On(end?)) })
    }

    /// Returns the period of the first day of this period and all days after it.
    pub(super) fn onward(self) -> Self {
        Self { end: None, ..self }
    }

    /// Returns the period of all days before the first day of this period.
    pub(super) fn preceding(self) -> Self {
        Self { start: None, end: self.start }
    }

    /// Returns the days from the start of this period to the end of `last`. `None` if `last` is an earlier period.
    fn through(self, last: Self) -> Option<Self> {
        let is_ordered = match (self.start, last.start) {
            (Some(FilterDay::On(first)), Some(FilterDay::On(last))) => first <= last,
            _ => false,
        };
        is_ordered.then_some(Self { start: self.start, end: last.end })
    }

    /// Comparison operators, each with the time to compare to. Ages are relative to `now`.
    pub fn times(self, now: Millis) -> impl Iterator<Item = (&'static str, Millis)> {
        let start_of = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
        self.bounds(now).map(move |(operator, day)| (operator, start_of(day)))
    }

    /// Comparison operators, each with the date to compare to, in the format `2026-02-28`. Ages are relative to `now`.
    pub fn dates(self, now: Millis) -> impl Iterator<Item = (&'static str, String)> {
        self.bounds(now).map(|(operator, day)| (operator, day.to_string()))
    }

    fn bounds(self, now: Millis) -> impl Iterator<Item = (&'static str, NaiveDate)> {
        let today = DateTime::from_timestamp_millis(now).unwrap_or_default().date_naive();
        let start = self.start.map(|day| (">=", day.resolve(today)));
        start.into_iter().chain(self.end.map(|day| ("<", day.resolve(today))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-31, 12:00 UTC.
    const NOW: Millis = 1_774_958_400_000;

    fn days(period: Option<Period>) -> Option<String> {
        let bounds: Vec<String> =
            period?.dates(NOW).map(|(operator, day)| format!("{operator}{day}")).collect();
        Some(bounds.join(" "))
    }

    #[test]
    fn years_months_and_days_are_parsed() {
        for (text, expected) in [
            ("2026", Some(">=2026-01-01 <2027-01-01")),
            ("2026-02", Some(">=2026-02-01 <2026-03-01")),
            ("2026-12", Some(">=2026-12-01 <2027-01-01")),
            ("2024-02-29", Some(">=2024-02-29 <2024-03-01")),
            ("9998-12-31", Some(">=9998-12-31 <9999-01-01")),
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
            assert_eq!(days(Period::parse(text)).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn ages_are_relative_to_the_day_of_the_search() {
        for (text, expected) in [
            ("0d", Some(">=2026-03-31")),
            ("7d", Some(">=2026-03-24")),
            ("<2W", Some(">=2026-03-17")),
            (">1m", Some("<2026-02-28")),
            ("100y", Some(">=1926-03-31")),
            (">2026", None),
            ("101y", None),
            ("36501d", None),
            ("000007d", None),
            ("d", None),
            ("7", None),
            ("7é", None),
            ("-7d", None),
            ("<>7d", None),
            ("7h", None),
        ] {
            assert_eq!(days(Period::parse_compared(text)).as_deref(), expected, "{text}");
        }
        assert_eq!(days(Period::parse(">7d")), None);
        assert_eq!(days(Period::parse("7d").map(Period::preceding)).as_deref(), Some("<2026-03-24"));
    }

    #[test]
    fn date_conditions_select_days_before_after_or_between_dates() {
        for (text, expected) in [
            ("before:2026-02", Some("<2026-02-01")),
            ("After: 2026-02", Some(">=2026-02-01")),
            ("before:7d", Some("<2026-03-24")),
            (">7D", Some("<2026-03-24")),
            ("2026-02-28", Some(">=2026-02-28 <2026-03-01")),
            ("Between:2026-01, 2026-03-15", Some(">=2026-01-01 <2026-03-16")),
            ("between:2025,2026", Some(">=2025-01-01 <2027-01-01")),
            ("between:2026-03,2026-02", None),
            ("between:2026", None),
            ("between:2026,", None),
            ("between:7d,2026", None),
            ("before:", None),
            ("after:>7d", None),
            ("before:2026-02-30", None),
        ] {
            assert_eq!(days(Period::parse_condition(text)).as_deref(), expected, "{text}");
        }
        let february = Period::parse_condition("2026-02").unwrap();
        let start = 1_769_904_000_000;
        assert!(february.contains(start, NOW) && !february.contains(start - 1, NOW));
        assert!(!february.contains(start + 28 * 24 * 60 * 60 * 1000, NOW));
    }

    #[test]
    fn open_periods_have_one_bound() {
        let year = Period::parse("2026").unwrap();
        assert_eq!(year.onward().times(NOW).collect::<Vec<_>>(), [(">=", 1_767_225_600_000)]);
        assert_eq!(year.preceding().dates(NOW).collect::<Vec<_>>(), [("<", "2026-01-01".to_owned())]);
        assert_eq!(year.times(NOW).count(), 2);
    }
}

//! Times that apps send, in seconds, milliseconds, or microseconds. The unit is recognised by magnitude. Each time
//! refers to the discovery of an entry.

use chrono::{DateTime, Utc};

/// Returns the first and the last microsecond of a time. `None` if the text is not a number. Times out of
/// range saturate.
pub(super) fn span(text: &str) -> Option<(i64, i64)> {
    const MILLIS: i64 = 1_000_000_000_000;
    const MICROS: i64 = 1_000_000_000_000_000;
    let digits = text.trim();
    let number = digits.strip_prefix('-').unwrap_or(digits);
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let time = digits.parse().unwrap_or(if digits.starts_with('-') { i64::MIN } else { i64::MAX });
    let unit = match time {
        MICROS.. => 1,
        MILLIS..MICROS => 1_000,
        ..MILLIS => 1_000_000,
    };
    let first = time.saturating_mul(unit);
    Some((first, first.saturating_add(unit - 1)))
}

/// Formats a time in microseconds as an English date, such as `July 16, 2014`. `None` if the time is outside
/// the supported range.
pub(super) fn format_day(time_us: i64) -> Option<String> {
    Some(DateTime::<Utc>::from_timestamp_micros(time_us)?.format("%B %-d, %Y").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_unit_is_recognised_by_magnitude() {
        let second = 1_795_176_000;
        assert_eq!(span("1795176000"), Some((second * 1_000_000, second * 1_000_000 + 999_999)));
        assert_eq!(span("1795176000000"), Some((second * 1_000_000, second * 1_000_000 + 999)));
        assert_eq!(span("1795176000000000"), Some((second * 1_000_000, second * 1_000_000)));
        assert_eq!(span("9223372036854775807"), Some((i64::MAX, i64::MAX)));
        assert_eq!(span("99999999999999999999999"), Some((i64::MAX, i64::MAX)));
        assert_eq!(span("0"), Some((0, 999_999)));
        assert_eq!(span("-1").map(|(first, _)| first), Some(-1_000_000));
        assert_eq!((span(""), span("soon"), span("1.5")), (None, None, None));
    }

    #[test]
    fn day_is_formatted_as_month_day_year() {
        assert_eq!(format_day(1_405_538_280_000_000).as_deref(), Some("July 16, 2014"));
        assert_eq!(format_day(i64::MAX), None);
    }
}

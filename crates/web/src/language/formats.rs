//! Numbers, dates, and lists in the language of the page's content.

use chrono::NaiveDate;
use http_kit::page_language;
use language::formats;

/// Formats a number with its separators: `1,234,567`.
pub(crate) fn number(value: u64) -> String {
    formats::number(page_language::current().content, value)
}

/// Formats a date in words: `1 December 2026`.
pub(crate) fn day(date: NaiveDate) -> String {
    formats::day(page_language::current().content, date)
}

/// Joins the parts of a list: `2 added, 1 removed`.
pub(crate) fn list(parts: &[String]) -> String {
    formats::list(page_language::current().content, parts)
}

//! Parses values in the notations of services: times, lists, percentages.

use chrono::DateTime;
use serde_json::Value;

use super::row::ImportStatus;
use crate::feed::dates::{self, DateOrder};

/// Seconds from 1970 to 2001, the epoch of Apple.
const APPLE_EPOCH: i64 = 978_307_200;
/// Maximum number of seconds in a time of Apple, in the year 3000.
const APPLE_MAX_SECONDS: f64 = 3.2e10;
/// Maximum length of a folder name, in characters.
const MAX_FOLDER_CHARS: usize = 500;
/// Maximum size of a folder path, in bytes. Each link in the folder repeats the path.
const MAX_PATH_BYTES: usize = 2_000;
/// Maximum size of a folder description, in bytes. Each link in the folder repeats the description.
const MAX_REPEATED_BYTES: usize = 2_000;
/// Minimum number of seconds that is a time. Smaller numbers are years or dates in digits.
const MIN_TIME: i64 = 100_000_000;

/// Trimmed text; `None` if it is blank.
pub(super) fn text(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses a time: seconds, milliseconds or microseconds since 1970, or a written date.
pub(super) fn time(text: &str) -> Option<i64> {
    let text = text.trim();
    match text.parse::<i64>() {
        Ok(number) => from_number(number),
        Err(_) => dates::millis(text, DateOrder::default()),
    }
}

/// Parses a time as [`time`] does, but with the day before the month in a date such as `2/11/2026`.
pub(super) fn day_first_time(text: &str) -> Option<i64> {
    dates::millis(text.trim(), DateOrder::DayFirst)
}

fn from_number(number: i64) -> Option<i64> {
    match number {
        ..=0 => None,
        1..100_000_000_000 => Some(number * 1000),
        100_000_000_000..100_000_000_000_000 => Some(number),
        100_000_000_000_000.. => Some(number / 1000),
    }
}

/// Converts seconds since 2001, the epoch of Apple, to a time.
pub(super) fn apple_time(seconds: f64) -> Option<i64> {
    if !(0.0..APPLE_MAX_SECONDS).contains(&seconds) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "fractions of a second are noise")]
    Some((seconds as i64 + APPLE_EPOCH) * 1000)
}

/// Parses the time in a JSON value.
pub(super) fn json_time(value: Option<&Value>) -> Option<i64> {
    match value? {
        Value::String(text) => time(text),
        #[expect(clippy::cast_possible_truncation, reason = "fractions of a second are noise")]
        Value::Number(number) => {
            number.as_i64().or_else(|| number.as_f64().map(|n| n as i64)).and_then(from_number)
        }
        _ => None,
    }
}

/// JSON string or number as text.
pub(super) fn json_text(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(words) => text(words),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// True for the values by which services represent `true`.
pub(super) fn json_flag(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Number(number)) => number.as_i64() == Some(1),
        Some(Value::String(text)) => {
            matches!(
                text.trim().to_lowercase().as_str(),
                "1" | "true" | "yes" | "ja" | "oui" | "sí" | "sì" | "tak" | "да"
            )
        }
        _ => false,
    }
}

/// Names in a JSON list. The name of an object is its `name`, `label` or `slug`.
pub(super) fn json_names(value: Option<&Value>) -> Vec<String> {
    let Some(Value::Array(values)) = value else { return Vec::new() };
    values
        .iter()
        .filter_map(|value| match value {
            Value::Object(object) => {
                ["name", "label", "slug"].iter().find_map(|key| json_text(object.get(*key)))
            }
            other => json_text(Some(other)),
        })
        .collect()
}

/// Parses a list in a cell: `a, b`, `["a", "b"]` or `['a', 'b']`. `separator` applies if there are no
/// brackets.
pub(super) fn list(cell: &str, separator: char) -> Vec<String> {
    let cell = cell.trim();
    if let Ok(values) = serde_json::from_str::<Value>(cell)
        && values.is_array()
    {
        return json_names(Some(&values));
    }
    let inner = cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']'));
    let (inner, separator) = inner.map_or((cell, separator), |inner| (inner, ','));
    inner.split(separator).map(|name| name.trim().trim_matches(['\'', '"'])).filter_map(text).collect()
}

/// Names of a folder with its parents, which services separate by ` / ` or by a slash.
pub(super) fn path(folder: &str) -> Vec<String> {
    let separator = if folder.contains(" / ") { " / " } else { "/" };
    folder.split(separator).filter_map(text).collect()
}

/// Name of a folder, which each of its links repeats. A longer name is truncated, and gets an ellipsis.
pub(super) fn folder_name(name: String) -> String {
    let cut = name.char_indices().nth(MAX_FOLDER_CHARS).map(|(at, _)| at);
    match cut.and_then(|at| name.get(..at)) {
        Some(start) => format!("{start}\u{2026}"),
        None => name,
    }
}

/// Folders of a link that is in one folder. `names` begins with the outermost folder. If the names are too
/// long, an ellipsis replaces the outermost names.
pub(super) fn folders(names: &[String]) -> Vec<Vec<String>> {
    let mut bytes = 0;
    let fits = |name: &&String| {
        bytes += name.len();
        bytes <= MAX_PATH_BYTES
    };
    let count = names.iter().rev().take_while(fits).count();
    let inner = names.get(names.len() - count..).unwrap_or_default();
    let outer = (count < names.len()).then(|| "\u{2026}".to_owned());
    let path: Vec<String> = outer.into_iter().chain(inner.iter().cloned()).collect();
    if path.is_empty() { Vec::new() } else { vec![path] }
}

/// True for the names that browsers give to the list of pages that a person has not read yet.
pub(super) fn is_reading_list(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "reading list",
        "leseliste",
        "liste de lecture",
        "lista de lectura",
        "lista de leitura",
        "elenco di lettura",
        "leeslijst",
        "lista do przeczytania",
        "l\u{e6}seliste",
        "l\u{e4}slista",
        "список для чтения",
        "リーディング リスト",
        "阅读清单",
        "閱讀清單",
    ];
    NAMES.contains(&name.trim().to_lowercase().as_str())
}

/// Description of a folder for the links after the first. Only the first link has a long description.
pub(super) fn repeated_description(description: Option<String>) -> Option<String> {
    description.filter(|text| text.len() <= MAX_REPEATED_BYTES)
}

/// Percentage from a number that is a fraction (0 to 1) or a percentage (above 1 to 100).
pub(super) fn progress(number: f64) -> Option<u8> {
    let percent = if number <= 1.0 { number * 100.0 } else { number };
    if !(0.0..=100.0).contains(&percent) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded above")]
    Some(percent.round() as u8)
}

/// Value that belongs to no field. `None` if it is empty.
pub(super) fn extra(value: Value) -> Option<Value> {
    let is_empty = match &value {
        Value::Null => true,
        Value::String(words) => words.trim().is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    (!is_empty).then_some(value)
}

/// Time of publication as text. A number that is a time and not a year is converted to a date.
pub(super) fn publication(value: &Value) -> Option<String> {
    let text = json_text(Some(value))?;
    let number = text.parse::<i64>().ok().filter(|number| *number >= MIN_TIME);
    let time = number.and_then(from_number).and_then(DateTime::from_timestamp_millis);
    Some(time.map_or(text, |time| time.to_rfc3339()))
}

/// Parses the status names of all services.
pub(super) fn parse_status(word: Option<String>) -> Option<ImportStatus> {
    match word?.to_lowercase().as_str() {
        "unread" | "new" | "inbox" | "active" | "starred" => Some(ImportStatus::Inbox),
        "later" | "shortlist" | "toread" | "to read" | "readlater" | "queue" => Some(ImportStatus::Later),
        "archive" | "archived" | "read" | "done" | "finished" => Some(ImportStatus::Archive),
        _ => None,
    }
}

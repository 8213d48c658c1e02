//! Feed filter over a pipe: one JSON request per line, one JSON answer per line, without state between lines.

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};

use super::{FeedFound, FeedInput, FoundEntry};

/// Request line.
#[derive(Debug, Deserialize)]
struct Ask {
    #[serde(default)]
    id: serde_json::Value,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    headers: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    base_uri: Option<String>,
}

/// Answer line.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    id: serde_json::Value,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    repaired: bool,
    title: Option<&'a str>,
    link: Option<&'a str>,
    entries: Vec<Entry<'a>>,
}

/// Entry of an answer. Times are RFC 3339.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    id: &'a str,
    title: Option<&'a str>,
    link: Option<&'a str>,
    links: &'a [String],
    author: Option<&'a str>,
    published: Option<String>,
    updated: Option<String>,
    summary: Option<&'a str>,
    content: Option<&'a str>,
}

/// Answers one line `{"id","path","headers":{},"base_uri"}`. `read` returns the bytes at a path.
pub fn answer(line: &str, read: impl FnOnce(&str) -> std::io::Result<Vec<u8>>) -> String {
    let ask: Ask = match serde_json::from_str(line) {
        Ok(ask) => ask,
        Err(error) => {
            return failed(serde_json::Value::Null, format!("the line is not a valid request: {error}"));
        }
    };
    let Some(path) = ask.path else { return failed(ask.id, "`path` is missing".to_owned()) };
    let body = match read(&path) {
        Ok(body) => body,
        Err(error) => return failed(ask.id, format!("`path` cannot be read: {error}")),
    };
    let header = |wanted: &str| {
        let found = ask.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.and_then(|(_, value)| value.as_str()).map(str::to_owned)
    };
    let input = FeedInput {
        body,
        content_type: header("content-type"),
        base_url: header("content-location")
            .and_then(|location| super::urls::join(ask.base_uri.as_deref(), &location))
            .or(ask.base_uri),
        ..FeedInput::default()
    };
    let found = super::parse(&input);
    if found.is_feed() { line_of(ask.id, &found) } else { failed(ask.id, "not a feed".to_owned()) }
}

fn line_of(id: serde_json::Value, found: &FeedFound) -> String {
    let answer = Answer {
        id,
        ok: true,
        error: None,
        repaired: found.repaired,
        title: found.title.as_deref(),
        link: found.site_url.as_deref(),
        entries: found.entries.iter().map(entry).collect(),
    };
    written(&answer)
}

fn entry(entry: &FoundEntry) -> Entry<'_> {
    Entry {
        id: &entry.id,
        title: entry.title.as_deref(),
        link: entry.url.as_deref(),
        links: &entry.links,
        author: entry.author.as_deref(),
        published: entry.published.and_then(time),
        updated: entry.updated.and_then(time),
        summary: entry.summary_html.as_deref(),
        content: entry.content_html.as_deref(),
    }
}

fn failed(id: serde_json::Value, error: String) -> String {
    written(&Answer {
        id,
        ok: false,
        error: Some(error),
        repaired: false,
        title: None,
        link: None,
        entries: Vec::new(),
    })
}

fn written(answer: &Answer<'_>) -> String {
    // Serialisation cannot fail here. The empty object is only a fallback.
    serde_json::to_string(answer).unwrap_or_else(|_| "{}".to_owned())
}

/// Time as RFC 3339, without a fraction if it has no milliseconds.
pub(super) fn time(millis: i64) -> Option<String> {
    let time = DateTime::from_timestamp_millis(millis)?;
    Some(time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

//! Unix filter that parses feeds: each input line is a JSON request, and each output line is the JSON
//! response to it. No state is retained between lines.

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};

use super::{FeedInput, ParsedEntry, ParsedFeed};

/// Request line.
#[derive(Debug, Deserialize)]
struct FilterRequest {
    #[serde(default)]
    id: serde_json::Value,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    headers: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    base_uri: Option<String>,
}

/// Response line.
#[derive(Debug, Serialize)]
struct FilterAnswer<'a> {
    id: serde_json::Value,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    repaired: bool,
    title: Option<&'a str>,
    link: Option<&'a str>,
    entries: Vec<AnswerEntry<'a>>,
}

/// Entry in a response. Times are in RFC 3339 format.
#[derive(Debug, Serialize)]
struct AnswerEntry<'a> {
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

/// Returns the response to a request line, which is an object with `id`, `path`, `headers` and `base_uri`.
/// `read` returns the bytes at a path.
pub fn answer(line: &str, read: impl FnOnce(&str) -> std::io::Result<Vec<u8>>) -> String {
    let request: FilterRequest = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => {
            return error_line(serde_json::Value::Null, format!("the line is not a valid request: {error}"));
        }
    };
    let Some(path) = request.path else { return error_line(request.id, "`path` is missing".to_owned()) };
    let body = match read(&path) {
        Ok(body) => body,
        Err(error) => return error_line(request.id, format!("`path` cannot be read: {error}")),
    };
    let header = |header_name: &str| {
        let matching = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(header_name));
        matching.and_then(|(_, value)| value.as_str()).map(str::to_owned)
    };
    let input = FeedInput {
        body,
        content_type: header("content-type"),
        base_url: header("content-location")
            .and_then(|location| super::urls::join(request.base_uri.as_deref(), &location))
            .or(request.base_uri),
        ..FeedInput::default()
    };
    let feed = super::parse(&input);
    if feed.is_feed() {
        feed_line(request.id, &feed)
    } else {
        error_line(request.id, "not a feed".to_owned())
    }
}

fn feed_line(id: serde_json::Value, feed: &ParsedFeed) -> String {
    let answer = FilterAnswer {
        id,
        ok: true,
        error: None,
        repaired: feed.repaired,
        title: feed.title.as_deref(),
        link: feed.site_url.as_deref(),
        entries: feed.entries.iter().map(entry).collect(),
    };
    to_line(&answer)
}

fn entry(entry: &ParsedEntry) -> AnswerEntry<'_> {
    AnswerEntry {
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

fn error_line(id: serde_json::Value, error: String) -> String {
    to_line(&FilterAnswer {
        id,
        ok: false,
        error: Some(error),
        repaired: false,
        title: None,
        link: None,
        entries: Vec::new(),
    })
}

fn to_line(answer: &FilterAnswer<'_>) -> String {
    // Serialization of these types cannot fail. The empty object is only a fallback.
    serde_json::to_string(answer).unwrap_or_else(|_| "{}".to_owned())
}

/// Formats a time as RFC 3339, without a fraction if the milliseconds are zero.
pub(super) fn time(millis: i64) -> Option<String> {
    let time = DateTime::from_timestamp_millis(millis)?;
    Some(time.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

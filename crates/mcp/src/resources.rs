//! MCP resources: library items, their files, and feed entries, each with its own URI and read by the
//! matching operation. Feeds, watched pages, and consumers of updates also notify subscribers.

use std::collections::HashMap;

use data_encoding::BASE64;
use poem::Request;
use poem::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::error::McpError;
use super::message::RpcError;
use super::session::{AgentRequest, Refusal, unreadable_response, uri_of};
use super::tools::segment;
use api::error::ApiError;
use http_kit::auth::ChargePolicy;
use kernel::{Code, ConsumerId, FeedId, MonitorId, Scope};

/// Maximum number of resources in the list, newest first.
const LISTED: usize = 100;
const PAGE: usize = 50;
/// Size limit of a file that is returned as bytes.
const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// Maximum size of a text window in tokens; leaves capacity for title and URL.
const WINDOW: u32 = 18_000;
/// Maximum length of an entry's text, in characters.
const CHARACTERS: u32 = 12_000;
/// Maximum length of an id in a URI. Otherwise, numbers with any number of leading zeros would be valid.
const ID_BYTES: usize = 64;
/// Maximum number of rows that are read from a feed, a monitor, or a consumer.
const ROWS: u32 = 20;

/// Resource that a URI identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResourceUri<'a> {
    Item(&'a str),
    File(&'a str),
    Entry(&'a str),
    Feed(&'a str),
    Monitor(&'a str),
    Consumer(&'a str),
}

impl<'a> ResourceUri<'a> {
    fn of(uri: &'a str) -> Option<Self> {
        let path = uri.strip_prefix("svc://")?;
        let is_plain = |id: &str| {
            (1..=ID_BYTES).contains(&id.len())
                && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        if let Some(id) = path.strip_prefix("rss/entries/") {
            return Some(Self::Entry(id)).filter(|_| is_plain(id));
        }
        if let Some(id) = path.strip_prefix("rss/feeds/") {
            return Some(Self::Feed(id)).filter(|_| is_plain(id));
        }
        if let Some(id) = path.strip_prefix("monitors/") {
            return Some(Self::Monitor(id)).filter(|_| is_plain(id));
        }
        if let Some(id) = path.strip_prefix("feeds/consumers/") {
            return Some(Self::Consumer(id)).filter(|_| is_plain(id));
        }
        let id = path.strip_prefix("library/items/")?;
        match id.strip_suffix("/file") {
            Some(id) => Some(Self::File(id)).filter(|_| is_plain(id)),
            None => Some(Self::Item(id)).filter(|_| is_plain(id)),
        }
    }
}

pub(super) fn item_uri(id: &str) -> String {
    format!("svc://library/items/{id}")
}

pub(super) fn monitor_uri(id: &str) -> String {
    format!("svc://monitors/{id}")
}

/// Response to `resources/templates/list`.
pub(super) fn templates() -> Value {
    let template = |uri: &str, name: &str, about: &str| json!({ "uriTemplate": uri, "name": name, "description": about });
    json!({ "resourceTemplates": [
        template("svc://library/items/{id}", "item", "Text of a library item."),
        template("svc://library/items/{id}/file", "file", "File of a library item."),
        template("svc://rss/entries/{id}", "entry", "Text of an entry of a followed feed."),
        template("svc://rss/feeds/{id}", "feed", "Newest entries of a followed feed. Notifies of new ones."),
        template("svc://monitors/{id}", "monitor", "Newest changes of a watched page. Notifies of new ones."),
        template("svc://feeds/consumers/{id}", "consumer", "Pending updates of a consumer. Notifies of new ones."),
    ] })
}

/// Response to `resources/list`: the newest items and entries. `search` returns older items and entries.
///
/// # Errors
/// `invalid_params` for an invalid cursor, or the refusal of an operation.
pub(super) async fn list(session: &AgentRequest, cursor: Option<&Value>) -> Result<Value, McpError> {
    let start = match cursor {
        None => 0,
        Some(Value::String(text)) if *text == PAGE.to_string() => PAGE,
        Some(_) => return Err(RpcError::invalid_params("The cursor is invalid.").into()),
    };
    let items = session.get(&format!("/v1/library/items?limit={LISTED}"), ChargePolicy::Paid).await?;
    let entries = session.get(&format!("/v1/rss/entries?limit={LISTED}"), ChargePolicy::Paid).await?;
    let mut all: Vec<(String, Value)> = Vec::new();
    for item in items["items"].as_array().into_iter().flatten() {
        let uri = item_uri(item["id"].as_str().unwrap_or_default());
        all.push((time_of(&item["savedAt"]), listed(&uri, &item["title"])));
    }
    for entry in entries["entries"].as_array().into_iter().flatten() {
        let uri = format!("svc://rss/entries/{}", entry["id"]);
        all.push((time_of(&entry["discoveredAt"]), listed(&uri, &entry["title"])));
    }
    all.sort_by(|one, other| other.0.cmp(&one.0));
    all.truncate(LISTED);
    let has_more = all.len() > start + PAGE;
    let page: Vec<Value> = all.into_iter().skip(start).take(PAGE).map(|(_, resource)| resource).collect();
    let mut answer = json!({ "resources": page });
    if has_more {
        answer["nextCursor"] = PAGE.to_string().into();
    }
    Ok(answer)
}

/// Sort key of a time: all times in responses have the same format, so their texts sort by time.
fn time_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn listed(uri: &str, title: &Value) -> Value {
    let name: String = title.as_str().unwrap_or_default().chars().take(200).collect();
    json!({ "uri": uri, "name": name, "title": name, "mimeType": "text/plain" })
}

/// Response to `resources/read`.
///
/// # Errors
/// `invalid_params` if the resource is unknown, or the refusal of its operation.
pub(super) async fn read(session: &AgentRequest, uri: &str) -> Result<Value, McpError> {
    let Some(resource) = ResourceUri::of(uri) else {
        session.charge(kernel::Scope::Read).await?;
        return Err(unknown(uri).into());
    };
    let contents = match resource {
        ResourceUri::Item(id) => item(session, id).await.map(|text| text_at(uri, &text)),
        ResourceUri::Entry(id) => entry(session, id).await.map(|text| text_at(uri, &text)),
        ResourceUri::Feed(id) => feed(session, id).await.map(|text| text_at(uri, &text)),
        ResourceUri::Monitor(id) => monitor(session, id).await.map(|text| text_at(uri, &text)),
        ResourceUri::Consumer(id) => consumer(session, id).await.map(|text| text_at(uri, &text)),
        ResourceUri::File(id) => return file(session, uri, id).await,
    };
    match contents {
        Ok(contents) => Ok(json!({ "contents": [contents] })),
        Err(refusal) if is_missing(&refusal) => Err(unknown(uri).into()),
        Err(refusal) => Err(refusal.into()),
    }
}

/// Resources that notify subscribers, with their URIs.
#[derive(Default)]
struct NotifyingResources<'a> {
    feeds: Vec<(FeedId, &'a str)>,
    monitors: Vec<(MonitorId, &'a str)>,
    consumers: Vec<(ConsumerId, &'a str)>,
}

impl<'a> NotifyingResources<'a> {
    /// Adds a resource.
    ///
    /// # Errors
    /// `invalid_params` if the URI has another kind or an invalid id.
    fn add(&mut self, uri: &'a str) -> Result<(), RpcError> {
        let number = |id: &str| id.parse::<i64>().map_err(|_| unknown(uri));
        match ResourceUri::of(uri) {
            Some(ResourceUri::Feed(id)) => self.feeds.push((FeedId::new(number(id)?), uri)),
            Some(ResourceUri::Monitor(id)) => {
                self.monitors.push((id.parse().map_err(|_| unknown(uri))?, uri));
            }
            Some(ResourceUri::Consumer(id)) => self.consumers.push((ConsumerId::new(number(id)?), uri)),
            Some(ResourceUri::Item(_) | ResourceUri::File(_) | ResourceUri::Entry(_)) | None => {
                let message = "Only feeds, monitors, and consumers can be subscribed to.";
                return Err(RpcError::invalid_params(message).with_data(json!({ "uri": clipped(uri) })));
            }
        }
        Ok(())
    }

    /// Feeds of the monitors that exist; `None` for a monitor that is not followed.
    async fn feeds_of_monitors(
        &self,
        session: &AgentRequest,
    ) -> Result<HashMap<MonitorId, Option<FeedId>>, Refusal> {
        let ids: Vec<MonitorId> = self.monitors.iter().map(|(id, _)| *id).collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        Ok(monitors::feeds_of(&session.app.domain, session.caller.account_id, &ids).await?)
    }
}

/// Checks that resources exist and notify subscribers, with one query for each kind.
///
/// # Errors
/// `invalid_params` if a resource does not; a refusal if the credential lacks the read scope.
pub(super) async fn require_updates(session: &AgentRequest, uris: &[String]) -> Result<(), McpError> {
    let mut named = NotifyingResources::default();
    for uri in uris {
        named.add(uri)?;
    }
    session.caller.require(Scope::Read).map_err(Refusal::from)?;
    match missing_uri(session, &named).await? {
        Some(uri) => Err(unknown(uri).into()),
        None => Ok(()),
    }
}

/// URI of the first resource that the account does not have.
async fn missing_uri<'a>(
    session: &AgentRequest,
    named: &NotifyingResources<'a>,
) -> Result<Option<&'a str>, Refusal> {
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    if !named.feeds.is_empty() {
        let ids: Vec<FeedId> = named.feeds.iter().map(|(id, _)| *id).collect();
        let followed = feeds::followed_feeds(domain, account_id, &ids).await?;
        if let Some(missing) = named.feeds.iter().find(|(id, _)| !followed.contains(id)) {
            return Ok(Some(missing.1));
        }
    }
    let monitors = named.feeds_of_monitors(session).await?;
    if let Some(missing) = named.monitors.iter().find(|(id, _)| !monitors.contains_key(id)) {
        return Ok(Some(missing.1));
    }
    if named.consumers.is_empty() {
        return Ok(None);
    }
    let consumers = feeds::consumer_ids(domain, account_id).await?;
    let missing = named.consumers.iter().find(|(id, _)| !consumers.contains(id));
    Ok(missing.map(|(_, uri)| *uri))
}

/// Returns the URIs among `uris` that changed: those of a feed in `feed_ids`, and consumers with events after
/// `position`. Deleted resources are omitted.
///
/// # Errors
/// `Unavailable` if the database does not respond.
pub(super) async fn updated<'a>(
    session: &AgentRequest,
    uris: &'a [String],
    feed_ids: &[FeedId],
    position: i64,
) -> Result<Vec<&'a str>, Refusal> {
    let mut named = NotifyingResources::default();
    for uri in uris {
        // The URI was checked when the resource was subscribed to, so this cannot fail.
        let _known = named.add(uri);
    }
    let (domain, account_id) = (&session.app.domain, session.caller.account_id);
    let monitors = named.feeds_of_monitors(session).await?;
    let is_updated = |id: &MonitorId| {
        monitors.get(id).copied().flatten().is_some_and(|feed_id| feed_ids.contains(&feed_id))
    };
    let feeds = named.feeds.iter().filter(|(id, _)| feed_ids.contains(id)).map(|(_, uri)| *uri);
    let watched = named.monitors.iter().filter(|(id, _)| is_updated(id)).map(|(_, uri)| *uri);
    let mut updated: Vec<&str> = feeds.chain(watched).collect();
    // Each consumer has its own filter, so each needs a query. The plan limits the number of consumers.
    for (id, uri) in named.consumers {
        match feeds::has_events_after(domain, account_id, id, position).await {
            Ok(true) => updated.push(uri),
            Ok(false) => {}
            Err(error) if matches!(error.code, Code::NotFound | Code::CursorExpired) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(updated)
}

fn is_missing(refusal: &Refusal) -> bool {
    refusal.status == StatusCode::NOT_FOUND
}

fn unknown(uri: &str) -> RpcError {
    RpcError::invalid_params("There is no such resource.").with_data(json!({ "uri": clipped(uri) }))
}

fn clipped(uri: &str) -> String {
    uri.chars().take(500).collect()
}

fn text_at(uri: &str, text: &str) -> Value {
    json!({ "uri": uri, "mimeType": "text/plain", "text": text })
}

async fn item(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let path = format!("/v1/library/items/{}/read", segment(id));
    let window = session.post(&path, &json!({ "maxTokens": WINDOW }), ChargePolicy::Due).await?;
    let mut text = headed(&window["title"], &window["sourceUrl"], &window["text"]);
    if let Some(cursor) = window["nextCursor"].as_u64() {
        let next = if session.selection.has_default_set {
            format!("read with id item:{id}")
        } else {
            format!("read_library_item with id {id}")
        };
        text = format!("{text}\n\n[The text continues: call {next} and cursor {cursor}]");
    }
    Ok(text)
}

async fn entry(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let path = format!("/v1/rss/entries/{}?contentMaxCharacters={CHARACTERS}", segment(id));
    let answer = session.get(&path, ChargePolicy::Due).await?;
    let (entry, content) = (&answer["entry"], &answer["content"]);
    let body = if content["text"].is_string() { &content["text"] } else { &entry["summary"] };
    let mut text = headed(&entry["title"], &entry["url"], body);
    if content["truncated"] == true {
        let url = entry["url"].as_str().unwrap_or_default();
        let next = if session.selection.has_default_set { "read with id" } else { "read_article with url" };
        text = format!("{text}\n\n[The text continues: call {next} {url}]");
    }
    Ok(text)
}

fn missing() -> Refusal {
    ApiError::new(Code::NotFound, "There is no such resource.").into()
}

/// Followed source with a feed id.
async fn source_of(session: &AgentRequest, id: &str, charge: ChargePolicy) -> Result<Value, Refusal> {
    let Ok(id) = id.parse::<u32>() else { return Err(missing()) };
    let query = json!({ "select": "sources", "where": { "source": { "include": [id] } }, "limit": 1 });
    let answer = session.post("/v1/feeds/query", &query, charge).await?;
    answer["sources"].get(0).cloned().ok_or_else(missing)
}

/// Newest entries of a feed.
async fn feed(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let source = source_of(session, id, ChargePolicy::Due).await?;
    let path = format!("/v1/rss/entries?limit={ROWS}&feedId={}", segment(id));
    let answer = session.get(&path, ChargePolicy::Paid).await?;
    let entries = answer["entries"].as_array().into_iter().flatten();
    let rows = entries.map(entry_row).collect::<Vec<_>>().join("\n");
    Ok(headed(&source["title"], &source["siteUrl"], &rows.into()))
}

/// Newest changes of a monitor.
async fn monitor(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let path = format!("/v1/monitors/{}", segment(id));
    let monitor = session.get(&path, ChargePolicy::Due).await?["monitor"].take();
    let answer = session.get(&format!("{path}/changes?limit={ROWS}"), ChargePolicy::Paid).await?;
    let changes = answer["changes"].as_array().into_iter().flatten();
    let row = |change: &Value| {
        let text = |name: &str| change[name].as_str().unwrap_or_default();
        format!("{} {}\n{}", text("detectedAt"), text("title"), text("summary"))
    };
    let rows = changes.map(row).collect::<Vec<_>>().join("\n");
    Ok(headed(&monitor["name"], &monitor["targetUrl"], &rows.into()))
}

/// Updates that a consumer has not acknowledged, up to a maximum number.
async fn pending(
    session: &AgentRequest,
    id: &str,
    (limit, charge): (u32, ChargePolicy),
) -> Result<Value, Refusal> {
    let Ok(id) = id.parse::<u32>() else { return Err(missing()) };
    session.post("/v1/feeds/changes", &json!({ "consumerId": id, "limit": limit }), charge).await
}

/// First pending updates of a consumer.
async fn consumer(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let answer = pending(session, id, (ROWS, ChargePolicy::Due)).await?;
    let events = answer["events"].as_array().into_iter().flatten();
    let rows = events.map(|event| {
        if event["entry"].is_object() {
            entry_row(&event["entry"])
        } else {
            text_of(&event["source"]["title"])
        }
    });
    let rows = rows.collect::<Vec<_>>().join("\n");
    let more = if answer["hasMore"] == true { "\n[More updates are pending: call list_updates]" } else { "" };
    Ok(format!("{rows}{more}"))
}

fn entry_row(entry: &Value) -> String {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    format!("{} {}\n{}", text("discoveredAt"), text("title"), text("url"))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn headed(title: &Value, url: &Value, text: &Value) -> String {
    format!("{}\n{}\n\n{}", text_of(title), text_of(url), text_of(text))
}

async fn file(session: &AgentRequest, uri: &str, id: &str) -> Result<Value, McpError> {
    let path = uri_of(&format!("/v1/library/items/{}/file", segment(id)))?;
    let request = Request::builder().method(Method::GET).uri(path).finish();
    let response = match session.send(request, ChargePolicy::Due).await {
        Ok(response) => response,
        Err(refusal) if is_missing(&refusal) => return Err(unknown(uri).into()),
        Err(refusal) => return Err(refusal.into()),
    };
    let field = |name: header::HeaderName| response.header(name).unwrap_or_default().to_owned();
    let (media_type, size) = (field(header::CONTENT_TYPE), field(header::CONTENT_LENGTH));
    let size: u64 = size.parse().unwrap_or_default();
    if size > MAX_BYTES {
        let error = RpcError::invalid_params("The file is too large to be returned.");
        return Err(error.with_data(json!({ "uri": uri, "size": size })).into());
    }
    let bytes = response.into_body().into_bytes().await.map_err(|error| unreadable_response(&error))?;
    Ok(json!({ "contents": [{ "uri": uri, "mimeType": media_type, "blob": BASE64.encode(&bytes) }] }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uri_identifies_one_resource_or_none() {
        assert_eq!(ResourceUri::of("svc://library/items/0193-a"), Some(ResourceUri::Item("0193-a")));
        assert_eq!(ResourceUri::of("svc://library/items/0193-a/file"), Some(ResourceUri::File("0193-a")));
        assert_eq!(ResourceUri::of("svc://rss/entries/7"), Some(ResourceUri::Entry("7")));
        assert_eq!(ResourceUri::of("svc://rss/feeds/7"), Some(ResourceUri::Feed("7")));
        assert_eq!(ResourceUri::of("svc://monitors/0193-a"), Some(ResourceUri::Monitor("0193-a")));
        assert_eq!(ResourceUri::of("svc://feeds/consumers/7"), Some(ResourceUri::Consumer("7")));
        for nothing in [
            "svc://library/items/", "svc://library/items/a/b", "svc://library/items//file",
            "svc://rss/entries/7?x=1", "svc://rss/entries/../7", "https://library/items/a",
            "file:///etc/passwd", "",
        ] {
            assert_eq!(ResourceUri::of(nothing), None, "{nothing}");
        }
        let long = format!("svc://rss/feeds/{}7", "0".repeat(ID_BYTES));
        assert_eq!(ResourceUri::of(&long), None, "a stored URI is short");
    }
}

//! MCP resources: library items, their files, and feed entries, each with its own URI and read by the
//! matching operation.

use data_encoding::BASE64;
use poem::Request;
use poem::http::{Method, StatusCode, header};
use serde_json::{Value, json};

use super::error::McpError;
use super::message::RpcError;
use super::session::{AgentRequest, Refusal, unreadable_response, uri_of};
use super::tools::segment;
use http_kit::auth::ChargePolicy;

/// Maximum number of resources in the list, newest first.
const LISTED: usize = 100;
const PAGE: usize = 50;
/// Size limit of a file that is returned as bytes.
const MAX_BYTES: u64 = 5 * 1024 * 1024;
/// Maximum size of a text window in tokens; leaves capacity for title and URL.
const WINDOW: u32 = 18_000;
/// Maximum length of an entry's text, in characters.
const CHARACTERS: u32 = 12_000;

/// Resource that a URI identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resource<'a> {
    Item(&'a str),
    File(&'a str),
    Entry(&'a str),
}

impl<'a> Resource<'a> {
    fn of(uri: &'a str) -> Option<Self> {
        let path = uri.strip_prefix("svc://")?;
        let is_plain =
            |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if let Some(id) = path.strip_prefix("rss/entries/") {
            return Some(Self::Entry(id)).filter(|_| is_plain(id));
        }
        let id = path.strip_prefix("library/items/")?;
        match id.strip_suffix("/file") {
            Some(id) => Some(Self::File(id)).filter(|_| is_plain(id)),
            None => Some(Self::Item(id)).filter(|_| is_plain(id)),
        }
    }
}

/// URI of an item.
pub(super) fn item_uri(id: &str) -> String {
    format!("svc://library/items/{id}")
}

/// Response to `resources/templates/list`.
pub(super) fn templates() -> Value {
    let template = |uri: &str, name: &str, about: &str| json!({ "uriTemplate": uri, "name": name, "description": about });
    json!({ "resourceTemplates": [
        template("svc://library/items/{id}", "item", "Text of a library item."),
        template("svc://library/items/{id}/file", "file", "File of a library item."),
        template("svc://rss/entries/{id}", "entry", "Text of an entry of a followed feed."),
    ] })
}

/// Response to `resources/list`: the newest items and entries. `search` returns older ones.
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
    let Some(resource) = Resource::of(uri) else {
        session.charge(kernel::Scope::Read).await?;
        return Err(unknown(uri).into());
    };
    let contents = match resource {
        Resource::Item(id) => item(session, id).await.map(|text| text_at(uri, &text)),
        Resource::Entry(id) => entry(session, id).await.map(|text| text_at(uri, &text)),
        Resource::File(id) => return file(session, uri, id).await,
    };
    match contents {
        Ok(contents) => Ok(json!({ "contents": [contents] })),
        Err(refusal) if is_missing(&refusal) => Err(unknown(uri).into()),
        Err(refusal) => Err(refusal.into()),
    }
}

fn is_missing(refusal: &Refusal) -> bool {
    refusal.status == StatusCode::NOT_FOUND
}

fn unknown(uri: &str) -> RpcError {
    let uri: String = uri.chars().take(500).collect();
    RpcError::invalid_params("There is no such resource.").with_data(json!({ "uri": uri }))
}

fn text_at(uri: &str, text: &str) -> Value {
    json!({ "uri": uri, "mimeType": "text/plain", "text": text })
}

async fn item(session: &AgentRequest, id: &str) -> Result<String, Refusal> {
    let path = format!("/v1/library/items/{}/read", segment(id));
    let window = session.post(&path, &json!({ "maxTokens": WINDOW }), ChargePolicy::Due).await?;
    let mut text = headed(&window["title"], &window["sourceUrl"], &window["text"]);
    if let Some(cursor) = window["nextCursor"].as_u64() {
        text = format!(
            "{text}\n\n[The text continues: call read_library_item with id {id} and cursor {cursor}]"
        );
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
        text = format!("{text}\n\n[The text continues: call read_article with url {url}]");
    }
    Ok(text)
}

fn headed(title: &Value, url: &Value, text: &Value) -> String {
    let of = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    format!("{}\n{}\n\n{}", of(title), of(url), of(text))
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
        assert_eq!(Resource::of("svc://library/items/0193-a"), Some(Resource::Item("0193-a")));
        assert_eq!(Resource::of("svc://library/items/0193-a/file"), Some(Resource::File("0193-a")));
        assert_eq!(Resource::of("svc://rss/entries/7"), Some(Resource::Entry("7")));
        for nothing in [
            "svc://library/items/", "svc://library/items/a/b", "svc://library/items//file",
            "svc://rss/entries/7?x=1", "svc://rss/entries/../7", "https://library/items/a",
            "file:///etc/passwd", "",
        ] {
            assert_eq!(Resource::of(nothing), None, "{nothing}");
        }
    }
}

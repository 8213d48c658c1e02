//! `fetch` tool: reads one library object, feed entry or public page with the matching operation.

use serde_json::{Map, Value, json};

use super::builtin::BuiltinTool;
use super::paths::segment;
use super::search::{object_url, only_argument};
use super::size::{self, Extent, MAX_ROUNDS, MAX_TOKENS};
use crate::session::{AgentRequest, Refusal};
use api::error::ApiError;
use http_kit::auth::ChargePolicy;
use kernel::Code;
use poem::http::StatusCode;

/// Maximum size of a text window in tokens; leaves capacity for JSON encoding.
const WINDOW: u32 = MAX_TOKENS / 10 * 8;
/// Maximum length of the text of an entry or item, in characters.
const CHARACTERS: u32 = 12_000;
/// Note added to every text.
const NOTE: &str = "untrusted third-party text";

/// Metadata fields of a document, each with its source members in order of preference.
const METADATA: [(&str, &[&str]); 6] = [
    ("author", &["author"]),
    ("siteName", &["publisher", "siteName", "feedTitle", "domain"]),
    ("publishedAt", &["publishedAt"]),
    ("language", &["language"]),
    ("savedAt", &["savedAt", "createdAt", "discoveredAt"]),
    ("kind", &["contentKind"]),
];

/// Reads one document.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(session: &AgentRequest, arguments: &Map<String, Value>) -> Result<Value, Refusal> {
    let id = match only_argument(BuiltinTool::Fetch, arguments) {
        Ok(id) => id,
        Err(fault) => {
            session.charge(kernel::Scope::Read).await?;
            return Err(fault.into());
        }
    };
    let mut document = read(session, id, WINDOW).await?;
    let mut value = value_of(id, &document);
    for round in 0..MAX_ROUNDS {
        let tokens = size::tokens(&value).await;
        let extent = document.extent().filter(|_| tokens > MAX_TOKENS);
        let Some((_, window)) = extent.and_then(|extent| extent.shortened(tokens, round)) else { break };
        document = read(&session.charged(), id, window).await?;
        value = value_of(id, &document);
    }
    Ok(fit_document(value).await)
}

fn value_of(id: &str, document: &RetrievedDocument) -> Value {
    json!({
        "id": id,
        "title": document.source["title"].as_str().unwrap_or_default(),
        "text": document.text,
        "url": document.url,
        "metadata": document.metadata(),
    })
}

/// Reads the document with an id. A text that is read in windows has at most `tokens` tokens.
///
/// # Errors
/// `not_found`, or the error response of an operation.
pub(super) async fn read(
    session: &AgentRequest,
    id: &str,
    tokens: u32,
) -> Result<RetrievedDocument, Refusal> {
    match id.split_once(':') {
        Some(("item", item)) => of_item(session, id, item, tokens).await,
        Some(("note" | "highlight", _)) => of_object(session, id, ChargePolicy::Due).await,
        Some(("entry", entry)) => of_entry(session, entry).await,
        Some(("http" | "https", _)) => of_page(session, id, tokens).await,
        Some(_) | None => {
            session.charge(kernel::Scope::Read).await?;
            Err(ApiError::new(Code::NotFound, "There is no document with this id.").into())
        }
    }
}

/// Cuts a document to the size limit and marks it as truncated.
async fn fit_document(mut document: Value) -> Value {
    let length = document["text"].as_str().map(str::len);
    document = size::fit(document).await;
    if let Some(members) = document.as_object_mut() {
        members.remove("truncated");
    }
    if document["text"].as_str().map(str::len) != length {
        document["metadata"]["truncated"] = "true".into();
    }
    document
}

/// Document: its text, and the response from which its metadata is taken.
pub(super) struct RetrievedDocument {
    pub text: String,
    pub url: String,
    kind: Option<&'static str>,
    /// True if the operation returned only the beginning of the text.
    pub is_cut: bool,
    pub source: Value,
}

impl RetrievedDocument {
    /// Window of the text; `None` if the text is not read in windows.
    fn extent(&self) -> Option<Extent<'static>> {
        tokens_returned(&self.source).map(Extent::Window)
    }

    pub(super) fn metadata(&self) -> Map<String, Value> {
        let mut metadata = Map::new();
        for (name, members) in METADATA {
            let value = members.iter().find_map(|member| self.source[*member].as_str());
            if let Some(value) = value.or(self.kind.filter(|_| name == "kind")) {
                metadata.insert(name.into(), value.into());
            }
        }
        let next = &self.source["nextCursor"];
        metadata.insert("truncated".into(), (self.is_cut || !next.is_null()).to_string().into());
        if !next.is_null() {
            metadata.insert("nextCursor".into(), next.to_string().into());
        }
        metadata.insert("note".into(), NOTE.into());
        metadata
    }
}

/// Number of tokens that a response with a window or passages returned; `None` for any other response.
pub(super) fn tokens_returned(response: &Value) -> Option<u32> {
    response["tokensReturned"].as_u64().and_then(|tokens| u32::try_from(tokens).ok())
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Text of an item, or its metadata if it has no text.
async fn of_item(
    session: &AgentRequest,
    reference: &str,
    id: &str,
    tokens: u32,
) -> Result<RetrievedDocument, Refusal> {
    let path = format!("/v1/library/items/{}/read", segment(id));
    match session.post(&path, &json!({ "maxTokens": tokens }), ChargePolicy::Due).await {
        Ok(window) => {
            let base = session.app.settings.origins.base.as_str();
            let url = window["sourceUrl"].as_str().filter(|url| url.starts_with("http"));
            let url = url.map_or_else(|| object_url(base, reference), str::to_owned);
            Ok(RetrievedDocument {
                text: text_of(&window["text"]),
                url,
                kind: None,
                is_cut: false,
                source: window,
            })
        }
        // The item has no text, or its text is not available yet.
        Err(refusal) if matches!(refusal.status, StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY) => {
            of_object(session, reference, ChargePolicy::Paid).await
        }
        Err(refusal) => Err(refusal),
    }
}

async fn of_object(
    session: &AgentRequest,
    reference: &str,
    charge: ChargePolicy,
) -> Result<RetrievedDocument, Refusal> {
    let path = match reference.split_once(':') {
        // The operation on objects returns only the start of a long note.
        Some(("note", id)) => format!("/v1/library/notes/{}", segment(id)),
        Some(_) | None => {
            format!("/v1/library/objects/{}?contentMaxCharacters={CHARACTERS}", segment(reference))
        }
    };
    let mut object = session.get(&path, charge).await?["object"].take();
    let base = session.app.settings.origins.base.as_str();
    let source_url = ["sourceUrl", "url"].into_iter().find_map(|name| object[name].as_str());
    let url = source_url.filter(|url| url.starts_with("http"));
    let url = url.map_or_else(|| object_url(base, reference), str::to_owned);
    let (kind, text) = match reference.split(':').next() {
        Some("highlight") => {
            let mut text = text_of(&object["quote"]);
            for part in [object["picture"]["url"].as_str(), object["note"].as_str()].into_iter().flatten() {
                text.push_str("\n\n");
                text.push_str(part);
            }
            ("highlight", text)
        }
        Some("note") => ("note", text_of(&object["text"])),
        Some(_) | None => ("item", text_of(&object["article"]["textContent"])),
    };
    if object["title"].is_null() {
        let title = object["itemTitle"].as_str().map_or_else(|| library::opening(&text), str::to_owned);
        object["title"] = title.into();
    }
    let is_cut = object["truncated"] == true || object["article"]["truncated"] == true;
    Ok(RetrievedDocument { text, url, kind: Some(kind), is_cut, source: object })
}

async fn of_entry(session: &AgentRequest, id: &str) -> Result<RetrievedDocument, Refusal> {
    let path = format!("/v1/rss/entries/{}?contentMaxCharacters={CHARACTERS}", segment(id));
    let mut answer = session.get(&path, ChargePolicy::Due).await?;
    let entry = answer["entry"].take();
    let content = &answer["content"];
    let text = content["text"].as_str().or(entry["summary"].as_str()).unwrap_or_default().to_owned();
    let is_cut = content["truncated"] == true;
    Ok(RetrievedDocument { text, url: text_of(&entry["url"]), kind: Some("entry"), is_cut, source: entry })
}

async fn of_page(session: &AgentRequest, url: &str, tokens: u32) -> Result<RetrievedDocument, Refusal> {
    let window = session
        .post("/v1/articles/read", &json!({ "url": url, "maxTokens": tokens }), ChargePolicy::Due)
        .await?;
    let url = window["sourceUrl"].as_str().unwrap_or(url).to_owned();
    Ok(RetrievedDocument {
        text: text_of(&window["text"]),
        url,
        kind: Some("page"),
        is_cut: false,
        source: window,
    })
}

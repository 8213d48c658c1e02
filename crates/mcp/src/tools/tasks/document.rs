//! `fetch`, `read`, and `find`: the text of one document, windows of a source, and its passages.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, clipped, counted, moment, title};
use super::reference::{is_address, path_of, split};
use crate::session::{Refusal, unreadable_response};
use crate::tools::fetch;
use crate::tools::paths::segment;
use api::error::ApiError;
use http_kit::http::fault::Fault;
use kernel::Code;

/// Default budgets in tokens.
const FETCHED: u32 = 2_000;
const READ: u32 = 4_000;
const PASSAGES: u32 = 1_500;
/// Maximum budget, which the documents of a call share.
const MAX_BUDGET: u32 = 18_000;
/// Maximum number of pages of changes that are searched for one change. A page has 100 changes.
const CHANGE_PAGES: usize = 5;
/// Maximum number of headings in an outline.
const HEADINGS: usize = 40;
/// Last line of a text whose rest no default tool returns.
const OUT_OF_REACH: &str = "The rest of the text cannot be read with fetch or read.";

/// Reads the starts of documents. Each has an equal share of the tokens that earlier documents left. Each document after
/// the first is charged like a separate call. If it is refused, the result contains the refusal.
///
/// # Errors
/// The error response of an operation for the first document.
pub(super) async fn fetch(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let most = arguments.number("maxTokens").unwrap_or(FETCHED);
    let more = arguments.list("moreIds");
    let mut tokens_left = MAX_BUDGET;
    let mut documents_left = u32::try_from(more.len()).unwrap_or(u32::MAX).saturating_add(1);
    let mut page =
        document(calls, arguments.required("id").trim(), most.min(tokens_left / documents_left)).await?;
    let mut returned = page.window.unwrap_or_default();
    for id in more {
        tokens_left = tokens_left.saturating_sub(returned);
        documents_left -= 1;
        let share = most.min(tokens_left / documents_left);
        let mut own = Calls::new(calls.session());
        let further =
            document(&mut own, id.trim(), share).await.unwrap_or_else(|refusal| refused(id, &refusal));
        returned = further.window.unwrap_or_default();
        page.window = page.window.max(further.window);
        page.append(further);
    }
    Ok(page)
}

/// Page of a document that cannot be read.
fn refused(id: &str, refusal: &Refusal) -> TaskResult {
    let data = json!({ "id": id, "error": refusal.message(), "code": refusal.code() });
    let mut page = TaskResult::new(format!("Not read: {} ({}).", refusal.message(), refusal.code()), data);
    page.quote(clipped(id, 300));
    page
}

/// Reads the start of one document.
async fn document(calls: &mut Calls<'_>, id: &str, tokens: u32) -> Result<TaskResult, Refusal> {
    if let Some(("change", change)) = split(id) {
        return self::change(calls, change, tokens).await;
    }
    calls.leave_charge();
    let mut document = fetch::read(calls.session(), id, tokens).await?;
    let text = std::mem::take(&mut document.text);
    let start = match fetch::tokens_returned(&document.source) {
        // The cursor of a window continues after its whole text.
        Some(returned) => TextWindow { text, tokens: returned, next_cursor: None },
        None => text_window(text, 0, tokens).await?,
    };
    let next = match &document.source["nextCursor"] {
        Value::Null if is_annotation(id) => json!(start.next_cursor),
        next => next.clone(),
    };
    let metadata = document.metadata();
    let is_complete = start.next_cursor.is_none() && !document.is_cut && next.is_null();
    let mut page = TaskResult::new(
        if is_complete {
            format!("{id}, complete.")
        } else {
            format!("{id}, its first {tokens} tokens at most.")
        },
        json!({}),
    );
    page.quote(format!("# {}", title(&document.source["title"])));
    for name in ["author", "siteName", "publishedAt", "savedAt"] {
        if let Some(value) = metadata.get(name).and_then(Value::as_str) {
            page.quote(format!("{name}: {}", clipped(value, 200)));
        }
    }
    page.quote(format!("url: {}", document.url));
    page.quote("");
    page.quote(&start.text);
    page.data = json!({
        "id": id,
        "title": document.source["title"].as_str().unwrap_or_default(),
        "text": start.text,
        "url": document.url,
        "metadata": metadata,
    });
    page.data["metadata"]["truncated"] = (!is_complete).to_string().into();
    if !next.is_null() {
        page.data["metadata"]["nextCursor"] = next.to_string().into();
    }
    page.window = Some(start.tokens);
    if !is_complete {
        let larger = if start.next_cursor.is_some() { larger_budget(tokens) } else { OUT_OF_REACH };
        page.then(continuation(id, &document.url, &next).unwrap_or_else(|| larger.to_owned()));
    }
    Ok(page)
}

/// Describes how to read the rest of a document; `None` if it cannot be read in windows.
fn continuation(id: &str, url: &str, next: &Value) -> Option<String> {
    match (next.as_u64(), split(id)) {
        (Some(cursor), _) => Some(format!("More: call read with id {id} and cursor {cursor}")),
        (None, Some(("entry", _))) if is_address(url) => Some(format!("More: call read with id {id}")),
        (None, _) => None,
    }
}

/// Describes how to get more of a text than these tokens.
fn larger_budget(tokens: u32) -> &'static str {
    if tokens < MAX_BUDGET {
        "More: call fetch with this id alone and a larger maxTokens."
    } else {
        OUT_OF_REACH
    }
}

/// True if a document is a note or a highlight.
fn is_annotation(id: &str) -> bool {
    matches!(split(id), Some(("note" | "highlight", _)))
}

/// Window of a text without blocks. Its cursor is the number of characters before it.
struct TextWindow {
    text: String,
    /// Number of tokens of the text.
    tokens: u32,
    /// `None` if the window is the last.
    next_cursor: Option<usize>,
}

impl TextWindow {
    fn of(text: &str, cursor: usize, tokens: u32) -> Self {
        let start = text.char_indices().nth(cursor).map_or(text.len(), |(at, _)| at);
        let (head, rest) = extract::tokens::cut(&text[start..], tokens);
        Self {
            text: head.to_owned(),
            tokens: extract::tokens::count(head),
            next_cursor: (!rest.is_empty()).then(|| cursor + head.chars().count()),
        }
    }
}

/// Cuts a window of at most this many tokens.
///
/// # Errors
/// If the task is cancelled.
async fn text_window(text: String, cursor: usize, tokens: u32) -> Result<TextWindow, Refusal> {
    let window = tokio::task::spawn_blocking(move || TextWindow::of(&text, cursor, tokens)).await;
    window.map_err(|error| unreadable_response(&error))
}

/// Differences of one change.
async fn change(calls: &mut Calls<'_>, id: &str, tokens: u32) -> Result<TaskResult, Refusal> {
    let missing = || Refusal::from(ApiError::new(Code::NotFound, "There is no change with this id."));
    let Some((monitor, change)) = id.split_once(':') else {
        calls.charge_alone(kernel::Scope::Read).await?;
        return Err(missing());
    };
    let mut cursor = String::new();
    for _ in 0..CHANGE_PAGES {
        let path = format!("{}/changes?limit=100{cursor}", path_of("/v1/monitors", monitor));
        let answer = calls.get(&path).await?;
        let changes = answer["changes"].as_array();
        if let Some(known) = changes.into_iter().flatten().find(|known| known["id"] == change) {
            return Ok(change_page(id, known, tokens));
        }
        let Some(next) = answer["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={}", segment(next));
    }
    Err(missing())
}

fn change_page(id: &str, change: &Value, tokens: u32) -> TaskResult {
    let mut text = String::new();
    for difference in change["diff"].as_array().into_iter().flatten() {
        for (sign, side) in [("-", "before"), ("+", "after")] {
            if let Some(words) = difference[side].as_str() {
                text.push_str(&format!("{sign} {}\n", clipped(words, 2_000)));
            }
        }
    }
    let (head, rest) = extract::tokens::cut(&text, tokens);
    let mut page = TaskResult::new(format!("change:{id}, {}.", moment(&change["detectedAt"])), json!({}));
    page.quote(format!("# {}", title(&change["title"])));
    page.quote(format!("url: {}", change["url"].as_str().unwrap_or_default()));
    page.quote(change["summary"].as_str().unwrap_or_default());
    page.quote(head);
    if !rest.is_empty() {
        page.then(larger_budget(tokens));
    }
    page.data = json!({
        "id": format!("change:{id}"),
        "title": change["title"],
        "text": format!("{}\n{head}", change["summary"].as_str().unwrap_or_default()),
        "url": change["url"],
        "metadata": { "detectedAt": change["detectedAt"], "truncated": (!rest.is_empty()).to_string() },
    });
    page.window = Some(extract::tokens::count(head));
    page
}

/// Source that has windows and passages.
enum DocumentSource {
    Item(String),
    Address(String),
}

impl DocumentSource {
    /// Source of an item, an entry, or an address.
    async fn of(calls: &mut Calls<'_>, id: &str) -> Result<Self, Refusal> {
        let id = id.trim();
        match split(id) {
            Some(("item", item)) => Ok(Self::Item(item.to_owned())),
            Some(("entry", entry)) => {
                let answer = calls.get(&path_of("/v1/rss/entries", entry)).await?;
                Ok(Self::Address(answer["entry"]["url"].as_str().unwrap_or_default().to_owned()))
            }
            _ if is_address(id) => Ok(Self::Address(id.to_owned())),
            Some(_) | None => {
                let fault =
                    Fault::new("must be item:…, entry:…, or an http(s) address; fetch reads other ids");
                Err(fault.under("id").into())
            }
        }
    }

    async fn post(&self, calls: &mut Calls<'_>, action: &str, mut body: Value) -> Result<Value, Refusal> {
        match self {
            Self::Item(_) if body.get("render").is_some() => {
                let fault = Fault::new("is for addresses and entries; save or refresh the item with it");
                Err(fault.under("render").into())
            }
            Self::Item(id) => {
                calls.post(&format!("{}/{action}", path_of("/v1/library/items", id)), &body).await
            }
            Self::Address(url) => {
                body["url"] = url.as_str().into();
                calls.post(&format!("/v1/articles/{action}"), &body).await
            }
        }
    }
}

/// Body with a budget, a cursor, and the choice of whether the page is rendered.
fn window(arguments: &Arguments, tokens: u32) -> Value {
    let mut body = json!({ "maxTokens": arguments.number("maxTokens").unwrap_or(tokens) });
    for name in ["cursor", "render"] {
        if let Some(value) = arguments.text(name) {
            body[name] = value.into();
        }
    }
    body
}

/// Reads a window of a source.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn read(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let id = arguments.required("id").trim();
    if is_annotation(id) {
        return read_annotation(calls, id, arguments).await;
    }
    let source = DocumentSource::of(calls, id).await?;
    let answer = source.post(calls, "read", window(arguments, READ)).await?;
    let number = |name: &str| answer[name].as_u64().unwrap_or_default();
    let mut page = TaskResult::new(
        format!(
            "{id}: blocks {} to {} of {}; {} of {} tokens.",
            number("fromAnchor"),
            number("toAnchor"),
            number("totalBlocks"),
            number("tokensReturned"),
            number("totalTokens")
        ),
        json!({}),
    );
    page.quote(format!("# {}", title(&answer["title"])));
    page.quote(format!("url: {}", answer["sourceUrl"].as_str().unwrap_or_default()));
    let headings = answer["outline"].as_array().map(Vec::as_slice).unwrap_or_default();
    if arguments.text("cursor").is_none() && headings.len() > 1 {
        page.quote("outline:");
        for heading in headings.iter().take(HEADINGS) {
            page.quote(format!("- [p{}] {}", heading["anchor"], title(&heading["text"])));
        }
        if headings.len() > HEADINGS {
            page.quote(format!("- and {} more", headings.len() - HEADINGS));
        }
    }
    page.quote("");
    page.quote(answer["text"].as_str().unwrap_or_default());
    page.data = json!({
        "id": id,
        "title": answer["title"],
        "text": answer["text"],
        "url": answer["sourceUrl"],
        "totalTokens": answer["totalTokens"],
    });
    page.window = fetch::tokens_returned(&answer);
    page.continues(text_of(&answer["nextCursor"]).as_deref());
    Ok(page)
}

/// Reads a window of a note or a highlight.
async fn read_annotation(
    calls: &mut Calls<'_>,
    id: &str,
    arguments: &Arguments,
) -> Result<TaskResult, Refusal> {
    if arguments.text("render").is_some() {
        return Err(Fault::new("is for addresses and entries").under("render").into());
    }
    let wrong = || Fault::new("is not a cursor of this text").under("cursor");
    let cursor = match arguments.text("cursor") {
        Some(cursor) => cursor.trim().parse::<usize>().map_err(|_| wrong())?,
        None => 0,
    };
    calls.leave_charge();
    let tokens = arguments.number("maxTokens").unwrap_or(READ);
    let mut document = fetch::read(calls.session(), id, tokens).await?;
    let text = std::mem::take(&mut document.text);
    let total = text.chars().count();
    if cursor > 0 && cursor >= total {
        return Err(wrong().into());
    }
    let window = text_window(text, cursor, tokens).await?;
    let end = window.next_cursor.unwrap_or(total);
    let mut page = TaskResult::new(
        format!("{id}: characters {} to {end} of {total}.", (cursor + 1).min(end)),
        json!({}),
    );
    page.quote(format!("# {}", title(&document.source["title"])));
    page.quote(format!("url: {}", document.url));
    page.quote("");
    page.quote(&window.text);
    page.data = json!({
        "id": id,
        "title": document.source["title"],
        "text": window.text,
        "url": document.url,
        "totalCharacters": total,
    });
    page.window = Some(window.tokens);
    page.continues(window.next_cursor.map(|cursor| cursor.to_string()).as_deref());
    Ok(page)
}

/// Finds passages of a source.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn find(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let id = arguments.required("id").trim();
    let source = DocumentSource::of(calls, id).await?;
    let mut body = window(arguments, PASSAGES);
    body["query"] = arguments.required("query").into();
    let answer = source.post(calls, "search", body).await?;
    let passages = answer["passages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let matched = answer["matchedBlocks"].as_u64().unwrap_or_default();
    let mut page = TaskResult::new(
        format!("{id}: {} of {matched} that match.", counted(passages.len(), "passage")),
        json!({}),
    );
    page.quote(format!("# {}", title(&answer["title"])));
    page.quote(format!("url: {}", answer["sourceUrl"].as_str().unwrap_or_default()));
    for passage in passages {
        let section = passage["section"].as_str().map(|section| format!(" ({})", clipped(section, 120)));
        page.quote(format!("\n[p{}]{}", passage["anchor"], section.unwrap_or_default()));
        page.quote(passage["text"].as_str().unwrap_or_default());
    }
    page.data = json!({
        "id": id,
        "title": answer["title"],
        "url": answer["sourceUrl"],
        "passages": answer["passages"],
    });
    page.window = fetch::tokens_returned(&answer);
    page.continues(text_of(&answer["nextCursor"]).as_deref());
    Ok(page)
}

/// Text of a cursor that is a number.
fn text_of(cursor: &Value) -> Option<String> {
    cursor.as_u64().map(|cursor| cursor.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::definition::{Task, TaskTool};
    use super::*;

    #[test]
    fn maximum_budget_is_the_maximum_of_the_schemas() {
        let tools = TaskTool::all();
        for tool in tools.iter().filter(|tool| matches!(tool.task, Task::Fetch | Task::Read | Task::Find)) {
            assert_eq!(tool.input["properties"]["maxTokens"]["maximum"], MAX_BUDGET, "{}", tool.name);
        }
    }

    #[test]
    fn continuation_names_the_next_call() {
        let next = |id: &str, url: &str, cursor: Value| continuation(id, url, &cursor);
        let read = |words: &str| Some(format!("More: call read with id {words}"));
        assert_eq!(next("item:1", "", json!(57)), read("item:1 and cursor 57"));
        assert_eq!(next("note:1", "", json!(57)), read("note:1 and cursor 57"));
        assert_eq!(next("entry:1", "https://a.example/", json!(null)), read("entry:1"));
        assert_eq!(next("entry:1", "", json!(null)), None);
        assert!(larger_budget(MAX_BUDGET - 1).contains("larger maxTokens"));
        assert!(!larger_budget(MAX_BUDGET).contains("maxTokens"));
    }

    #[test]
    fn windows_of_a_text_have_no_gap() {
        let text = "Größe: a harbour, 港, and boats in the spring. ".repeat(200);
        let (mut joined, mut cursor) = (String::new(), Some(0));
        while let Some(from) = cursor {
            let window = TextWindow::of(&text, from, 100);
            assert!((1..=100).contains(&window.tokens), "{}", window.tokens);
            joined.push_str(&window.text);
            cursor = window.next_cursor;
        }
        assert_eq!(joined, text);
    }
}

//! `annotate` and `organize`: notes and highlights; tags, status, and read state of items.

use poem::http::Method;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{Page, clipped, counted, title};
use super::reference::{id_of, path_of};
use crate::session::Refusal;
use http_kit::http::fault::Fault;
use kernel::Code;

/// Items that a dry run shows.
const SAMPLE: usize = 10;
/// Changed items that the text lists.
const LISTED: usize = 30;

/// Adds a note or a highlight.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn annotate(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<Page, Refusal> {
    let (text, quote) = (arguments.text("text"), arguments.text("quote"));
    if text.is_none() && quote.is_none() {
        return Err(Fault::new("is missing; or send `quote`").under("text").into());
    }
    let item = arguments.text("id").map(|id| id_of(id, "item")).transpose();
    let item = item.map_err(|fault| fault.under("id"))?;
    if quote.is_some() && item.is_none() {
        return Err(Fault::new("is missing; a highlight needs its item").under("id").into());
    }
    let mut body = Map::new();
    let fields = [("itemId", item), ("quote", quote), (if quote.is_some() { "note" } else { "text" }, text)];
    for (name, value) in fields {
        body.extend(value.map(|value| (name.to_owned(), value.into())));
    }
    if let Some(color) = arguments.text("color").filter(|_| quote.is_some()) {
        body.insert("color".into(), color.into());
    }
    if !arguments.list("tags").is_empty() {
        body.insert("tags".into(), arguments.list("tags").into());
    }
    let kind = if quote.is_some() { "highlight" } else { "note" };
    if arguments.flag("dryRun") {
        calls.charge_alone(kernel::Scope::Write).await?;
        let data = json!({ "dryRun": true, "would": { "create": kind, "with": body } });
        return Ok(Page::new(format!("Dry run: a {kind} would be added. Call again without dryRun."), data));
    }
    let answer = calls.post(&format!("/v1/library/{kind}s"), &body.into()).await?;
    let id = answer["ref"].as_str().unwrap_or_default();
    let mut page = Page::new(format!("Added {id}."), json!({ "id": id, "object": answer["object"] }));
    if answer["object"]["anchorStatus"] == "orphaned" {
        page.say("The quote does not occur in the text of the item. Call find for its exact words.");
    }
    Ok(page)
}

/// Changes items.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn organize(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<Page, Refusal> {
    let ids = arguments.list("ids").into_iter().map(|id| id_of(id, "item")).collect::<Result<Vec<_>, _>>();
    let ids = ids.map_err(|fault| fault.under("ids"))?;
    let mut changes = Map::new();
    for name in ["addTags", "removeTags"] {
        let tags = arguments.list(name);
        if !tags.is_empty() {
            changes.insert(name.into(), tags.into());
        }
    }
    if let Some(status) = arguments.text("status") {
        changes.insert("status".into(), status.into());
    }
    if let Some(mark) = arguments.text("mark") {
        changes.insert("markRead".into(), (mark == "read").into());
    }
    if changes.is_empty() {
        return Err(Fault::new("send addTags, removeTags, status, or mark").into());
    }
    if arguments.flag("dryRun") {
        return planned(calls, &ids, changes).await;
    }
    let body = json!({ "ids": ids, "changes": changes });
    let answer = calls.send(Method::PATCH, "/v1/library/items", Some(&body)).await?;
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut page = Page::new(format!("{} changed.", counted(items.len(), "item")), json!({}));
    let missing = answer["missing"].as_u64().unwrap_or_default();
    if missing > 0 {
        page.say(format!("{missing} of the ids have no item. Call search for ids."));
    }
    page.quote_first(LISTED, items.iter().map(row));
    let results = items.iter().map(data).collect::<Vec<_>>();
    page.data = json!({ "results": results, "missing": missing });
    Ok(page)
}

/// Shows the items as they are.
async fn planned(calls: &mut Calls<'_>, ids: &[&str], changes: Map<String, Value>) -> Result<Page, Refusal> {
    calls.charge_alone(kernel::Scope::Write).await?;
    let first = format!("Dry run: {} would be changed. Nothing was changed.", counted(ids.len(), "item"));
    let mut page = Page::new(first, json!({}));
    let mut results = Vec::new();
    let mut missing = 0_usize;
    for id in ids.iter().take(SAMPLE) {
        let answer = match calls.get(&path_of("/v1/library/items", id)).await {
            Ok(answer) => answer,
            Err(refusal) if refusal.code() == Code::NotFound.as_str() => {
                missing += 1;
                continue;
            }
            Err(refusal) => return Err(refusal),
        };
        page.quote(row(&answer["item"]));
        results.push(data(&answer["item"]));
    }
    if missing > 0 {
        page.say(format!("{missing} of the ids have no item. Call search for ids."));
    }
    if ids.len() > SAMPLE {
        page.quote(format!("- and {} more", ids.len() - SAMPLE));
    }
    page.then("Call again without dryRun to change them.");
    page.data = json!({ "dryRun": true, "results": results, "missing": missing, "changes": changes });
    Ok(page)
}

fn row(item: &Value) -> String {
    let tags = item["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let tags = tags.collect::<Vec<_>>().join(", ");
    let read = if item["finishedAt"].is_string() { ", read" } else { "" };
    format!(
        "- item:{} {} ({}{read}; tags: {})",
        item["id"].as_str().unwrap_or_default(),
        title(&item["title"]),
        item["status"].as_str().unwrap_or_default(),
        if tags.is_empty() { "none".to_owned() } else { clipped(&tags, 400) }
    )
}

fn data(item: &Value) -> Value {
    json!({
        "id": format!("item:{}", item["id"].as_str().unwrap_or_default()),
        "title": item["title"],
        "status": item["status"],
        "tags": item["tags"],
    })
}

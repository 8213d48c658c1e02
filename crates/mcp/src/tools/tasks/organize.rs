//! `organize`: tags, status, and read state of items, with the calls that undo a change.

use std::collections::HashSet;

use poem::http::Method;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, clipped, counted, title};
use super::reference::id_of;
use super::undo;
use crate::session::Refusal;
use http_kit::http::fault::Fault;
use kernel::{ItemId, rfc3339};
use library::Item;

/// Maximum number of items that a dry run lists.
const SAMPLE: usize = 10;
/// Maximum number of changed items that the text lists.
const LISTED: usize = 30;

/// Changes items.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let (ids, changes) = check(arguments)?;
    calls.charge_alone(kernel::Scope::Write).await?;
    if arguments.flag("dryRun") {
        return planned(calls, &ids, changes).await;
    }
    let before = items_of(calls, &ids).await?;
    let body = json!({ "ids": ids, "changes": changes });
    let answer = calls.send(Method::PATCH, "/v1/library/items", Some(&body)).await?;
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut page = TaskResult::new(format!("{} changed.", counted(items.len(), "item")), json!({}));
    let missing = answer["missing"].as_u64().unwrap_or_default();
    if missing > 0 {
        page.say(format!("{missing} of the ids have no item. Call search for ids."));
    }
    page.quote_first(LISTED, items.iter().map(row));
    let previous: Vec<Value> = before.iter().map(value_of).collect();
    let undo = undo_calls(&previous, items);
    for arguments in &undo {
        page.then(format!("To undo it, call organize with {arguments}"));
    }
    let results = items.iter().map(data).collect::<Vec<_>>();
    page.data = json!({ "results": results, "missing": missing, "undo": undo });
    page.undo = undo::of_changed(calls, &before).await;
    Ok(page)
}

/// Checks that the arguments are consistent. Returns the ids and the changes.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<(Vec<&str>, Map<String, Value>), Fault> {
    let ids = arguments.list("ids").into_iter().map(|id| id_of(id, "item")).collect::<Result<Vec<_>, _>>();
    let mut ids = ids.map_err(|fault| fault.under("ids"))?;
    let mut known = HashSet::new();
    ids.retain(|id| known.insert(*id));
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
        return Err(Fault::new("send addTags, removeTags, status, or mark"));
    }
    Ok((ids, changes))
}

/// Existing items with these ids, in their order. Texts that are not ids have no item.
async fn items_of(calls: &Calls<'_>, ids: &[&str]) -> Result<Vec<Item>, Refusal> {
    let session = calls.session();
    let ids: Vec<ItemId> = ids.iter().filter_map(|id| id.parse().ok()).collect();
    let mut items = library::find(&session.app.domain, session.caller.account_id, &ids).await?;
    items.sort_by_key(|item| ids.iter().position(|id| *id == item.id));
    Ok(items)
}

/// The values of an item that the tool changes, as in responses of the operations.
fn value_of(item: &Item) -> Value {
    json!({
        "id": item.id.to_string(),
        "title": item.title,
        "status": item.status.as_str(),
        "tags": item.tags,
        "finishedAt": item.finished_at.map(rfc3339),
    })
}

/// Arguments of the calls that restore the previous values of changed items, one for all items with the same
/// difference.
fn undo_calls(previous: &[Value], items: &[Value]) -> Vec<Value> {
    let mut undo: Vec<(Value, Vec<String>)> = Vec::new();
    for item in items {
        let Some(before) = previous.iter().find(|before| before["id"] == item["id"]) else { continue };
        let difference = difference(before, item);
        if difference == json!({}) {
            continue;
        }
        let id = format!("item:{}", item["id"].as_str().unwrap_or_default());
        match undo.iter_mut().find(|(known, _)| *known == difference) {
            Some((_, ids)) => ids.push(id),
            None => undo.push((difference, vec![id])),
        }
    }
    let with_ids = |(mut arguments, ids): (Value, Vec<String>)| {
        arguments["ids"] = ids.into();
        arguments
    };
    undo.into_iter().map(with_ids).collect()
}

/// Changes from the values of an item to its previous values.
fn difference(before: &Value, item: &Value) -> Value {
    let tags = |item: &Value| item["tags"].as_array().cloned().unwrap_or_default();
    let without = |all: Vec<Value>, others: &[Value]| -> Vec<Value> {
        all.into_iter().filter(|tag| !others.contains(tag)).collect()
    };
    let mut changes = json!({});
    for (name, tags) in
        [("addTags", without(tags(before), &tags(item))), ("removeTags", without(tags(item), &tags(before)))]
    {
        if !tags.is_empty() {
            changes[name] = tags.into();
        }
    }
    if before["status"] != item["status"] {
        changes["status"] = before["status"].clone();
    }
    let is_read = |item: &Value| item["finishedAt"].is_string();
    if is_read(before) != is_read(item) {
        changes["mark"] = Value::from(if is_read(before) { "read" } else { "unread" });
    }
    changes
}

/// Result of a dry run: the items that would be changed.
async fn planned(
    calls: &Calls<'_>,
    ids: &[&str],
    changes: Map<String, Value>,
) -> Result<TaskResult, Refusal> {
    let first = format!("Dry run: {} would be changed. Nothing was changed.", counted(ids.len(), "item"));
    let mut page = TaskResult::new(first, json!({}));
    let sample = ids.get(..SAMPLE).unwrap_or(ids);
    let items: Vec<Value> = items_of(calls, sample).await?.iter().map(value_of).collect();
    for item in &items {
        page.quote(row(item));
    }
    let missing = sample.len() - items.len();
    if missing > 0 {
        page.say(format!("{missing} of the ids have no item. Call search for ids."));
    }
    if ids.len() > SAMPLE {
        page.quote(format!("- and {} more", ids.len() - SAMPLE));
    }
    page.then("Call again without dryRun to change them.");
    let results = items.iter().map(data).collect::<Vec<_>>();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, tags: &[&str], status: &str, finished: Option<&str>) -> Value {
        json!({"id": id, "tags": tags, "status": status, "finishedAt": finished})
    }

    #[test]
    fn undo_restores_only_the_changed_values() {
        let before = [item("1", &["a"], "inbox", None), item("2", &["b"], "later", None)];
        let after = [item("1", &["a", "b"], "archive", Some("t")), item("2", &["b"], "archive", Some("t"))];
        assert_eq!(
            undo_calls(&before, &after),
            [
                json!({"removeTags": ["b"], "status": "inbox", "mark": "unread", "ids": ["item:1"]}),
                json!({"status": "later", "mark": "unread", "ids": ["item:2"]}),
            ]
        );
        assert!(undo_calls(&before, &before).is_empty());
        let cleared = [item("1", &[], "inbox", None), item("3", &[], "inbox", None)];
        assert_eq!(undo_calls(&before, &cleared), [json!({"addTags": ["a"], "ids": ["item:1"]})]);
    }

    #[test]
    fn items_with_the_same_difference_share_a_call() {
        let before = [item("1", &[], "inbox", None), item("2", &["x"], "inbox", None)];
        let after = [item("1", &["n"], "inbox", None), item("2", &["x", "n"], "inbox", None)];
        assert_eq!(undo_calls(&before, &after), [json!({"removeTags": ["n"], "ids": ["item:1", "item:2"]})]);
    }
}

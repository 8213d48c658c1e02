//! `list_updates`: what is new in the followed feeds and watched pages, grouped by source. With a consumer or
//! a cursor, it reads the event log, which loses nothing; otherwise, it lists the unread entries.

use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::consumer;
use super::page::{TaskResult, counted, moment, passage, title};
use super::reference::sources;
use crate::session::Refusal;
use http_kit::http::fault::Fault;

/// Default number of updates per page.
const LIMIT: u32 = 20;
/// Prefix of cursors of unread entries, which are not positions in the log.
const UNREAD: &str = "unread:";

/// Lists updates.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn list(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let limit = arguments.number("limit").unwrap_or(LIMIT);
    let cursor = arguments.text("cursor").map(str::trim);
    if let Some(name) = arguments.text("consumer") {
        let others = ["cursor", "in", "after", "source", "state", "order"];
        if let Some(other) = others.into_iter().find(|name| arguments.text(name).is_some()) {
            return Err(Fault::new("cannot be sent with a consumer").under(other).into());
        }
        let id = consumer::find(calls, name).await?.ok_or_else(|| consumer::unknown(name))?;
        let answer = calls.post("/v1/feeds/changes", &json!({ "consumerId": id, "limit": limit })).await?;
        return Ok(events(&answer, Some(name)));
    }
    match cursor.map(|cursor| cursor.strip_prefix(UNREAD).ok_or(cursor)) {
        Some(Err(cursor)) => {
            let others = ["after", "state", "order"];
            if let Some(other) = others.into_iter().find(|name| arguments.text(name).is_some()) {
                let fault = Fault::new("cannot be sent with this cursor, which lists what followed it");
                return Err(fault.under(other).into());
            }
            let body = json!({ "cursor": cursor, "limit": limit, "where": filter(arguments)? });
            let answer = calls.post("/v1/feeds/changes", &body).await?;
            Ok(events(&answer, None))
        }
        Some(Ok(cursor)) => unread(calls, arguments, Some(cursor)).await,
        None => unread(calls, arguments, None).await,
    }
}

/// Kind of the sources that are listed; `None` for all.
fn kind(arguments: &Arguments) -> Option<&'static str> {
    match arguments.text("in") {
        Some("entries") => Some("feed"),
        Some("changes") => Some("monitor"),
        Some(_) | None => None,
    }
}

/// Filter of the sources that are listed.
fn filter(arguments: &Arguments) -> Result<Value, Fault> {
    let mut filter = match arguments.text("source") {
        Some(source) => sources(source).map_err(|fault| fault.under("source"))?,
        None => json!({}),
    };
    if let Some(kind) = kind(arguments) {
        filter["kind"] = json!([kind]);
    }
    Ok(filter)
}

/// Lists the unread entries, or all of them, in the order that the arguments request.
async fn unread(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    cursor: Option<&str>,
) -> Result<TaskResult, Refusal> {
    let mut filter = filter(arguments)?;
    let is_unread = arguments.text("state") != Some("all");
    if is_unread {
        filter["unread"] = true.into();
    }
    let order = arguments.text("order").unwrap_or("newest");
    if let Some(after) = arguments.text("after") {
        filter["publishedAfter"] = after.into();
    }
    let limit = arguments.number("limit").unwrap_or(LIMIT);
    let mut body = json!({ "where": filter, "order": order, "limit": limit });
    if let Some(cursor) = cursor {
        body["cursor"] = cursor.into();
    }
    // The position in the log is read before the list, so that an update between the two queries is not missed.
    let log = match cursor {
        Some(_) => None,
        None => Some(calls.post("/v1/feeds/changes", &json!({ "cursor": "latest", "limit": 1 })).await?),
    };
    let answer = calls.post("/v1/feeds/query", &body).await?;
    let entries = answer["entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    let total = answer["total"].as_u64().unwrap_or_default();
    let about = if answer["partial"] == true { "at least " } else { "" };
    let state = if is_unread { "unread " } else { "" };
    let first = format!("{} of {about}{total} {state}updates, {order} first.", entries.len());
    let mut page = TaskResult::new(first, json!({}));
    let kind = |entry: &Value| if entry["unread"] == true { "unread" } else { "read" };
    let results: Vec<Value> = entries.iter().map(|entry| row(kind(entry), entry)).collect();
    if order == "newest" {
        quote_groups(&mut page, &results);
    } else {
        for row in &results {
            quote_row(&mut page, row, row["source"].as_str());
        }
    }
    page.data["results"] = results.into();
    let next = answer["nextCursor"].as_str().map(|cursor| format!("{UNREAD}{cursor}"));
    page.continues(next.as_deref());
    if let Some(position) = log.as_ref().and_then(|log| log["nextCursor"].as_str()) {
        page.data["logCursor"] = position.into();
        page.then(format!("To list only what comes after this, call list_updates with cursor {position}"));
    }
    Ok(page)
}

/// Page of the event log.
fn events(answer: &Value, consumer: Option<&str>) -> TaskResult {
    let events = answer["events"].as_array().map(Vec::as_slice).unwrap_or_default();
    let results: Vec<Value> = events.iter().map(event).collect();
    let mut page = TaskResult::new(format!("{}, oldest first.", counted(results.len(), "update")), json!({}));
    if answer["gapDetected"] == true {
        page.say("This consumer was not read for 30 days: older updates were deleted before it read them.");
    }
    quote_groups(&mut page, &results);
    let failing = answer["attention"]["failing"]["count"].as_u64().unwrap_or_default();
    if failing > 0 {
        page.then(format!("{} failing: call list_following with health failing.", counted_sources(failing)));
    }
    let cursor = answer["nextCursor"].as_str().unwrap_or_default();
    let has_more = answer["hasMore"] == true;
    match consumer {
        Some(name) => {
            page.then(format!(
                "When these are done, call mark with consumer {} and cursor {cursor}",
                json!(name)
            ));
            if has_more {
                page.then("Then call list_updates again: more updates follow.");
            }
        }
        None if has_more => page.then(format!("More: call list_updates with cursor {cursor}")),
        None => page.then(format!("Next time, call list_updates with cursor {cursor}")),
    }
    page.data = json!({ "results": results, "nextCursor": cursor, "hasMore": has_more });
    page
}

fn counted_sources(count: u64) -> String {
    if count == 1 { "1 source is".to_owned() } else { format!("{count} sources are") }
}

/// Row of an event.
fn event(event: &Value) -> Value {
    let kind = event["type"].as_str().unwrap_or_default();
    let mut row = if event["entry"].is_object() {
        row(kind, &event["entry"])
    } else {
        let source = &event["source"];
        json!({
            "id": format!("feed:{}", source["id"]),
            "sourceId": source["id"],
            "source": title(&source["title"]),
            "title": kind,
            "at": event["at"],
            "text": passage(&source["lastError"]),
            "event": kind,
        })
    };
    row["cursor"] = event["cursor"].clone();
    row
}

/// Row of an entry.
fn row(kind: &str, entry: &Value) -> Value {
    let at = if entry["publishedAt"].is_string() { &entry["publishedAt"] } else { &entry["discoveredAt"] };
    json!({
        "id": format!("entry:{}", entry["id"]),
        "sourceId": entry["feedId"],
        "source": title(&entry["feedTitle"]),
        "title": title(&entry["title"]),
        "url": entry["url"],
        "at": at,
        "text": passage(&entry["summary"]),
        "event": kind,
    })
}

/// Quotes the rows, grouped by source in the order of their first rows.
fn quote_groups(page: &mut TaskResult, rows: &[Value]) {
    let mut sources: Vec<&Value> = Vec::new();
    for row in rows {
        if !sources.contains(&&row["sourceId"]) {
            sources.push(&row["sourceId"]);
        }
    }
    for source in sources {
        let group: Vec<&Value> = rows.iter().filter(|row| row["sourceId"] == *source).collect();
        let name = group.first().and_then(|row| row["source"].as_str()).unwrap_or_default();
        page.quote(format!("## {name} (feed:{source}, {})", group.len()));
        for row in group {
            quote_row(page, row, None);
        }
    }
}

/// Quotes a row, with its source unless a heading states it.
fn quote_row(page: &mut TaskResult, row: &Value, source: Option<&str>) {
    let text = |name: &str| row[name].as_str().unwrap_or_default();
    let source = source.map(|source| format!("{source}, ")).unwrap_or_default();
    let updated = if text("event") == "entry.updated" { ", updated" } else { "" };
    page.quote(format!("- {} {} ({source}{}{updated})", text("id"), text("title"), moment(&row["at"])));
    if !text("text").is_empty() {
        page.quote(format!("  {}", text("text")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: u32, feed: u32) -> Value {
        json!({
            "type": "entry.discovered", "at": "2026-05-01T08:00:00Z", "cursor": format!("c{id}"),
            "entry": {"id": id, "feedId": feed, "feedTitle": format!("Feed {feed}"), "title": format!("Title {id}"),
                "summary": "Words.", "publishedAt": null, "discoveredAt": "2026-05-01T08:00:00Z", "url": "https://a.example/"},
        })
    }

    #[test]
    fn events_are_grouped_by_source_with_instructions_to_acknowledge_them() {
        let answer = json!({
            "events": [entry(1, 7), entry(2, 8), entry(3, 7)], "nextCursor": "c3", "hasMore": false,
            "gapDetected": false, "attention": {"failing": {"count": 1}},
        });
        let page = events(&answer, Some("briefing"));
        let ids: Vec<&Value> =
            page.data["results"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
        assert_eq!(ids, ["entry:1", "entry:2", "entry:3"], "the data has the order of the log");
        let text = page.text();
        let order =
            ["## Feed 7 (feed:7, 2)", "entry:1 Title 1", "entry:3", "## Feed 8 (feed:8, 1)", "entry:2"];
        let positions: Vec<usize> = order.iter().map(|part| text.find(part).unwrap()).collect();
        assert!(positions.is_sorted(), "{text}");
        assert!(
            text.contains("1 source is failing")
                && text.contains("call mark with consumer \"briefing\" and cursor c3"),
            "{text}"
        );
    }

    #[test]
    fn event_of_a_source_is_listed_with_its_error() {
        let failed = json!({"type": "source.failed", "at": "2026-05-01T08:00:00Z", "cursor": "c9", "entry": null,
            "source": {"id": 7, "title": "Feed 7", "lastError": "timeout"}});
        let row = event(&failed);
        assert_eq!(
            (&row["id"], &row["text"], &row["cursor"]),
            (&json!("feed:7"), &json!("timeout"), &json!("c9"))
        );
    }
}

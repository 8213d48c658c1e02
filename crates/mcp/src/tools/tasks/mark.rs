//! `mark`: marks entries as read or unread, or acknowledges updates of a consumer.

use poem::http::Method;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::consumer;
use super::page::{TaskResult, counted};
use super::reference::{id_of, sources, split};
use super::undo;
use crate::session::Refusal;
use http_kit::http::fault::Fault;

/// Operation on the entries of a filter.
const OPERATION: &str = "entries.markRead";

/// Marks entries, or acknowledges updates.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    check(arguments)?;
    if let Some(name) = arguments.text("consumer") {
        return acknowledge(calls, arguments, name).await;
    }
    if let Some(source) = arguments.text("source") {
        if arguments.flag("dryRun") {
            return mark_source(calls, arguments, source).await;
        }
        // Charged before the queries for the undo.
        calls.charge_alone(kernel::Scope::Write).await?;
        let before = undo::unread_before(calls, source).await;
        let mut page = mark_source(calls, arguments, source).await?;
        if let Some(before) = before {
            page.undo = before.undo(calls).await;
        }
        return Ok(page);
    }
    mark_entries(calls, arguments).await
}

/// Checks that the arguments are consistent.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<(), Fault> {
    let (ids, source) = (arguments.list("ids"), arguments.text("source"));
    let targets = [!ids.is_empty(), source.is_some(), arguments.text("consumer").is_some()];
    if targets.into_iter().filter(|is_sent| *is_sent).count() != 1 {
        return Err(Fault::new("send exactly one of ids, source, consumer"));
    }
    if arguments.text("before").is_some() && source.is_none() {
        return Err(Fault::new("needs a source").under("before"));
    }
    if source.is_some() && is_unread(arguments) {
        return Err(Fault::new("a source can only be marked as read").under("as"));
    }
    entry_ids(arguments).map(drop)
}

fn is_unread(arguments: &Arguments) -> bool {
    arguments.text("as") == Some("unread")
}

fn entry_ids(arguments: &Arguments) -> Result<Vec<&str>, Fault> {
    let ids = arguments.list("ids").into_iter().map(|id| id_of(id, "entry")).collect::<Result<Vec<_>, _>>();
    ids.map_err(|fault| fault.under("ids"))
}

/// Marks the entries that the arguments name by id.
async fn mark_entries(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let (ids, is_unread) = (entry_ids(arguments)?, is_unread(arguments));
    let state = if is_unread { "unread" } else { "read" };
    if arguments.flag("dryRun") {
        return planned(calls, format!("{} would be marked as {state}", counted(ids.len(), "id"))).await;
    }
    calls.charge_alone(kernel::Scope::Write).await?;
    let differing = undo::differing_entries(calls, &ids, is_unread).await;
    let body = json!({ "ids": ids, "unread": is_unread });
    let answer = calls.send(Method::PATCH, "/v1/rss/entries", Some(&body)).await?;
    let missing = answer["missing"].as_u64().unwrap_or_default();
    let mut page = TaskResult::new(format!("{} of the ids are now {state}.", answer["updated"]), answer);
    page.undo = undo::of_marked(differing, is_unread);
    if missing > 0 {
        page.say(format!("{missing} of the ids have no entry. Call list_updates for ids."));
    }
    Ok(page)
}

/// Marks all entries of a source that were discovered until now as read.
async fn mark_source(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    source: &str,
) -> Result<TaskResult, Refusal> {
    let is_feed =
        split(source).is_some_and(|(kind, _)| kind == "feed") || source.trim().parse::<u64>().is_ok();
    if arguments.text("before").is_some() || !(is_feed || source.trim() == "all") {
        return mark_selected(calls, arguments, source).await;
    }
    let mut body = if source.trim() == "all" {
        json!({ "all": true })
    } else {
        json!({ "feedId": id_of(source, "feed").map_err(|fault| fault.under("source"))? })
    };
    if arguments.flag("dryRun") {
        return planned(calls, format!("all unread entries of {} would be marked as read", json!(source)))
            .await;
    }
    body["discoveredBefore"] = kernel::rfc3339(calls.session().app.domain.now()).into();
    let answer = calls.post("/v1/rss/mark-read", &body).await?;
    Ok(TaskResult::new(format!("{} unread entries are now read.", answer["updated"]), answer))
}

/// Marks the entries of a collection as read, or the entries of a source that were published before a day.
async fn mark_selected(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    source: &str,
) -> Result<TaskResult, Refusal> {
    let mut filter = match source.trim() {
        "all" => json!({}),
        source => sources(source).map_err(|fault| fault.under("source"))?,
    };
    filter["unread"] = true.into();
    if let Some(day) = arguments.text("before") {
        filter["publishedBefore"] = day.into();
    }
    let planned = calls.post("/v1/feeds/mutate", &json!({ "op": OPERATION, "where": filter })).await?;
    let count = planned["wouldAffect"].as_u64().unwrap_or_default();
    if arguments.flag("dryRun") {
        let first = format!("Dry run: {count} unread entries would be marked as read.");
        return Ok(TaskResult::new(format!("{first} Call again without dryRun."), json!({ "dryRun": true })));
    }
    if count == 0 {
        return Ok(TaskResult::new("0 unread entries are now read.", json!({ "updated": 0 })));
    }
    let commit = json!({ "op": OPERATION, "commitToken": planned["commitToken"] });
    let updated = calls.post("/v1/feeds/mutate", &commit).await?["affected"].take();
    Ok(TaskResult::new(format!("{updated} unread entries are now read."), json!({ "updated": updated })))
}

/// Acknowledges updates of a consumer, or creates the consumer.
async fn acknowledge(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    name: &str,
) -> Result<TaskResult, Refusal> {
    let cursor = arguments.text("cursor").map(str::trim);
    let known = consumer::find(calls, name).await?;
    if arguments.flag("dryRun") {
        let what =
            if known.is_some() { "updates would be acknowledged" } else { "the consumer would be created" };
        return planned(calls, what.to_owned()).await;
    }
    let (answer, done): (Value, &str) = match (known, cursor) {
        (Some(id), Some(cursor)) => {
            let path = format!("/v1/feeds/consumers/{id}/ack");
            (calls.post(&path, &json!({ "cursor": cursor })).await?, "Acknowledged")
        }
        (Some(_), None) => {
            return Err(Fault::new("is missing: send the cursor of list_updates").under("cursor").into());
        }
        (None, cursor) => {
            let body = json!({ "name": name, "from": cursor.unwrap_or("latest") });
            (calls.post("/v1/feeds/consumers", &body).await?, "Created the consumer")
        }
    };
    let pending = answer["consumer"]["pending"].as_u64().unwrap_or_default();
    let mut page = TaskResult::new(format!("{done}. {} pending.", counted_updates(pending)), answer);
    page.then("Call list_updates with this consumer for the next updates.");
    Ok(page)
}

fn counted_updates(count: u64) -> String {
    if count == 1 { "1 update is".to_owned() } else { format!("{count} updates are") }
}

async fn planned(calls: &mut Calls<'_>, what: String) -> Result<TaskResult, Refusal> {
    calls.charge_alone(kernel::Scope::Write).await?;
    Ok(TaskResult::new(format!("Dry run: {what}. Call again without dryRun."), json!({ "dryRun": true })))
}

//! `save`: addresses, feed entries, or a text. Each source is charged as one operation.

use application::agent_undo::Undo;
use library::ObjectKind;
use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::{TaskResult, clipped, counted, title};
use super::reference::{id_of, is_address, path_of, split};
use super::undo;
use crate::session::Refusal;
use http_kit::http::fault::Fault;
use poem::http::Method;

/// Maximum length of a source in a result, in characters.
const SOURCE_CHARS: usize = 300;

/// Saves the sources or the text.
///
/// # Errors
/// A fault of the arguments, or the error response if a text cannot be saved. Refused sources are reported
/// in the result.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let sources = check(arguments)?;
    if arguments.flag("dryRun") {
        return planned(calls, arguments, &sources).await;
    }
    if let Some(text) = arguments.text("text") {
        let mut body = values(arguments);
        body.insert("content".into(), text.into());
        if let Some(source) = sources.first() {
            body.insert("url".into(), (*source).into());
        }
        let answer = calls.post("/v1/library/items", &body.into()).await?;
        return Ok(page(calls, vec![row_of(sources.first().copied().unwrap_or("text"), &answer)]).await);
    }
    let (mut rows, entries) = save_each(calls, arguments, sources).await?;
    let tagged = tag_entries(calls, arguments, &entries).await;
    if let Ok(items) = &tagged {
        for item in items {
            show_tagged(&mut rows, item);
        }
    }
    let mut page = page(calls, rows).await;
    if let Err(refusal) = tagged {
        page.say(format!(
            "Tags and status were not set on items of entries: {} ({}). Call organize with their ids.",
            refusal.message(),
            refusal.code()
        ));
        page.data["tagError"] = json!({ "error": refusal.message(), "code": refusal.code() });
    }
    Ok(page)
}

/// Saves each source. Returns a row for each, and the ids of the items that were saved from entries.
async fn save_each(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    sources: Vec<&str>,
) -> Result<(Vec<Value>, Vec<Value>), Refusal> {
    let (mut rows, mut entries) = (Vec::new(), Vec::new());
    for source in sources {
        // Each source is charged like a separate call. The charge of the first is the charge of this call.
        let mut source_calls = Calls::new(calls.session());
        let answer = if is_address(source) {
            let mut body = values(arguments);
            body.insert("url".into(), source.into());
            source_calls.post("/v1/library/items", &body.into()).await
        } else {
            let id = id_of(source, "entry").map_err(|fault| fault.under("sources"))?;
            source_calls.send(Method::POST, &format!("{}/save", path_of("/v1/rss/entries", id)), None).await
        };
        calls.leave_charge();
        match answer {
            Ok(answer) => {
                if !is_address(source) {
                    entries.push(answer["item"]["id"].clone());
                }
                rows.push(row_of(source, &answer));
            }
            // The other sources would be refused for the same missing scope.
            Err(refusal) if rows.is_empty() && refusal.status == poem::http::StatusCode::FORBIDDEN => {
                return Err(refusal);
            }
            Err(refusal) => {
                let source = clipped(source, SOURCE_CHARS);
                rows.push(json!({ "source": source, "error": refusal.message(), "code": refusal.code() }));
            }
        }
    }
    Ok((rows, entries))
}

/// Undo that deletes the items that the call created.
async fn undo_of(calls: &Calls<'_>, rows: &[Value]) -> Option<Undo> {
    let created = rows.iter().filter(|row| row["alreadySaved"] == false);
    let references: Vec<&str> = created.filter_map(|row| row["id"].as_str()).collect();
    undo::of_created(calls, ObjectKind::Item, &references).await
}

/// Copies the tags and the status of an item to its row. They were set after the item was saved.
fn show_tagged(rows: &mut [Value], item: &Value) {
    let id = format!("item:{}", item["id"].as_str().unwrap_or_default());
    for row in rows.iter_mut().filter(|row| row["id"] == id.as_str()) {
        for name in ["tags", "status"] {
            row[name] = item[name].clone();
        }
    }
}

/// Checks that the arguments are consistent. Returns the sources.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<Vec<&str>, Fault> {
    let (sources, text) = (arguments.list("sources"), arguments.text("text"));
    if sources.is_empty() && text.is_none() {
        return Err(Fault::new("is missing; or send `text`").under("sources"));
    }
    if text.is_some() && (sources.len() > 1 || sources.first().is_some_and(|source| !is_address(source))) {
        return Err(Fault::new("with `text` it can only be one address").under("sources"));
    }
    if arguments.text("title").is_some()
        && (sources.len() > 1 || sources.iter().any(|source| !is_address(source)))
    {
        return Err(Fault::new("can be sent for a text or one address only").under("title"));
    }
    let is_download = text.is_none() && sources.iter().all(|source| is_address(source));
    if arguments.text("render").is_some() && !is_download {
        return Err(Fault::new("can be sent for addresses only").under("render"));
    }
    for (at, source) in sources.iter().enumerate() {
        let is_entry = split(source).is_some_and(|(kind, id)| kind == "entry" && id.parse::<u64>().is_ok());
        if !is_address(source) && !is_entry {
            let fault = Fault::new("must be an http(s) address or an entry:… id; call search for ids");
            return Err(fault.under(at).under("sources"));
        }
    }
    Ok(sources)
}

/// Values that every saved item gets.
fn values(arguments: &Arguments) -> Map<String, Value> {
    let mut body = Map::new();
    for name in ["title", "status", "render"] {
        if let Some(value) = arguments.text(name) {
            body.insert(name.into(), value.into());
        }
    }
    let tags = arguments.list("tags");
    if !tags.is_empty() {
        body.insert("tags".into(), tags.into());
    }
    body
}

/// Applies tags and status to items that were saved from entries. Returns the changed items.
async fn tag_entries(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    ids: &[Value],
) -> Result<Vec<Value>, Refusal> {
    let mut changes = Map::new();
    let tags = arguments.list("tags");
    if !tags.is_empty() {
        changes.insert("addTags".into(), tags.into());
    }
    if let Some(status) = arguments.text("status") {
        changes.insert("status".into(), status.into());
    }
    if ids.is_empty() || changes.is_empty() {
        return Ok(Vec::new());
    }
    let body = json!({ "ids": ids, "changes": changes });
    let answer = calls.send(Method::PATCH, "/v1/library/items", Some(&body)).await?;
    Ok(answer["items"].as_array().cloned().unwrap_or_default())
}

/// Result of a dry run.
async fn planned(
    calls: &mut Calls<'_>,
    arguments: &Arguments,
    sources: &[&str],
) -> Result<TaskResult, Refusal> {
    calls.charge_alone(kernel::Scope::Write).await?;
    let count = sources.len().max(1);
    let data = json!({ "dryRun": true, "wouldSave": count, "values": values(arguments) });
    let mut page = TaskResult::new(
        format!("Dry run: {} would be saved. Nothing was changed.", counted(count, "source")),
        data,
    );
    for source in sources {
        page.quote(format!("- {}", clipped(source, SOURCE_CHARS)));
    }
    let values = values(arguments);
    if !values.is_empty() {
        page.then(format!("With {}", Value::from(values)));
    }
    page.then("Call again without dryRun to save.");
    Ok(page)
}

fn row_of(source: &str, answer: &Value) -> Value {
    let item = &answer["item"];
    json!({
        "source": clipped(source, SOURCE_CHARS),
        "id": format!("item:{}", item["id"].as_str().unwrap_or_default()),
        "title": item["title"],
        "tags": item["tags"],
        "status": item["status"],
        "textStatus": item["articleStatus"],
        "alreadySaved": answer["alreadySaved"],
    })
}

async fn page(calls: &Calls<'_>, rows: Vec<Value>) -> TaskResult {
    let refused = rows.iter().filter(|row| row["error"].is_string()).count();
    let mut page = TaskResult::new(format!("{} saved.", counted(rows.len() - refused, "item")), json!({}));
    if refused > 0 {
        page.say(format!("{} refused.", counted(refused, "source")));
    }
    for row in &rows {
        let text = |name: &str| row[name].as_str().unwrap_or_default();
        page.quote(if let Some(error) = row["error"].as_str() {
            format!("- {}: {error} ({})", text("source"), text("code"))
        } else {
            let known = if row["alreadySaved"] == true { ", saved before" } else { "" };
            format!("- {} {} ({}{known})", text("id"), title(&row["title"]), text("status"))
        });
    }
    page.undo = undo_of(calls, &rows).await;
    page.data["results"] = rows.into();
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(sent: Value) -> Option<String> {
        let schema = json!({"properties": {
            "sources": {"type": "array"}, "text": {"type": "string"}, "title": {"type": "string"},
            "render": {"type": "string"},
        }});
        let Value::Object(sent) = sent else { panic!("{sent}") };
        let arguments = Arguments::of(&schema, sent).unwrap();
        check(&arguments).err().map(|fault| fault.to_string())
    }

    #[test]
    fn sources_are_checked_before_the_first_is_saved() {
        assert_eq!(fault(json!({"sources": ["https://a.example/", "entry:5"]})), None);
        assert_eq!(fault(json!({"text": "Words", "title": "T"})), None);
        assert_eq!(fault(json!({"text": "Words", "sources": ["https://a.example/"]})), None);
        for (sent, pointer) in [
            (json!({}), "/sources: "),
            (json!({"sources": ["https://a.example/", "item:5"]}), "/sources/1: "),
            (json!({"sources": ["entry:x"]}), "/sources/0: "),
            (json!({"sources": ["https://a.example/", "entry:5"], "title": "T"}), "/title: "),
            (json!({"sources": ["entry:5"], "title": "T"}), "/title: "),
            (json!({"sources": ["https://a.example/", "entry:5"], "render": "always"}), "/render: "),
            (json!({"text": "Words", "render": "always"}), "/render: "),
            (json!({"sources": ["entry:5"], "text": "Words"}), "/sources: "),
        ] {
            assert!(fault(sent.clone()).is_some_and(|fault| fault.starts_with(pointer)), "{sent}");
        }
    }
}

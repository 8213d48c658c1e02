//! `annotate`: notes and highlights.

use library::ObjectKind;
use serde_json::{Map, json};

use super::arguments::Arguments;
use super::charges::Calls;
use super::page::TaskResult;
use super::reference::id_of;
use super::undo;
use crate::session::Refusal;
use http_kit::http::fault::Fault;

/// Adds a note or a highlight.
///
/// # Errors
/// The error response of an operation.
pub(super) async fn run(calls: &mut Calls<'_>, arguments: &Arguments) -> Result<TaskResult, Refusal> {
    let item = check(arguments)?;
    let (text, quote, picture) = (arguments.text("text"), arguments.text("quote"), arguments.text("picture"));
    let is_highlight = quote.is_some() || picture.is_some();
    let mut body = Map::new();
    let words = (if is_highlight { "note" } else { "text" }, text);
    let fields = [("itemId", item), ("quote", quote), ("pictureUrl", picture), words];
    for (name, value) in fields {
        body.extend(value.map(|value| (name.to_owned(), value.into())));
    }
    if let Some(color) = arguments.text("color").filter(|_| is_highlight) {
        body.insert("color".into(), color.into());
    }
    if !arguments.list("tags").is_empty() {
        body.insert("tags".into(), arguments.list("tags").into());
    }
    let kind = if is_highlight { "highlight" } else { "note" };
    if arguments.flag("dryRun") {
        calls.charge_alone(kernel::Scope::Write).await?;
        let data = json!({ "dryRun": true, "would": { "create": kind, "with": body } });
        return Ok(TaskResult::new(
            format!("Dry run: a {kind} would be added. Call again without dryRun."),
            data,
        ));
    }
    let (answer, is_new) = calls.create(&format!("/v1/library/{kind}s"), &body.into()).await?;
    let id = answer["ref"].as_str().unwrap_or_default();
    let mut page = TaskResult::new(format!("Added {id}."), json!({ "id": id, "object": answer["object"] }));
    if answer["object"]["anchorStatus"] == "orphaned" {
        page.say(if picture.is_some() {
            "The text of the item does not have this picture. Send its address exactly as in the text."
        } else {
            "The quote does not occur in the text of the item. Call find for its exact words."
        });
    }
    if is_new {
        let kind = if is_highlight { ObjectKind::Highlight } else { ObjectKind::Note };
        page.undo = undo::of_created(calls, kind, &[id]).await;
    }
    Ok(page)
}

/// Checks that the arguments are consistent. Returns the id of the item.
///
/// # Errors
/// The first fault.
pub(super) fn check(arguments: &Arguments) -> Result<Option<&str>, Fault> {
    let (quote, picture) = (arguments.text("quote"), arguments.text("picture"));
    if quote.is_some() && picture.is_some() {
        return Err(Fault::new("cannot be sent with `quote`").under("picture"));
    }
    let is_highlight = quote.is_some() || picture.is_some();
    if arguments.text("text").is_none() && !is_highlight {
        return Err(Fault::new("is missing; or send `quote` or `picture`").under("text"));
    }
    let item = arguments.text("id").map(|id| id_of(id, "item")).transpose();
    let item = item.map_err(|fault| fault.under("id"))?;
    if is_highlight && item.is_none() {
        return Err(Fault::new("is missing; a highlight needs its item").under("id"));
    }
    Ok(item)
}

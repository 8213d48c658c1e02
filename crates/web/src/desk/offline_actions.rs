//! Queued actions of a browser: marks, stars, and highlights of stored texts. The browser sends them with the form
//! token of a fresh page, in the order in which the person did them.

use application::offline_actions::{self, ActionKind, ActionOutcome, MAX_ACTIONS, QueuedAction};
use kernel::ItemId;
use kernel::bounds::{HIGHLIGHT_CHARS, NOTE_CHARS};
use library::{HighlightColor, HighlightTarget, NewHighlight};
use poem::handler;
use serde_json::{Value, json};

use super::offline::{TextId, require_on};
use crate::page::error_text::ErrorSentences;
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::private_json;

/// Applies the actions, and responds with a result for each. Actions over the limit have no result, and the
/// browser sends them again.
#[handler]
pub(super) async fn apply(request: PageRequest, user: User, form: Form) -> PageResult {
    require_on(&request)?;
    let sent: Vec<Option<QueuedAction>> = form.all("action").take(MAX_ACTIONS).map(action_of).collect();
    let actions: Vec<QueuedAction> = sent.iter().flatten().cloned().collect();
    let outcomes = offline_actions::apply(&request.app.domain, user.account.id, &actions).await;
    let mut outcomes = outcomes.iter();
    let results: Vec<Value> = sent
        .iter()
        .map(|action| match action.as_ref().and_then(|_| outcomes.next()) {
            Some(outcome) => result_of(outcome),
            None => failed(&ErrorSentences::of_message("The change is not valid.")),
        })
        .collect();
    Ok(private_json(&json!({ "results": results })))
}

/// Parses an action. `None` if it is invalid.
fn action_of(text: &str) -> Option<QueuedAction> {
    let value: Value = serde_json::from_str(text).ok()?;
    let word = |name: &str| value.get(name).and_then(Value::as_str);
    let kind = match (word("act")?, TextId::parse(word("text")?)?) {
        ("read", TextId::Entry(id)) => ActionKind::ReadEntry(id),
        ("star", TextId::Entry(id)) => ActionKind::StarEntry(id),
        ("read", TextId::Item(id)) => ActionKind::ReadItem(id),
        ("archive", TextId::Item(id)) => ActionKind::ArchiveItem(id),
        ("highlight", TextId::Item(id)) => {
            ActionKind::Highlight(Box::new(highlight(id, word("quote")?, word("note"), word("color"))?))
        }
        _ => return None,
    };
    Some(QueuedAction { kind, age_ms: value.get("age").and_then(Value::as_i64)? })
}

/// Returns the highlight of an action. `None` if its texts are too long.
fn highlight(item_id: ItemId, quote: &str, note: Option<&str>, color: Option<&str>) -> Option<NewHighlight> {
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    let is_long = |text: &str, most: usize| text.chars().count() > most;
    if is_long(quote, HIGHLIGHT_CHARS) || note.is_some_and(|note| is_long(note, NOTE_CHARS)) {
        return None;
    }
    Some(NewHighlight {
        item_id,
        target: HighlightTarget::Quote(quote.trim().to_owned()),
        prefix: None,
        suffix: None,
        anchor: None,
        note: note.map(str::to_owned),
        color: color.and_then(HighlightColor::parse),
        tags: Vec::new(),
        external_id: None,
    })
}

fn result_of(outcome: &ActionOutcome) -> Value {
    match outcome {
        ActionOutcome::Applied => json!({ "state": "applied" }),
        ActionOutcome::Superseded => failed(&ErrorSentences::of_message(
            "The item was changed elsewhere in the meantime. That version was kept.",
        )),
        ActionOutcome::Failed(error) if error.is_transient() => json!({ "state": "retry" }),
        ActionOutcome::Failed(error) => failed(&ErrorSentences::of(error)),
    }
}

/// Result of an action that the browser displays as failed.
fn failed(reason: &ErrorSentences) -> Value {
    json!({ "state": "failed", "message": reason.words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_actions_are_parsed() {
        let is_valid = |act: &str, text: &str| {
            action_of(&json!({ "act": act, "text": text, "age": 5, "quote": "words" }).to_string()).is_some()
        };
        let item = format!("item.{}", ItemId::from_u128(7));
        for act in ["read", "archive", "highlight"] {
            assert!(is_valid(act, &item), "{act}");
        }
        assert!(is_valid("read", "entry.3") && is_valid("star", "entry.3"));
        for (act, text) in
            [("star", item.as_str()), ("archive", "entry.3"), ("delete", item.as_str()), ("read", "3")]
        {
            assert!(!is_valid(act, text), "{act} {text}");
        }
        assert!(action_of("[]").is_none() && action_of("{").is_none());
        let without_age = json!({ "act": "read", "text": "entry.3" }).to_string();
        assert!(action_of(&without_age).is_none());
        let long = "x".repeat(HIGHLIGHT_CHARS + 1);
        assert!(highlight(ItemId::from_u128(7), &long, None, None).is_none());
    }
}

//! Texts of messages about changes and failures, in the language of the monitor's owner. Stored changes and
//! feeds are in English, because their readers are unknown. Pages display the translations of `stored_text`.

use extract::watch::{Kind, Op, Operation, Wall};
use kernel::{Language, Millis};
use language::{Catalogue, Key, formats};
use notices::ChangedTexts;

use super::change::Change;
use super::change_explanation::ChangeExplanation;

/// Texts about changes and failures.
pub(super) static CHANGES: Catalogue = language::catalogue!("changes.ftl");

/// Maximum number of differences whose texts are available to templates.
const MAX_OPERATIONS: usize = 20;

/// Reason why a change is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ChangeCause {
    #[default]
    Difference,
    /// The page did not exist before.
    Arrival,
    /// The source returns a wall instead of the page.
    Wall(Wall),
}

/// Facts about a new change that only its English texts contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChangeFacts {
    pub(super) cause: ChangeCause,
    /// Number of operations that were omitted.
    pub(super) omitted: u32,
    /// Time of the previous check. Set only if that check was longer ago than usual.
    pub(super) previous_check_at: Option<Millis>,
}

/// Title and summary of a message, or of a change on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    pub title: String,
    pub summary: String,
}

/// Returns the texts of a message about a change. A summary in a language other than English is shorter than
/// the stored summary: it counts the differences, and the title quotes them.
pub(super) fn of_change(language: Language, change: &Change, facts: &ChangeFacts) -> MessageText {
    if language == Language::English {
        return MessageText { title: change.title.clone(), summary: change.summary.clone() };
    }
    let MessageText { title, mut summary } = match facts.cause {
        ChangeCause::Difference => of_difference(language, &change.title, &change.operations, facts.omitted),
        ChangeCause::Arrival => {
            let known = change.title.strip_prefix(&page_exists(Language::English, ""));
            let known = known.unwrap_or(&change.title);
            let text = of_difference(language, known, &change.operations, facts.omitted);
            MessageText {
                title: page_exists(language, &text.title),
                summary: page_exists_detail(language, &text.summary),
            }
        }
        ChangeCause::Wall(wall) => of_wall(language, wall),
    };
    if let Some(at) = facts.previous_check_at {
        summary = since(language, &summary, at);
    }
    MessageText { title, summary }
}

/// Returns the texts of a change that are available to templates of channels. Elements that only moved have no texts.
pub(super) fn changed_texts(operations: &[Operation]) -> ChangedTexts {
    let operations = operations.iter().filter(|operation| operation.op != Op::Moved).take(MAX_OPERATIONS);
    let operations: Vec<&Operation> = operations.collect();
    let after = |operation: &&Operation| operation.after.clone();
    let value = operations.iter().filter(|operation| operation.field.is_some()).find_map(after);
    let join = |texts: Vec<String>| texts.join("\n");
    let lines = operations.iter().flat_map(|operation| {
        let removed = operation.before.iter().map(|text| format!("- {text}"));
        removed.chain(operation.after.iter().map(|text| format!("+ {text}")))
    });
    ChangedTexts {
        before: join(operations.iter().filter_map(|operation| operation.before.clone()).collect()),
        after: join(operations.iter().filter_map(after).collect()),
        value: value.or_else(|| operations.iter().find_map(after)).unwrap_or_default(),
        lines: join(lines.collect()),
    }
}

/// Adds the sentence of the language model before the summary of a message. Without a sentence, the message is unchanged.
pub(super) fn with_explanation(
    language: Language,
    message: MessageText,
    explanation: &ChangeExplanation,
) -> MessageText {
    match explained(language, explanation) {
        Some(sentence) => MessageText { summary: format!("{sentence}\n{}", message.summary), ..message },
        None => message,
    }
}

/// Returns the sentence of the language model, marked as such. `None` if there is none.
pub(super) fn explained(language: Language, explanation: &ChangeExplanation) -> Option<String> {
    let sentence = explanation.sentence.as_deref()?;
    let key = match explanation.is_relevant {
        Some(false) => Key("explanation-irrelevant"),
        Some(true) | None => Key("explanation"),
    };
    Some(CHANGES.text(language, key).with("sentence", sentence).get())
}

/// Returns the texts about a wall.
pub(super) fn of_wall(language: Language, wall: Wall) -> MessageText {
    let title = match wall {
        Wall::RobotCheck => Key("wall-robot-check"),
        Wall::Consent => Key("wall-consent"),
        Wall::SignIn => Key("wall-sign-in"),
        Wall::Maintenance => Key("wall-maintenance"),
        Wall::Error => Key("wall-error"),
        Wall::RegionBlock => Key("wall-region"),
        Wall::Queue => Key("wall-queue"),
    };
    let title = CHANGES.text(language, title).get();
    let summary = CHANGES.text(language, Key("wall-detail")).with("title", title.as_str()).get();
    MessageText { title, summary }
}

/// Returns the title of a change that reports a page that did not exist before.
pub(super) fn page_exists(language: Language, title: &str) -> String {
    CHANGES.text(language, Key("page-exists")).with("title", title).get()
}

/// Returns the summary of a change that reports a page that did not exist before.
pub(super) fn page_exists_detail(language: Language, summary: &str) -> String {
    CHANGES.text(language, Key("page-exists-detail")).with("summary", summary).get()
}

/// Adds the time of the previous check to a summary.
pub(super) fn since(language: Language, summary: &str, at: Millis) -> String {
    let time = formats::minute(language, at);
    CHANGES.text(language, Key("since")).with("summary", summary).with("time", time).get()
}

/// Returns the texts about a difference. `english` is its English title.
fn of_difference(language: Language, english: &str, operations: &[Operation], omitted: u32) -> MessageText {
    let count = operations.len() + usize::try_from(omitted).unwrap_or(0);
    let title = match operations {
        [] => true_now(language, english),
        [only] if only.kind == Kind::Whole => CHANGES.text(language, Key("too-large")).get(),
        _ if is_reordered(operations) => CHANGES.text(language, Key("reordered")).with("count", count).get(),
        _ if count > 1 => with_rest(language, english),
        _ => english.to_owned(),
    };
    let is_counted = count > 1 && !is_reordered(operations);
    let summary = if is_counted { counts(language, operations, omitted) } else { title.clone() };
    MessageText { title, summary }
}

/// Translates a title that is the condition of the trigger.
fn true_now(language: Language, english: &str) -> String {
    let start = CHANGES.text(Language::English, Key("true-now")).with("condition", "").get();
    match english.strip_prefix(start.trim_end()) {
        Some(condition) => {
            CHANGES.text(language, Key("true-now")).with("condition", condition.trim_start()).get()
        }
        None => english.to_owned(),
    }
}

/// Translates the number of further differences at the end of a title.
fn with_rest(language: Language, english: &str) -> String {
    let parts = english.rsplit_once(" and ");
    let rest =
        parts.and_then(|(start, rest)| Some((start, rest.strip_suffix(" more")?.parse::<u64>().ok()?)));
    match rest {
        Some((start, rest)) => {
            CHANGES.text(language, Key("more")).with("title", start).with("count", rest).get()
        }
        None => english.to_owned(),
    }
}

/// True if only the order of a list or of a table changed.
fn is_reordered(operations: &[Operation]) -> bool {
    let Some(first) = operations.first() else { return false };
    matches!(first.kind, Kind::ListItem | Kind::Item | Kind::Value | Kind::Row)
        && operations.iter().all(|operation| operation.op == Op::Moved && operation.kind == first.kind)
}

/// Returns the numbers of differences: `2 added, 1 removed`.
fn counts(language: Language, operations: &[Operation], omitted: u32) -> String {
    let mut parts = Vec::new();
    for (op, key) in [
        (Op::Added, Key("added")),
        (Op::Removed, Key("removed")),
        (Op::Changed, Key("changed")),
        (Op::Moved, Key("moved")),
    ] {
        let count = operations.iter().filter(|operation| operation.op == op).count();
        if count > 0 {
            parts.push(CHANGES.text(language, key).with("count", count).get());
        }
    }
    let list = formats::list(language, &parts);
    if omitted == 0 {
        return list;
    }
    CHANGES.text(language, Key("more")).with("title", list).with("count", omitted).get()
}

#[cfg(test)]
mod tests;

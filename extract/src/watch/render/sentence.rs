//! Titles and summaries of comparisons, in English.

use super::super::{
    comparison::Comparison,
    excerpt,
    matching::SearchText,
    operation::{Kind, Op, Operation},
    quantity,
    trigger::{Trigger, TriggerKind},
    value_store::cut,
};
use crate::currencies;

/// Maximum number of characters in a quoted text.
const QUOTE_CHARS: usize = 80;
/// Maximum number of characters before a number that may be its label.
const MAX_LABEL_CHARS: usize = 40;
/// Maximum number of characters in a title.
const TITLE_CHARS: usize = 120;
/// Maximum number of characters in each text of a change in a title.
const SIDE_CHARS: usize = 50;
/// Maximum number of characters in each text in a title with several texts.
const PIECE_CHARS: usize = 30;
/// Number of characters that are quoted before and after the words of a trigger.
const WORDS_CONTEXT_CHARS: usize = 25;
/// Maximum number of characters in a text without a name. In a title, its section identifies it.
const NAMELESS_CHARS: usize = 20;

/// Title and summary of a change that fired the trigger. Both contain the text of the trigger.
pub fn describe(comparison: &Comparison, trigger: &Trigger) -> (String, String) {
    let (title, summary) = (title(comparison), summary(comparison));
    let symbol = match trigger.kind {
        TriggerKind::TextAppears | TriggerKind::Added => '+',
        TriggerKind::TextDisappears | TriggerKind::Removed => '−',
        TriggerKind::Any
        | TriggerKind::Share
        | TriggerKind::Above
        | TriggerKind::Below
        | TriggerKind::Condition => return with_reason(title, summary, trigger),
    };
    let value = trigger.value.as_deref().unwrap_or("").trim();
    let words = SearchText::new(value);
    if words.is_empty() {
        return (title, summary);
    }
    let quoted = comparison.operations.iter().find_map(|operation| {
        let text = if symbol == '+' { &operation.after } else { &operation.before };
        let mut texts = [text, &operation.item, &operation.link].into_iter().flatten();
        texts.find_map(|text| Some(excerpt::part(text, words.find(text)?, WORDS_CONTEXT_CHARS)))
    });
    let quoted = quoted.unwrap_or_else(|| value.trim_matches('*').to_owned());
    let has_words = |text: &str| words.is_contained_in(text);
    let title = match title.as_str() {
        "" => cut(&format!("{symbol} {quoted}"), TITLE_CHARS),
        known if has_words(known) => title,
        known => cut(&format!("{symbol} {quoted}, {known}"), TITLE_CHARS),
    };
    let summary = match summary.as_str() {
        "" => format!("{symbol} “{quoted}”"),
        known if has_words(known) => summary,
        known => format!("{known}: {symbol} “{quoted}”"),
    };
    (title, summary)
}

/// Title and summary. If no text differs, for example because a condition is reported again, the text is the
/// condition.
fn with_reason(title: String, summary: String, trigger: &Trigger) -> (String, String) {
    let reason = trigger.effective_condition().filter(|_| title.is_empty());
    match reason {
        None => (title, summary),
        Some(condition) => {
            let reason = cut(&format!("True now: {condition}"), TITLE_CHARS);
            (reason.clone(), reason)
        }
    }
}

/// Summary of the change in one or two sentences of plain text. Empty for an empty comparison.
pub fn summary(comparison: &Comparison) -> String {
    let operations = comparison.operations.as_slice();
    let Some(first) = operations.first() else { return String::new() };
    if comparison.too_large {
        return too_large(comparison);
    }
    if let Some(sentence) = reordered(comparison) {
        return sentence;
    }
    let sentence = match operations {
        [only] if comparison.omitted == 0 => single(only),
        [first_operation, second_operation] if comparison.omitted == 0 => {
            replaced(first_operation, second_operation)
        }
        _ => None,
    };
    if let Some(sentence) = sentence {
        return sentence;
    }
    let mut sentence = counts(comparison);
    // A changed number is usually the most important information.
    let numeric = operations.iter().filter(|operation| operation.difference.is_some());
    let mut numeric = numeric.take(2);
    if let (Some(only), None) = (numeric.next(), numeric.next())
        && let Some(detail) = single(only)
    {
        sentence.push_str(&format!(". {detail}"));
    } else if first.kind == Kind::Field
        && let Some(item) = same_item(operations)
    {
        return format!("{item}: {}", lower(&sentence));
    }
    sentence
}

/// Title with the changed words, short enough for a list: `Ferry: 18:45 → 18:55, + Dogs must be kept…`. A
/// symbol is followed by a space, because `−14 euros` would be a negative number.
pub fn title(comparison: &Comparison) -> String {
    let operations = comparison.operations.as_slice();
    if comparison.too_large || reordered(comparison).is_some() {
        return cut(&summary(comparison), TITLE_CHARS);
    }
    let rank = |operation: &Operation| match operation.op {
        // New pages are more important than updated pages.
        Op::Changed if operation.kind == Kind::Url => 5,
        Op::Changed if operation.difference.is_some() => 0,
        Op::Changed => 1,
        Op::Added => 2,
        Op::Removed => 3,
        Op::Moved => 4,
    };
    let mut ranked: Vec<&Operation> = operations.iter().collect();
    ranked.sort_by_key(|operation| rank(operation));
    let most = if let [_] = operations { TITLE_CHARS } else { PIECE_CHARS };
    let total = operations.len() + usize::try_from(comparison.omitted).unwrap_or(0);
    let mut title = String::new();
    for (index, operation) in ranked.into_iter().enumerate() {
        let piece = brief(operation, most);
        if index > 0 && title.chars().count() + piece.chars().count() + 2 > TITLE_CHARS {
            return with_rest(&title, total - index);
        }
        if index > 0 {
            title.push_str(", ");
        }
        title.push_str(&piece);
    }
    match usize::try_from(comparison.omitted) {
        Ok(0) | Err(_) => cut(&title, TITLE_CHARS),
        Ok(omitted) => with_rest(&title, omitted),
    }
}

/// Cuts a title to the maximum length.
pub fn shortened_title(title: &str) -> String {
    cut(title, TITLE_CHARS)
}

/// Appends the number of further changes to a title.
fn with_rest(title: &str, rest: usize) -> String {
    let rest = format!(" and {rest} more");
    format!("{}{rest}", cut(title, TITLE_CHARS - rest.len()))
}

/// Describes an operation in as few words as possible.
fn brief(operation: &Operation, most: usize) -> String {
    let text = |text: &Option<String>| cut(text.as_deref().unwrap_or(""), most);
    let thing = || match operation.kind {
        Kind::Item => operation.item.clone().filter(|item| !item.is_empty()),
        Kind::Url => operation.link.clone(),
        _ => None,
    };
    // A short text such as `closed` has no meaning without its heading.
    let is_nameless = |text: &Option<String>| {
        operation.kind == Kind::Paragraph
            && text.as_deref().is_some_and(|text| text.chars().count() <= NAMELESS_CHARS)
    };
    let section = |text: &Option<String>| {
        let section = operation.section.as_deref().filter(|_| is_nameless(text));
        section.map(|section| format!("{}: ", cut(section, MAX_LABEL_CHARS))).unwrap_or_default()
    };
    match operation.op {
        Op::Added => {
            let added = thing().map_or_else(|| text(&operation.after), |thing| cut(&thing, most));
            format!("{}+ {added}", section(&operation.after))
        }
        Op::Removed => {
            let removed = thing().map_or_else(|| text(&operation.before), |thing| cut(&thing, most));
            format!("{}− {removed}", section(&operation.before))
        }
        Op::Moved => {
            format!("↕ {}", thing().map_or_else(|| text(&operation.after), |thing| cut(&thing, most)))
        }
        Op::Changed => brief_change(operation, most),
    }
}

fn brief_change(operation: &Operation, most: usize) -> String {
    if operation.kind == Kind::Url {
        return format!("± {}", cut(operation.link.as_deref().unwrap_or(""), most));
    }
    let label = match (&operation.item, &operation.field) {
        (Some(item), Some(field)) => format!("{item}, {field}"),
        (None, Some(field)) => field.clone(),
        _ => label_before(operation, operation.before.as_deref().unwrap_or("")),
    };
    let label = if label.is_empty() { operation.section.clone().unwrap_or_default() } else { label };
    let (before, after) = changed_parts(operation).unwrap_or_else(|| {
        (operation.before.clone().unwrap_or_default(), operation.after.clone().unwrap_or_default())
    });
    let (before, after) = without_common_stop(&before, &after);
    let most = most.min(SIDE_CHARS);
    let what = match (before.is_empty(), after.is_empty()) {
        _ if before == after => format!("± {}", cut(after, most)),
        (true, true) => "±".to_owned(),
        (true, false) if operation.field.is_none() => format!("+ {}", cut(after, most)),
        (false, true) if operation.field.is_none() => format!("− {}", cut(before, most)),
        (true, false) => format!("– → {}", cut(after, most)),
        (false, true) => format!("{} → –", cut(before, most)),
        (false, false) => {
            let (before, after) = shortened(before, after, most);
            format!("{before} → {after}")
        }
    };
    if label.is_empty() { what } else { format!("{}: {what}", cut(&label, MAX_LABEL_CHARS)) }
}

/// Removes a punctuation mark at the end of both texts, because it belongs to the sentence and not to the
/// value.
fn without_common_stop<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let stops = ['.', ',', ';'];
    let both = stops.iter().find_map(|stop| before.strip_suffix(*stop).zip(after.strip_suffix(*stop)));
    both.filter(|(before, after)| !before.is_empty() && !after.is_empty()).unwrap_or((before, after))
}

fn too_large(comparison: &Comparison) -> String {
    let count = |number: u32, what: &str| {
        format!("{number} {}{what}", if number == 1 { "block " } else { "blocks " })
    };
    match (comparison.added, comparison.removed) {
        (0, 0) => "Too large to align: the order of much of it changed".to_owned(),
        (added, 0) => format!("Too large to align: {}", count(added, "new")),
        (0, removed) => format!("Too large to align: {}", count(removed, "gone")),
        (added, removed) => format!("Too large to align: {}, {removed} gone", count(added, "new")),
    }
}

/// Sentence for a comparison with one operation.
fn single(operation: &Operation) -> Option<String> {
    let sentence = match operation.op {
        Op::Changed => changed(operation)?,
        Op::Added | Op::Removed | Op::Moved => {
            let what = match operation.kind {
                Kind::Url => operation.link.clone().unwrap_or_default(),
                Kind::Item => quote(operation.item.as_deref().unwrap_or("")),
                _ => quote(operation.after.as_deref().or(operation.before.as_deref()).unwrap_or("")),
            };
            format!("{} {}: {what}", noun(operation.kind, 1), operation.op.as_str())
        }
    };
    Some(capital(&sentence))
}

fn changed(operation: &Operation) -> Option<String> {
    if operation.kind == Kind::Url {
        let date = |date: &Option<String>| date.clone().unwrap_or_else(|| "none".to_owned());
        let url = operation.link.as_deref().unwrap_or_default();
        return Some(format!(
            "Page updated: {url} ({} → {})",
            date(&operation.before),
            date(&operation.after)
        ));
    }
    if operation.before == operation.after {
        let text = quote(operation.after.as_deref().unwrap_or(""));
        return match (&operation.link_before, &operation.link) {
            (Some(_), Some(to)) => Some(format!("Link target of {text} changed to {}", cut(to, QUOTE_CHARS))),
            (Some(_), None) => Some(format!("Link of {text} removed")),
            (None, Some(_)) => Some(format!("Link added to {text}")),
            // The displayed texts do not differ.
            (None, None) => None,
        };
    }
    let name = subject(operation);
    match (&operation.before, &operation.after) {
        (None, Some(after)) => return Some(format!("{name} is now {}", quote(after))),
        (Some(before), None) => return Some(format!("{name} is gone, was {}", quote(before))),
        _ => {}
    }
    let (before, after) = changed_parts(operation)?;
    if let Some(difference) = &operation.difference {
        let verb = if difference.starts_with('−') { "fell" } else { "rose" };
        return Some(format!("{name} {verb} from {before} to {after}"));
    }
    if before == after {
        return None;
    }
    let is_value = operation.kind == Kind::Field;
    let (old, new) = shortened(&before, &after, QUOTE_CHARS);
    Some(match (before.is_empty(), after.is_empty()) {
        (false, false) if is_value => format!("{name} changed from “{old}” to “{new}”"),
        (true, _) => format!("{name} changed: “{new}” added"),
        (_, true) => format!("{name} changed: “{old}” removed"),
        _ => format!("{name} changed: “{old}” became “{new}”"),
    })
}

/// Shortens both texts so that the results still differ.
fn shortened(before: &str, after: &str, most: usize) -> (String, String) {
    let (old, new) = (cut(before, most), cut(after, most));
    if old != new {
        return (old, new);
    }
    let common = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let from = common.saturating_sub(most / 3);
    let rest = |text: &str| {
        let start = text.char_indices().nth(from).map_or(text.len(), |(start, _)| start);
        format!("…{}", cut(&text[start..], most))
    };
    (rest(before), rest(after))
}

/// Old and new text of a change: for a field, the whole value if it is short; for a number, the number with
/// its unit, or the whole date; otherwise, the text from the first to the last word that differs.
fn changed_parts(operation: &Operation) -> Option<(String, String)> {
    let (before, after) = (operation.before.as_deref()?, operation.after.as_deref()?);
    let is_short = |text: &str| text.chars().nth(QUOTE_CHARS).is_none();
    let is_value = operation.kind == Kind::Field && is_short(before) && is_short(after);
    if is_value || operation.spans.is_empty() {
        return Some((before.to_owned(), after.to_owned()));
    }
    let stretch = |text: &str, range: &dyn Fn(&super::super::operation::DiffSpan) -> (u32, u32)| {
        let first = operation.spans.first().map(range)?;
        let last = operation.spans.last().map(range)?;
        let range = super::segments::range((first.0, last.1), text)?;
        Some(text[quantity::quoted(operation, text, range)].trim().to_owned())
    };
    Some((stretch(before, &|span| span.before)?, stretch(after, &|span| span.after)?))
}

/// Name of the changed element.
fn subject(operation: &Operation) -> String {
    if let Some(field) = &operation.field {
        return match &operation.item {
            Some(item) => format!("{}: {field}", quote(item)),
            None => capital(field),
        };
    }
    let text = operation.before.as_deref().unwrap_or("");
    if operation.difference.is_some() {
        let label = label_before(operation, text);
        if !label.is_empty() {
            return capital(&label);
        }
        let noun = if currencies::is_money(text) { "Price" } else { "Number" };
        let under = operation.section.as_ref().map(|section| format!(" under {}", quote(section)));
        return format!("{noun}{}", under.unwrap_or_default());
    }
    match &operation.section {
        Some(section) if operation.kind != Kind::Heading => {
            format!("{} under {}", capital(noun(operation.kind, 1)), quote(section))
        }
        _ => capital(noun(operation.kind, 1)),
    }
}

/// Name of a change within a text: the first cell with words in a table row, or the words directly before the
/// change. Empty if there are no such words.
fn label_before(operation: &Operation, text: &str) -> String {
    let Some(span) = operation.spans.first() else { return String::new() };
    let Some(range) = super::segments::range(span.before, text) else { return String::new() };
    let before = &text[..quantity::quoted(operation, text, range).start];
    if operation.kind != Kind::Row {
        return quantity::label(before).to_owned();
    }
    let (cells, own) = before.rsplit_once('|').unwrap_or(("", before));
    let has_words = |cell: &&str| cell.chars().any(char::is_alphabetic);
    let name = cells.split('|').map(str::trim).find(has_words).map(|cell| cut(cell, MAX_LABEL_CHARS));
    let own = quantity::label(own);
    match name {
        Some(name) if own.is_empty() => name,
        Some(name) => format!("{name}, {own}"),
        None => own.to_owned(),
    }
}

/// Sentence for an element that replaced another element.
fn replaced(removed: &Operation, added: &Operation) -> Option<String> {
    if removed.kind != added.kind || (removed.op, added.op) != (Op::Removed, Op::Added) {
        return match (removed.op, added.op) {
            (Op::Added, Op::Removed) if removed.kind == added.kind => replaced(added, removed),
            _ => None,
        };
    }
    let name = |operation: &Operation| match operation.kind {
        Kind::Url => operation.link.clone(),
        Kind::Item => operation.item.as_deref().map(quote),
        _ => operation.before.as_deref().or(operation.after.as_deref()).map(quote),
    };
    Some(format!("{} {} removed, {} added", capital(noun(removed.kind, 1)), name(removed)?, name(added)?))
}

/// Sentence for a list in which only the order changed.
fn reordered(comparison: &Comparison) -> Option<String> {
    let operations = &comparison.operations;
    let first = operations.first()?;
    if !operations.iter().all(|operation| operation.op == Op::Moved && operation.kind == first.kind) {
        return None;
    }
    let name = match first.kind {
        Kind::ListItem | Kind::Item | Kind::Value => "List",
        Kind::Row => "Table",
        _ => return None,
    };
    let context = first
        .section
        .as_ref()
        .filter(|_| operations.iter().all(|operation| operation.section == first.section));
    let context = context.map(|section| format!(" under {}", quote(section))).unwrap_or_default();
    Some(format!(
        "{name}{context} reordered: {} {} moved",
        comparison.modified,
        noun(first.kind, comparison.modified)
    ))
}

/// Counts by kind: `2 paragraphs added, 1 removed, 3 list items changed`.
fn counts(comparison: &Comparison) -> String {
    let mut groups: Vec<(Op, Kind, u32)> = Vec::new();
    for operation in &comparison.operations {
        match groups.iter_mut().find(|(op, kind, _)| *op == operation.op && *kind == operation.kind) {
            Some((_, _, count)) => *count += 1,
            None => groups.push((operation.op, operation.kind, 1)),
        }
    }
    let order =
        |op: Op| [Op::Added, Op::Removed, Op::Changed, Op::Moved].iter().position(|&known| known == op);
    groups.sort_by_key(|&(op, _, count)| (order(op), std::cmp::Reverse(count)));
    let mut last = None;
    let mut parts: Vec<String> = Vec::new();
    for (op, kind, count) in groups {
        // The noun is not repeated.
        let noun = if last == Some(kind) { String::new() } else { format!(" {}", noun(kind, count)) };
        last = Some(kind);
        let word = if kind == Kind::Url && op == Op::Changed { "updated" } else { op.as_str() };
        parts.push(format!("{count}{noun} {word}"));
    }
    if comparison.omitted > 0 {
        parts.push(format!("and {} more changes", comparison.omitted));
    }
    parts.join(", ")
}

fn same_item(operations: &[Operation]) -> Option<String> {
    let first = operations.first()?.item.as_deref()?;
    operations.iter().all(|operation| operation.item.as_deref() == Some(first)).then(|| quote(first))
}

fn noun(kind: Kind, count: u32) -> &'static str {
    match (kind, count == 1) {
        (Kind::Paragraph, true) => "paragraph",
        (Kind::Paragraph, false) => "paragraphs",
        (Kind::Heading, true) => "heading",
        (Kind::Heading, false) => "headings",
        (Kind::ListItem, true) => "list item",
        (Kind::ListItem, false) => "list items",
        (Kind::Row, true) => "table row",
        (Kind::Row, false) => "table rows",
        (Kind::Code, true) => "line of code",
        (Kind::Code, false) => "lines of code",
        (Kind::Figure, true) => "image",
        (Kind::Figure, false) => "images",
        (Kind::Value | Kind::Field, true) => "value",
        (Kind::Value | Kind::Field, false) => "values",
        (Kind::Url, true) | (Kind::Whole, _) => "page",
        (Kind::Url, false) => "pages",
        (Kind::Item, true) => "item",
        (Kind::Item, false) => "items",
    }
}

fn quote(text: &str) -> String {
    format!("“{}”", cut(text, QUOTE_CHARS))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

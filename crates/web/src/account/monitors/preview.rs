//! Preview of the content that a monitor would watch, displayed in the form before the monitor is created.

use extract::watch::{
    FilterStep, KnownSource, Snapshot, Suggestion, SuggestionKind, Target, UnwatchedReason,
};
use maud::{Markup, html};
use monitors::{Preview, TargetType};

use super::input::value_lines;
use super::steps::preview_frame;
use super::words;
use crate::monitor_link::{list_fields, new_monitor_link};

/// Maximum number of blocks, addresses, or items that the preview displays.
const MAX_ROWS: usize = 30;

/// Condition that is true if a product is available.
const BACK_IN_STOCK: &str = "availability contains in stock";

/// Renders the preview section of the form.
pub(super) fn preview_section(preview: &Preview, address: &str) -> Markup {
    let content = html! {
        p.soft { "Found just now" @if let Some(title) = &preview.title { " on “" (title) "”" } ": " (count(preview)) ". No credits were used." }
        @for warning in &preview.warnings { p { strong { (words::warning(warning)) } } }
        @for reading in preview.readings.iter().take(MAX_ROWS) {
            @if let Some(number) = &reading.number {
                p { "The number to compare" @if let Some(item) = &reading.item { " of " (item) } ": " strong { (number) @if let Some(currency) = &reading.currency { " " (currency) } } }
            }
        }
        @if let Some(triggered) = preview.triggered {
            p { @if triggered { "The condition is already met. It is reported the next time it becomes true." } @else { "The condition is not met right now." } }
        }
        @match &preview.snapshot {
            Some(Snapshot::Blocks(blocks)) => { ol.found { @for (anchor, block) in (1..).zip(blocks).take(MAX_ROWS) {
                li { (block.text) @if let Some(why) = unwatched(preview, anchor) { " " span.soft { "(" (why) ")" } } }
            } } },
            Some(Snapshot::Urls(urls)) => { ol.found { @for entry in urls.iter().take(MAX_ROWS) { li { (entry.url) } } } },
            Some(Snapshot::Items(items)) => { ol.found { @for item in items.iter().take(MAX_ROWS) {
                li { @for field in &item.fields { strong { (field.name) } ": " (field.value.as_deref().unwrap_or("nothing")) " " } }
            } } },
            None => {},
        }
        (steps(&preview.steps))
        (suggestions(preview, address))
        @if preview.total > MAX_ROWS { p.soft.small { "Only the first " (MAX_ROWS) " are shown." } }
    };
    preview_frame("What will be watched", &content)
}

/// Renders the lines that each filter returns.
fn steps(steps: &[FilterStep]) -> Markup {
    html! {
        @for (number, step) in (1..).zip(steps) {
            details { summary { "After filter " (number) ": " (step.total) @if step.total == 1 { " line" } @else { " lines" } }
                ol.found { @for line in &step.lines { li { (line) } } }
            }
        }
    }
}

/// Returns the reason why a block is not watched. `None` if it is watched.
fn unwatched(preview: &Preview, anchor: u32) -> Option<&'static str> {
    let block = preview.unwatched.iter().find(|block| block.anchor == anchor)?;
    Some(match block.reason {
        UnwatchedReason::Margin => {
            "not watched: outside the main text; a selector or a text to wait for includes it"
        }
        UnwatchedReason::Clock => "not watched: looks like a clock or date of the page",
        UnwatchedReason::Part => "its times and counters are not watched",
        UnwatchedReason::Ignored => "ignored by your rule",
        UnwatchedReason::Learned => "not watched: it changes at every check",
    })
}

/// Renders suggestions to watch other parts of the page. Each is a link that fills in the form.
fn suggestions(preview: &Preview, address: &str) -> Markup {
    html! {
        @if !preview.suggestions.is_empty() {
            h3 { "Or watch only" }
            ul { @for one in &preview.suggestions { @for (words, fields) in presets(one) {
                @let address = one.source.as_ref().map_or(address, |source| source.url.as_str());
                li { a href=(new_monitor_link(address, &fields)) { (words) } " " span.soft { "“" (one.text) "”" } }
            } } }
        }
    }
}

/// Returns the presets for a suggestion: a label, and the form fields to fill in.
fn presets(one: &Suggestion) -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let value = |name: &str| {
        vec![("targetType", "extract".to_owned()), ("fields", format!("{name} = {}", one.selector))]
    };
    match one.kind {
        SuggestionKind::Source => {
            one.source.iter().map(|source| ("A better address", source_fields(source))).collect()
        }
        SuggestionKind::Product => {
            let product = || vec![("targetType", "product".to_owned())];
            let with = |pairs: [(&'static str, &str); 2]| {
                product().into_iter().chain(pairs.map(|(name, value)| (name, value.to_owned()))).collect()
            };
            vec![
                ("This product: any change", product()),
                (
                    "This product: the price falls",
                    with([("trigger", "condition"), ("conditions", "price falls")]),
                ),
                ("Back in stock", with([("trigger", "condition"), ("conditions", BACK_IN_STOCK)])),
            ]
        }
        SuggestionKind::Price => {
            let mut falls = value("price");
            if let Some(number) = &one.number {
                falls.extend([("trigger", "below".to_owned()), ("value", number.clone())]);
            }
            vec![("The price falls", falls), ("The price changes", value("price"))]
        }
        SuggestionKind::Stock => vec![("In stock, or sold out", value("stock"))],
        SuggestionKind::List => vec![("New items in this list", list_fields(&one.selector))],
        SuggestionKind::Part => vec![("This text changes", vec![("selector", one.selector.clone())])],
    }
}

/// Returns the form fields for a suggested address.
fn source_fields(source: &KnownSource) -> Vec<(&'static str, String)> {
    let mut filled = vec![("targetType", TargetType::of(&source.target).as_str().to_owned())];
    if let Target::Extract { items, fields } = &source.target {
        filled.extend(items.clone().map(|items| ("items", items)));
        filled.push(("fields", value_lines(fields)));
    }
    filled
}

fn count(preview: &Preview) -> String {
    let (one, many) = match &preview.snapshot {
        Some(Snapshot::Blocks(_)) => ("1 line of text", "lines of text"),
        Some(Snapshot::Urls(_)) => ("1 address", "addresses"),
        Some(Snapshot::Items(_)) => ("1 item", "items"),
        None => return "nothing".to_owned(),
    };
    if preview.total == 1 { one.to_owned() } else { format!("{} {many}", preview.total) }
}

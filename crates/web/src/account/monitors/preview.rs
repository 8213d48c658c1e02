//! Preview of the content that a monitor would watch, displayed in the form before the monitor is created.

use extract::watch::{
    FilterStep, KnownSource, Snapshot, Suggestion, SuggestionKind, Target, UnwatchedReason,
};
use maud::{Markup, html};
use monitors::{Preview, TargetType};

use super::input::{MonitorInput, value_lines};
use super::steps::preview_frame;
use super::words;
use crate::language::text::Text;
use crate::monitor_link::{list_fields, new_monitor_link};

/// Maximum number of blocks, addresses, or items that the preview displays.
const MAX_ROWS: usize = 30;

/// Condition that is true if a product is in stock.
const BACK_IN_STOCK: &str = "availability contains in stock";

/// Renders the preview section of the form. Its suggestions retain the name of the monitor.
pub(super) fn preview_section(preview: &Preview, input: &MonitorInput) -> Markup {
    let content = html! {
        p.soft { (summary(preview)) }
        @for warning in &preview.warnings { p { strong { (words::warning(warning)) } } }
        @for reading in preview.readings.iter().take(MAX_ROWS) {
            @if let Some(number) = &reading.number {
                @let number = html! { strong { (number) @if let Some(currency) = &reading.currency { " " (currency) } } };
                p {
                    @if let Some(item) = &reading.item { (Text("preview-number-of").with("item", item.as_str()).markup(&[("number", number)])) }
                    @else { (Text("preview-number").markup(&[("number", number)])) }
                }
            }
        }
        @if let Some(triggered) = preview.triggered {
            p { @if triggered { (met_now(input)) } @else { (Text("preview-not-met")) } }
        }
        @match &preview.snapshot {
            Some(Snapshot::Blocks(blocks)) => { ol.found { @for (anchor, block) in (1..).zip(blocks).take(MAX_ROWS) {
                li { (block.text) @if let Some(why) = unwatched(preview, anchor) { " " span.soft { "(" (why) ")" } } }
            } } },
            Some(Snapshot::Urls(urls)) => { ol.found { @for entry in urls.iter().take(MAX_ROWS) { li { (entry.url) } } } },
            Some(Snapshot::Items(items)) => { ol.found { @for item in items.iter().take(MAX_ROWS) {
                li { @for field in &item.fields { strong { (field.name) } ": " @match &field.value { Some(value) => { (value) }, None => { (Text("preview-nothing")) } } " " } }
            } } },
            None => {},
        }
        (steps(&preview.steps))
        (suggestions(preview, &input.url, &input.name))
        @if preview.total > MAX_ROWS { p.soft.small { (Text("preview-only-first").with("count", MAX_ROWS)) } }
    };
    preview_frame(&Text("preview-heading").get(), &content)
}

/// Explains when a condition that is already true in the preview is reported.
fn met_now(input: &MonitorInput) -> String {
    if input.repeat_hours.is_empty() {
        return Text("preview-met").get();
    }
    Text("preview-met-repeat").with("field", Text("monitor-repeat-after").get()).get()
}

/// Renders the lines that each filter returns.
fn steps(steps: &[FilterStep]) -> Markup {
    html! {
        @for (number, step) in (1..).zip(steps) {
            details { summary { (Text("preview-filter").with("number", number).with("count", step.total)) }
                ol.found { @for line in &step.lines { li { (line) } } }
            }
        }
    }
}

/// Returns the reason why a block is not watched. `None` if it is watched.
fn unwatched(preview: &Preview, anchor: u32) -> Option<Text> {
    let block = preview.unwatched.iter().find(|block| block.anchor == anchor)?;
    Some(match block.reason {
        UnwatchedReason::Margin => Text("unwatched-margin"),
        UnwatchedReason::Clock => Text("unwatched-clock"),
        UnwatchedReason::Part => Text("unwatched-part"),
        UnwatchedReason::Ignored => Text("unwatched-ignored"),
        UnwatchedReason::Learned => Text("unwatched-learned"),
    })
}

/// Renders suggestions to watch other parts of the page. Each is a link that fills in the form.
fn suggestions(preview: &Preview, address: &str, name: &str) -> Markup {
    html! {
        @if !preview.suggestions.is_empty() {
            h3 { (Text("preview-or-only")) }
            ul { @for one in &preview.suggestions { @for (words, fields) in presets(one) {
                @let address = one.source.as_ref().map_or(address, |source| source.url.as_str());
                @let fields = with_name(fields, name);
                li { a href=(new_monitor_link(address, &fields)) { (words) } " " span.soft { "“" (one.text) "”" } }
            } } }
        }
    }
}

/// Adds the name of the monitor to the form fields, if it has one.
fn with_name(mut fields: Vec<(&'static str, String)>, name: &str) -> Vec<(&'static str, String)> {
    if !name.is_empty() {
        fields.push(("name", name.to_owned()));
    }
    fields
}

/// Returns the presets for a suggestion: a label, and the form fields to fill in.
fn presets(one: &Suggestion) -> Vec<(Text, Vec<(&'static str, String)>)> {
    let value = |name: &str| {
        vec![("targetType", "extract".to_owned()), ("fields", format!("{name} = {}", one.selector))]
    };
    match one.kind {
        SuggestionKind::Source => {
            one.source.iter().map(|source| (Text("preset-address"), source_fields(source))).collect()
        }
        SuggestionKind::Product => {
            let product = || vec![("targetType", "product".to_owned())];
            let with = |pairs: [(&'static str, &str); 2]| {
                product().into_iter().chain(pairs.map(|(name, value)| (name, value.to_owned()))).collect()
            };
            vec![
                (Text("preset-product"), product()),
                (
                    Text("preset-product-price"),
                    with([("trigger", "condition"), ("conditions", "price falls")]),
                ),
                (Text("preset-in-stock"), with([("trigger", "condition"), ("conditions", BACK_IN_STOCK)])),
            ]
        }
        SuggestionKind::Price => {
            let mut falls = value("price");
            if let Some(number) = &one.number {
                falls.extend([("trigger", "below".to_owned()), ("value", number.clone())]);
            }
            vec![(Text("preset-price-falls"), falls), (Text("preset-price-changes"), value("price"))]
        }
        SuggestionKind::Stock => vec![(Text("preset-stock"), value("stock"))],
        SuggestionKind::List => vec![(Text("preset-list"), list_fields(&one.selector))],
        SuggestionKind::Part => vec![(Text("preset-part"), vec![("selector", one.selector.clone())])],
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

/// Describes the content of the preview, and which page it shows.
fn summary(preview: &Preview) -> String {
    let amount = match &preview.snapshot {
        Some(Snapshot::Blocks(_)) => Text("preview-lines").with("count", preview.total).get(),
        Some(Snapshot::Urls(_)) => Text("preview-addresses").with("count", preview.total).get(),
        Some(Snapshot::Items(_)) => Text("preview-items").with("count", preview.total).get(),
        None => Text("preview-nothing").get(),
    };
    match &preview.title {
        Some(title) => Text("preview-of-page").with("title", title.as_str()).with("amount", amount).get(),
        None => Text("preview-of-address").with("amount", amount).get(),
    }
}

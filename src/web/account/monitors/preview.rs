//! What a monitor would watch, as the form shows it before there is a monitor.

use domain::monitors::Preview;
use extract::watch::Snapshot;
use maud::{Markup, html};

use super::words;

/// Blocks, addresses or items of a preview on the page.
const MAX_SHOWN: usize = 30;

/// The section of the form.
pub(super) fn preview_section(preview: &Preview) -> Markup {
    html! {
        section.notice #preview aria-labelledby="preview-head" {
            h2 #preview-head { "This would be watched" }
            p.soft { "Found just now" @if let Some(title) = &preview.title { " on “" (title) "”" } ": " (count(preview)) ". No credit was spent." }
            @for warning in &preview.warnings { p { strong { (words::warning(warning)) } } }
            @for reading in preview.readings.iter().take(MAX_SHOWN) {
                @if let Some(number) = &reading.number {
                    p { "The number that counts" @if let Some(item) = &reading.item { " of " (item) } ": " strong { (number) @if let Some(currency) = &reading.currency { " " (currency) } } }
                }
            }
            @if let Some(triggered) = preview.triggered {
                p { @if triggered { "What you wait for holds already: it is reported the next time that it comes true." } @else { "What you wait for does not hold now." } }
            }
            @match &preview.found {
                Some(Snapshot::Blocks(blocks)) => { ol.found { @for block in blocks.iter().take(MAX_SHOWN) { li { (block.text) } } } },
                Some(Snapshot::Urls(urls)) => { ol.found { @for entry in urls.iter().take(MAX_SHOWN) { li { (entry.url) } } } },
                Some(Snapshot::Items(items)) => { ol.found { @for item in items.iter().take(MAX_SHOWN) {
                    li { @for field in &item.fields { strong { (field.name) } ": " (field.value.as_deref().unwrap_or("nothing")) " " } }
                } } },
                None => {},
            }
            @if preview.total > MAX_SHOWN { p.soft.small { "The first " (MAX_SHOWN) " are shown." } }
        }
    }
}

fn count(preview: &Preview) -> String {
    let (one, many) = match &preview.found {
        Some(Snapshot::Blocks(_)) => ("1 line of text", "lines of text"),
        Some(Snapshot::Urls(_)) => ("1 address", "addresses"),
        Some(Snapshot::Items(_)) => ("1 item", "items"),
        None => return "nothing".to_owned(),
    };
    if preview.total == 1 { one.to_owned() } else { format!("{} {many}", preview.total) }
}

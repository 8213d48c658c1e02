//! Sentences of the code as pages show them, and what is told of texts: how long they are, and which way they run.

use maud::{Markup, html};

/// Text in which backticks mark what is code.
pub(super) fn prose(text: &str) -> Markup {
    html! { @for (place, part) in text.split('`').enumerate() {
        @if place % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

/// How long a text takes to read.
pub(super) fn minutes(tokens: u32) -> String {
    match tokens / 300 {
        0 => "under a minute".to_owned(),
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// The direction of a language's letters, as `dir` has it.
pub(super) fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    if matches!(primary, "ar" | "he" | "iw" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb") {
        "rtl"
    } else {
        "auto"
    }
}

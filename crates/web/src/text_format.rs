//! Formatting of texts on pages: inline code, reading time, and text direction.

use maud::{Markup, html};

/// Renders text in which backticks mark code.
pub(super) fn prose(text: &str) -> Markup {
    html! { @for (index, part) in text.split('`').enumerate() {
        @if index % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

/// Reading time of a text.
pub(super) fn minutes(whole: u32) -> String {
    match whole {
        0 => "under a minute".to_owned(),
        1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

/// Direction of a language, as a value of `dir`.
pub(super) fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    if matches!(primary, "ar" | "he" | "iw" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb") {
        "rtl"
    } else {
        "auto"
    }
}

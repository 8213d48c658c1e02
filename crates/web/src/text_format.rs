//! Formatting of texts on pages: inline code, durations, and text direction.

use maud::{Markup, html};

use super::language::text::Text;

/// Renders text in which backticks delimit code.
pub(super) fn prose(text: &str) -> Markup {
    html! { @for (index, part) in text.split('`').enumerate() {
        @if index % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

/// Formats a reading time.
pub(super) fn minutes(whole: u32) -> String {
    Text("reading-minutes").with("count", whole).get()
}

/// Formats a duration or a position in a recording: `1:02:03` or `2:03`.
pub(super) fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Returns the direction of a language, as a value of the `dir` attribute.
pub(super) fn direction(language: &str) -> &'static str {
    let primary = language.split('-').next().unwrap_or_default();
    if matches!(primary, "ar" | "he" | "iw" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb") {
        "rtl"
    } else {
        "auto"
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn clock_omits_hours_if_there_are_none() {
        for (seconds, text) in [(0, "0:00"), (61, "1:01"), (754, "12:34"), (3_723, "1:02:03")] {
            assert_eq!(clock(seconds), text);
        }
    }
}

//! Form fields for highlights and notes. Their maximum lengths are those of the API.

use library::HighlightColor;
use maud::{Markup, Render, html};

pub(super) use crate::form_input::{require_length, tags_of};
use crate::language::text::Text;
use crate::page::form::FormError;

/// Highlight colours and their names.
pub(super) const COLORS: [(HighlightColor, Text); 5] = [
    (HighlightColor::Yellow, Text("highlight-yellow")),
    (HighlightColor::Green, Text("highlight-green")),
    (HighlightColor::Blue, Text("highlight-blue")),
    (HighlightColor::Red, Text("highlight-red")),
    (HighlightColor::Purple, Text("highlight-purple")),
];

/// Renders a field for several lines of text.
pub(super) fn words_field(
    name: &str,
    label: &(impl Render + ?Sized),
    value: &str,
    rows: u8,
    form_error: &FormError,
) -> Markup {
    let wrong = form_error.at(name);
    html! {
        div {
            label for=(name) { (label) }
            textarea.words id=(name) name=(name) rows=(rows) aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| format!("{name}-error"))] { (value) }
            (form_error.on_group(name))
        }
    }
}

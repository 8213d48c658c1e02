//! Form fields for highlights, their reviews, and notes. Their maximum lengths are those of the API.

use kernel::bounds::REVIEWS_PER_DAY;
use library::HighlightColor;
use maud::{Markup, Render, html};

pub(super) use crate::form_input::{require_length, tags_of};
use crate::language::text::Text;
use crate::page::form::FormError;

/// Name of the field for a number of highlights per day.
pub(super) const PER_DAY: &str = "highlightsPerDay";

/// Highlight colours and their names.
const COLORS: [(HighlightColor, Text); 5] = [
    (HighlightColor::Yellow, Text("highlight-yellow")),
    (HighlightColor::Green, Text("highlight-green")),
    (HighlightColor::Blue, Text("highlight-blue")),
    (HighlightColor::Red, Text("highlight-red")),
    (HighlightColor::Purple, Text("highlight-purple")),
];

/// Renders a multi-line text field.
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

/// Renders the selection of the colour of a highlight.
pub(super) fn color_field(chosen: HighlightColor) -> Markup {
    html! {
        select name="color" aria-label=(Text("highlight-colour")) {
            @for (color, name) in COLORS { option value=(color) selected[color == chosen] { (name) } }
        }
    }
}

/// Renders the field for a number of highlights per day, without its error.
pub(super) fn per_day_input(value: &str, form_error: &FormError) -> Markup {
    let wrong = form_error.at(PER_DAY);
    html! {
        label for=(PER_DAY) { (Text("review-per-day")) }
        input id=(PER_DAY) type="number" name=(PER_DAY) min="1" max=(REVIEWS_PER_DAY) value=(value) required
            aria-invalid=[wrong.map(|_| "true")] aria-describedby=[wrong.map(|_| format!("{PER_DAY}-error"))];
    }
}

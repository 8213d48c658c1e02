//! Sentences of the code as pages show them.

use maud::{Markup, html};

/// Text in which backticks mark what is code.
pub(super) fn prose(text: &str) -> Markup {
    html! { @for (place, part) in text.split('`').enumerate() {
        @if place % 2 == 1 { code { (part) } } @else { (part) }
    } }
}

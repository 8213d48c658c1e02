//! What pages of imports have in common, whatever is taken in.

use kernel::Code;
use library::transfer::Import;
use maud::{Markup, html};

use http_kit::problem::ErrorGroup;

/// How far an import is: `done` of what the file holds; nothing before that is known.
pub(super) fn bar(import: &Import, done: i64, label: &str) -> Markup {
    html! { @if let Some(total) = import.total {
        progress max=(total.max(1)) value=(done.min(total)) aria-label=(label) {}
    } }
}

/// Why an import failed of which nothing more is to be said, as a sentence.
pub(super) fn usual_reason(error_code: Option<&str>) -> String {
    let code = error_code.and_then(|word| word.parse::<Code>().ok());
    let title = code.map(|code| ErrorGroup::Developer.entry(code).0.title);
    format!("{}.", title.unwrap_or("It could not be carried out"))
}

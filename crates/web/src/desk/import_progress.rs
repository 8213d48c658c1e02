//! Code shared by the pages of all imports: the progress bar and common errors.

use kernel::Code;
use library::transfer::Import;
use maud::{Markup, html};

use crate::language::text::Text;
use crate::page::error_text::reason_sentence;

/// Renders the progress bar: `done` rows of the file. Empty until the number of rows is known.
pub(super) fn bar(import: &Import, done: i64, label: Text) -> Markup {
    html! { @if let Some(total) = import.total {
        progress max=(total.max(1)) value=(done.min(total)) aria-label=(label) {}
    } }
}

/// Returns true if the person stopped the import.
pub(super) fn is_stopped(import: &Import) -> bool {
    import.error_code.as_deref() == Some("cancelled")
}

/// Describes an import error that has no specific text.
pub(super) fn usual_reason(error_code: Option<&str>) -> Markup {
    let code = error_code.and_then(|word| word.parse::<Code>().ok());
    html! { @match code {
        Some(code) => { (reason_sentence(code)) },
        None => { (Text("import-incomplete")) },
    } }
}

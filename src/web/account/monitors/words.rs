//! What went wrong with a monitor, in sentences: the codes of runs are for programs.

use domain::Code;

use crate::problem::ErrorGroup;

/// The sentence of a run's code.
pub(super) fn failure(code: &str) -> &'static str {
    match code.parse::<Code>() {
        Ok(Code::SelectorNotFound) => "What is watched is not on the page",
        Ok(Code::InvalidRequest) => "The monitor cannot be used as it is",
        Ok(code) => ErrorGroup::Developer.entry(code).0.title,
        Err(_) => "The page could not be looked at",
    }
}

/// The sentence of a preview's warning.
pub(super) fn warning(word: &str) -> &'static str {
    match word {
        "selector_not_found" => {
            "The selector finds nothing on this page. Check it, or leave it empty to watch the main text."
        }
        "truncated_source" => "There is more than can be kept; the rest is not watched.",
        "javascript_required" => "The page says next to nothing without scripts, which are not run.",
        "repeated_keys" => "Some items have the same key and are told apart by their order.",
        "field_missing" => "Some items lack one of the fields.",
        "ignore_found_nothing" => "One of the selectors to ignore finds nothing.",
        "patterns_leave_nothing" => "The patterns leave no address.",
        _ => "Not everything could be looked at.",
    }
}

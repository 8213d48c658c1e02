//! What monitors are told in: sentences for the codes of runs, for warnings, for intervals and for what is
//! wrong with a field. Codes and field names are for programs.

use extract::watch::TriggerKind;
use kernel::{Class, Code, Error};

use super::super::form::FormError;
use http_kit::problem::ErrorGroup;

/// The kinds of triggers: for the rules, for the form, for people.
const TRIGGERS: [(TriggerKind, &str, &str); 8] = [
    (TriggerKind::Any, "any", "anything changes"),
    (TriggerKind::TextAppears, "text_appears", "a text appears"),
    (TriggerKind::TextDisappears, "text_disappears", "a text disappears"),
    (TriggerKind::Above, "above", "a number rises above"),
    (TriggerKind::Below, "below", "a number falls below"),
    (TriggerKind::Share, "share", "at least this percentage changes"),
    (TriggerKind::Added, "added", "something is added"),
    (TriggerKind::Removed, "removed", "something is removed"),
];

/// The words of all kinds of triggers: for the form, for people.
pub(super) fn triggers() -> impl Iterator<Item = (&'static str, &'static str)> {
    TRIGGERS.into_iter().map(|(_, word, label)| (word, label))
}

/// The words of a kind of trigger: for the form, for people.
pub(super) fn trigger(kind: TriggerKind) -> (&'static str, &'static str) {
    let found = TRIGGERS.into_iter().find(|(known, ..)| *known == kind);
    found.map_or(("any", "anything changes"), |(_, word, label)| (word, label))
}

/// What to fill in for a kind of trigger that needs a value; nothing for one that needs none.
pub(super) fn missing_value(trigger: &str) -> Option<&'static str> {
    match trigger {
        "text_appears" | "text_disappears" => Some("Enter the text to wait for."),
        "above" | "below" => Some("Enter the number to wait for, such as 80."),
        "share" => Some("Enter a percentage, such as 10."),
        _ => None,
    }
}

/// An interval as a person says it: `every 6 hours`.
pub(super) fn every(minutes: u32) -> String {
    match minutes {
        1 => "every minute".to_owned(),
        60 => "every hour".to_owned(),
        1440 => "every day".to_owned(),
        10_080 => "every week".to_owned(),
        minutes if minutes % 1440 == 0 => format!("every {} days", minutes / 1440),
        minutes if minutes % 60 == 0 => format!("every {} hours", minutes / 60),
        minutes => format!("every {minutes} minutes"),
    }
}

/// The sentence of a run's code.
pub(super) fn failure(code: Code) -> &'static str {
    match code {
        Code::SelectorNotFound => "What is watched is not on the page",
        Code::InvalidRequest => "The monitor cannot be used as it is",
        code => ErrorGroup::Developer.entry(code).0.title,
    }
}

/// The sentence of a warning, of a preview or of a run.
pub(super) fn warning(word: &str) -> &'static str {
    match word {
        "selector_not_found" => {
            "The selector finds nothing on this page. Check it, or leave it empty to watch the main text."
        }
        "truncated_source" => "There is more than can be kept; the rest is not watched.",
        "parts_not_watched" => {
            "Only a part of the sitemap is watched: the first 50 that it names, and none that those name in their turn."
        }
        "javascript_required" => "The page says next to nothing without scripts, which are not run.",
        "repeated_keys" => "Some items have the same key and are told apart by their order.",
        "field_missing" => "Some items lack one of the fields.",
        "ignore_found_nothing" => "One of the selectors to ignore finds nothing.",
        "patterns_leave_nothing" => "The patterns leave no address.",
        "suspect_text" => {
            "What came looks like a robot check, a consent wall or an error; runs that see it are not judged."
        }
        "incomplete_source" => "A part of the source is missing; runs that see it so are not judged.",
        "several_numbers" => "There are several numbers in a value; the first amount of money counts.",
        "no_number" => "There is no number that the limit could be compared with.",
        "items_without_key" => {
            "Nothing tells the items apart but what they say. Mark a value as the key with a star."
        }
        "monthly_credits_exceeded" => {
            "At this pace your monitors cost more credits in a month than your plan gives; then they wait for the next."
        }
        _ => "Not everything could be looked at.",
    }
}

/// What is wrong, at the field where it was filled in, in words. A source that fails is an error of its address.
///
/// # Errors
/// An error that is none of the form's.
pub(super) fn form_error(error: Error, least_minutes: u32) -> Result<FormError, Error> {
    match error.class() {
        Class::Unreadable | Class::Upstream => Ok(FormError::at_field("targetUrl", error.message)),
        Class::Invalid => {
            let Some(field) = error.field() else { return Ok(FormError::at_field("", error.message)) };
            let pointer = field.path.pointer(str::to_owned);
            let (input, label) = match pointer.as_str() {
                "/trigger/field" => ("triggerField", "Name of the value"),
                _ => input(field.path.root()),
            };
            let message = match (error.code, input) {
                (Code::IntervalTooShort, _) => {
                    format!("Your plan checks a page {} at most.", every(least_minutes))
                }
                // Whole sentences already.
                (_, "targetUrl") => error.message,
                _ if field.reason.ends_with('.') => field.reason.clone(),
                _ => format!("{label}: {}.", field.reason),
            };
            Ok(FormError::at_field(input, message))
        }
        Class::NotFound
        | Class::Unauthenticated
        | Class::Forbidden
        | Class::Conflict
        | Class::Gone
        | Class::Limited
        | Class::Unavailable
        | Class::Internal => FormError::of(error),
    }
}

/// The field of the form in which a monitor's field is filled in, and what it is called there.
fn input(field: Option<&str>) -> (&'static str, &'static str) {
    match field {
        None | Some("target_url") => ("targetUrl", "Page address"),
        Some("target_type") => ("targetType", "Type"),
        Some("interval_minutes") => ("intervalMinutes", "Check"),
        Some("selector") => ("selector", "Selector"),
        Some("include") => ("include", "Include addresses matching"),
        Some("exclude") => ("exclude", "Exclude addresses matching"),
        Some("items") => ("items", "Repeated element"),
        Some("fields") => ("fields", "Values"),
        Some("ignore") => ("ignore", "Ignore changes containing"),
        Some("trigger") => ("value", "Text or number"),
        Some("tags") => ("tags", "Tags"),
        Some(_) => ("name", "Name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_told_as_people_say_them() {
        let told = [15, 60, 360, 1440, 2880, 10_080, 43_200].map(every);
        let expected = [
            "every 15 minutes",
            "every hour",
            "every 6 hours",
            "every day",
            "every 2 days",
            "every week",
            "every 30 days",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn what_is_wrong_is_told_by_the_name_that_the_form_gives_a_field() {
        let error =
            Error::new(Code::InvalidRequest, "The monitor cannot be made: /fields/0/name: is missing.")
                .at("fields", "is missing");
        let told = form_error(error, 1440).unwrap();
        assert_eq!(told.at("fields"), Some("Values: is missing."));
        let error = Error::new(Code::IntervalTooShort, "x").at("interval_minutes", "less than 1440");
        assert_eq!(
            form_error(error, 1440).unwrap().at("intervalMinutes"),
            Some("Your plan checks a page every day at most.")
        );
    }
}

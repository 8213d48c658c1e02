//! Texts about monitors: error codes of runs, warnings, intervals, and field errors. Pages display these
//! texts instead of codes and field names.

use extract::watch::TriggerKind;
use kernel::{Class, Code, Error};
use maud::{Markup, Render};
use monitors::Decision;
use notices::{ChangeNotice, HoldReason, NoticeState};

use crate::language::text::Text;
use crate::page::error_text::reason;
use crate::page::form::FormError;

/// Trigger kinds: domain value, form value, and label.
const TRIGGERS: [(TriggerKind, &str, Text); 9] = [
    (TriggerKind::Any, "any", Text("trigger-any")),
    (TriggerKind::TextAppears, "text_appears", Text("trigger-text-appears")),
    (TriggerKind::TextDisappears, "text_disappears", Text("trigger-text-disappears")),
    (TriggerKind::Above, "above", Text("trigger-above")),
    (TriggerKind::Below, "below", Text("trigger-below")),
    (TriggerKind::Share, "share", Text("trigger-share")),
    (TriggerKind::Added, "added", Text("trigger-added")),
    (TriggerKind::Removed, "removed", Text("trigger-removed")),
    (TriggerKind::Condition, "condition", Text("trigger-condition")),
];

/// Returns the form values and labels of all trigger kinds.
pub(super) fn triggers() -> impl Iterator<Item = (&'static str, Text)> {
    TRIGGERS.into_iter().map(|(_, word, label)| (word, label))
}

/// Returns the form value and the label of a trigger kind.
pub(super) fn trigger(kind: TriggerKind) -> (&'static str, Text) {
    let entry = TRIGGERS.into_iter().find(|(known, ..)| *known == kind);
    entry.map_or(("any", Text("trigger-any")), |(_, word, label)| (word, label))
}

/// Returns the error text for a missing value of a trigger kind. `None` if the kind needs no value.
pub(super) fn missing_value(trigger: &str) -> Option<&'static str> {
    match trigger {
        "text_appears" | "text_disappears" => Some("Enter the text to wait for."),
        "above" | "below" => Some("Enter the number to wait for, such as 80."),
        "share" => Some("Enter a percentage, such as 10."),
        _ => None,
    }
}

/// Formats an interval: `every 6 hours`.
pub(super) fn every(minutes: u32) -> String {
    let (text, count) = match minutes {
        10_080 => return Text("every-week").get(),
        minutes if minutes % 1440 == 0 => (Text("every-days"), minutes / 1440),
        minutes if minutes % 60 == 0 => (Text("every-hours"), minutes / 60),
        minutes => (Text("every-minutes"), minutes),
    };
    text.with("count", count).get()
}

/// Describes the error code of a run.
pub(super) fn failure(code: Code) -> Markup {
    let text = match code {
        Code::SelectorNotFound => Text("failure-selector-none"),
        Code::SelectorFailed => Text("failure-selector"),
        Code::InvalidRequest => Text("failure-settings"),
        code => return reason(code),
    };
    text.render()
}

/// Describes the decision of a run.
pub(super) fn decision(decision: Decision) -> Text {
    match decision {
        Decision::FirstCheck => Text("decision-first"),
        Decision::SameSource => Text("decision-same-source"),
        Decision::NoDifference => Text("decision-same-content"),
        Decision::IgnoredDifference => Text("decision-ignored"),
        Decision::ConditionNotMet => Text("decision-not-met"),
        Decision::Alternating => Text("decision-alternating"),
        Decision::Unconfirmed => Text("decision-unconfirmed"),
        Decision::NotThePage => Text("decision-not-the-page"),
        Decision::Reported => Text("decision-reported"),
        Decision::ReportedWithoutChannel => Text("decision-feed-only"),
        Decision::JudgedIrrelevant => Text("decision-irrelevant"),
        Decision::Failed => Text("decision-failed"),
    }
}

/// Describes the state of a message to a channel.
pub(super) fn notice(notice: &ChangeNotice) -> Text {
    match (notice.state, notice.waits_for) {
        (NoticeState::Held, Some(HoldReason::Digest)) => Text("notice-digest"),
        (NoticeState::Held, Some(HoldReason::Several)) => Text("notice-several"),
        (NoticeState::Held, Some(HoldReason::Channel)) => Text("notice-channel"),
        (NoticeState::Held | NoticeState::Waiting, _) => Text("notice-waiting"),
        (NoticeState::Gathered, _) => Text("notice-sent-together"),
        (NoticeState::Sent, _) => Text("notice-sent"),
        (NoticeState::Failed, _) => Text("notice-failed"),
    }
}

/// Describes a warning of a preview or a run.
pub(super) fn warning(word: &str) -> String {
    if let Some(text) = rendering_warning(word) {
        return text;
    }
    let text = match word {
        "selector_not_found" => Text("warning-selector-none"),
        "truncated_source" => Text("warning-truncated"),
        "parts_not_watched" => Text("warning-parts"),
        "javascript_required" => Text("warning-scripts"),
        "rendering_cut" => Text("warning-rendering-cut"),
        "repeated_keys" => Text("warning-repeated-keys"),
        "field_missing" => Text("warning-field-missing"),
        "ignore_found_nothing" => Text("warning-ignore-none"),
        "patterns_leave_nothing" => Text("warning-patterns-none"),
        "suspect_text" => Text("warning-suspect"),
        "incomplete_source" => Text("warning-incomplete"),
        "several_numbers" => Text("warning-several-numbers"),
        "ambiguous_number" => Text("warning-ambiguous"),
        "no_number" => Text("warning-no-number"),
        "denied_text" => Text("warning-denied"),
        "items_without_key" => Text("warning-no-key"),
        "monthly_credits_exceeded" => Text("warning-credits"),
        _ => Text("warning-other"),
    };
    text.get()
}

/// Describes a warning about the rendering of a page, whose code names a platform or a step. `None` for other
/// warnings.
fn rendering_warning(code: &str) -> Option<String> {
    let (word, detail) = code.split_once(':')?;
    let text = match word {
        "cookie_notice_rejected" => Text("warning-cookie-notice-rejected").with("platform", detail),
        "cookie_notice_hidden" => Text("warning-cookie-notice-hidden").with("platform", detail),
        "step_skipped" => Text("warning-step-skipped").with("number", detail),
        "step_failed" => Text("warning-step-failed").with("number", detail),
        "list_cut" => Text("warning-list-cut").with("number", detail),
        _ => return None,
    };
    Some(text.get())
}

/// Returns true if a warning describes only the effect of a setting of the monitor, and no content is missing.
pub(super) fn is_expected(code: &str) -> bool {
    ["cookie_notice_rejected:", "cookie_notice_hidden:", "step_skipped:"]
        .iter()
        .any(|prefix| code.starts_with(prefix))
}

/// Maps a domain error to the form field that caused it. Errors of the source are displayed at the address field.
///
/// # Errors
/// Returns `error` if the form did not cause it.
pub(super) fn form_error(error: Error, least_minutes: u32) -> Result<FormError, Error> {
    match error.class() {
        _ if error.code == Code::RendererUnavailable => Ok(FormError::at_field_of("render", &error)),
        Class::Unreadable | Class::Upstream => Ok(FormError::at_field_of("targetUrl", &error)),
        Class::Invalid => {
            let Some(field) = error.field() else { return Ok(FormError::at_field_of("", &error)) };
            let pointer = field.path.pointer(str::to_owned);
            let (input, label) = match pointer.as_str() {
                "/trigger/field" => ("triggerField", "Value name"),
                pointer if pointer.starts_with("/request/user") => ("userAgent", "User agent"),
                "/request/proxy" => ("proxy", "Proxy"),
                pointer if pointer.starts_with("/request/post/content") => ("contentType", "Body media type"),
                pointer if pointer.starts_with("/request/post") => ("body", "Body"),
                pointer if pointer.starts_with("/request") => ("headers", "Headers"),
                pointer if pointer.starts_with("/schedule/") => schedule_input(pointer),
                "/credentials/basic/username" | "/credentials/header/name" => {
                    ("credentialName", "User name or header name")
                }
                pointer if pointer.starts_with("/credentials") => ("credentialSecret", "Credentials"),
                "/trigger/repeat_hours" => ("repeatHours", "Report again after"),
                condition if condition.starts_with("/trigger/condition") => ("conditions", "Conditions"),
                _ => input(field.path.root()),
            };
            let message = match (error.code, input) {
                (Code::IntervalTooShort, _) => {
                    format!("Your plan checks a page {} at most.", every(least_minutes))
                }
                // These texts are already complete sentences.
                (_, "targetUrl") => error.message.clone(),
                _ if field.reason.ends_with('.') => field.reason.clone(),
                _ => format!("{label}: {}.", field.reason),
            };
            Ok(FormError::at_field_of(input, &Error { message, ..error }))
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

/// Returns the form field and the label for a part of a schedule.
fn schedule_input(pointer: &str) -> (&'static str, &'static str) {
    let part = pointer.split('/').nth(2).unwrap_or_default();
    match part {
        "hours" => ("hoursFrom", "Only from"),
        "time_zone" | "timeZone" => ("timeZone", "Time zone"),
        "jitter_minutes" | "jitterMinutes" => ("jitterMinutes", "Random delay in minutes"),
        "mute_hours" | "muteHours" => ("muteFrom", "No messages from"),
        "paused_until" | "pausedUntil" => ("pausedUntil", "Not before"),
        _ => ("times", "At these times"),
    }
}

/// Returns the form field and the label for a field of a monitor.
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
        Some("filters") => ("filters", "Filters"),
        Some("trigger") => ("value", "Text or number"),
        Some("conditions") => ("conditions", "Conditions"),
        Some("render") => ("render", "Scripts"),
        Some("wait_for") => ("waitFor", "Wait for"),
        Some("steps") => ("steps", "Steps"),
        Some("dismiss_cookie_notices") => ("dismissCookieNotices", "Dismiss cookie notices"),
        Some("tags") => ("tags", "Tags"),
        Some("group_id") => ("groupId", "Group"),
        Some("explanation") => ("explanationWish", "Changes that matter to you"),
        Some("notify_failures") => ("notifyFailures", "Notify me after this many failures in a row"),
        Some(_) => ("name", "Name"),
    }
}

#[cfg(test)]
mod tests {
    use http_kit::page_language::{PageLanguages, with_sync};
    use kernel::Language;

    use super::*;

    #[test]
    fn intervals_are_described() {
        let rendered = [15, 60, 360, 1440, 2880, 10_080, 43_200].map(every);
        let expected = [
            "every 15 minutes", "every hour", "every 6 hours", "every day", "every 2 days", "every week",
            "every 30 days",
        ];
        assert_eq!(rendered, expected);
    }

    #[test]
    fn errors_with_a_translated_code_are_in_the_language_of_the_page() {
        let german = PageLanguages { shell: Language::German, content: Language::German };
        let missing = Error::new(Code::SourceNotFound, "There is no such page.");
        let short = Error::new(Code::IntervalTooShort, "x").at("interval_minutes", "less than 1440");
        for (error, field, expected) in [
            (missing, "targetUrl", "Die Quelle hat keine solche Seite."),
            (short, "intervalMinutes", "Das Intervall ist für deinen Tarif zu kurz."),
        ] {
            let errors = with_sync(german, || form_error(error, 1440)).unwrap();
            assert_eq!(errors.at(field), Some(expected));
        }
    }

    #[test]
    fn field_errors_use_the_labels_of_the_form() {
        let error =
            Error::new(Code::InvalidRequest, "The monitor cannot be made: /fields/0/name: is missing.")
                .at("fields", "is missing");
        let errors = form_error(error, 1440).unwrap();
        assert_eq!(errors.at("fields"), Some("Values: is missing."));
        let error = Error::new(Code::IntervalTooShort, "x").at("interval_minutes", "less than 1440");
        assert_eq!(
            form_error(error, 1440).unwrap().at("intervalMinutes"),
            Some("Your plan checks a page every day at most.")
        );
        for (pointer, input) in [
            ("/request/headers/0/name", "headers"),
            ("/request/user_agent", "userAgent"),
            ("/request/proxy", "proxy"),
            ("/request/post/content_type", "contentType"),
            ("/request/post/body", "body"),
            ("/credentials/basic/username", "credentialName"),
            ("/credentials/bearer", "credentialSecret"),
            ("/credentials", "credentialSecret"),
            ("/schedule/times/0", "times"),
            ("/schedule/time_zone", "timeZone"),
            ("/schedule/muteHours/from", "muteFrom"),
            ("/notify_failures", "notifyFailures"),
        ] {
            let path = kernel::FieldPath::of_pointer(pointer);
            let error = Error::new(Code::InvalidRequest, "x").at(path, "is wrong");
            assert!(form_error(error, 1440).unwrap().at(input).is_some(), "{pointer}");
        }
    }
}

//! Form of a monitor in three steps, for new and existing monitors: what to watch, when, and how its owner is
//! notified. The preview follows the first step. On wide screens it is to the right of the steps.

use maud::{Markup, html};
use monitors::TargetType;

use super::explanation_input::explanation_fields;
use super::fields::{
    address_field, follow_field, group_fields, interval_field, name_field, notify_field, part_fields,
    tags_field, trigger_fields,
};
use super::input::MonitorInput;
use super::rendering_input::rendering_fields;
use super::request_input::request_fields;
use super::schedule_input::{message_fields, schedule_fields};
use crate::language::text::Text;
use crate::page::form::FormError;

/// Values of the form, and the options of its fields.
pub(super) struct StepValues<'a> {
    pub(super) input: &'a MonitorInput,
    /// Types to choose from, or only the type of the existing monitor.
    pub(super) types: &'a [TargetType],
    /// Names of the proxies that the operator offers.
    pub(super) proxies: &'a [&'a str],
    /// Shortest interval that the plan allows, in minutes.
    pub(super) least_minutes: u32,
    /// True if the operator has configured a language model.
    pub(super) has_model: bool,
    pub(super) form_error: &'a FormError,
}

/// Parts of the form that differ between new and existing monitors.
pub(super) struct StepParts {
    /// Field that selects the type. Empty if the type is fixed.
    pub(super) kinds: Markup,
    /// Content at the end of the first step.
    pub(super) source_end: Markup,
    pub(super) preview: Markup,
    /// Beginning of the hint for the name.
    pub(super) name_hint: Option<Text>,
    /// Buttons below the last step.
    pub(super) buttons: Markup,
}

/// Renders the steps and the preview, for a form with the class `steps`.
pub(super) fn steps(values: &StepValues<'_>, parts: &StepParts) -> Markup {
    let StepValues { input, types, proxies, least_minutes, has_model, form_error } = *values;
    html! {
        section.step aria-labelledby="step-1" {
            h2 #step-1 { (Text("step-1")) }
            (address_field(input, form_error))
            (parts.kinds)
            (part_fields(input, types, form_error))
            (rendering_fields(&input.rendering, types, form_error))
            (request_fields(&input.request, proxies, form_error))
            (parts.source_end)
        }
        (parts.preview)
        section.step aria-labelledby="step-2" {
            h2 #step-2 { (Text("step-2")) }
            (trigger_fields(input, types, form_error))
            (interval_field(input, least_minutes, form_error))
            (schedule_fields(&input.schedule, form_error))
        }
        section.step aria-labelledby="step-3" {
            h2 #step-3 { (Text("step-3")) }
            (follow_field(input.follow))
            (notify_field(input))
            (message_fields(&input.schedule, form_error))
            (explanation_fields(&input.explanation, has_model, form_error))
            (group_fields(input, form_error))
            (tags_field(input, form_error))
            (name_field(input, parts.name_hint, form_error))
            div.row { (parts.buttons) }
        }
    }
}

/// Renders the preview section of the form. Buttons that request a preview scroll to its id.
pub(super) fn preview_frame(heading: &str, content: &Markup) -> Markup {
    html! {
        section.notice.preview #preview aria-labelledby="preview-head" tabindex="0" {
            h2 #preview-head { (heading) }
            (content)
        }
    }
}

/// Renders the preview section before a preview was requested, or after it failed. It has no id, because
/// after a failure the page must scroll to the summary of the errors.
pub(super) fn empty_preview(advice: &str) -> Markup {
    html! {
        section.notice.preview aria-labelledby="preview-head" {
            h2 #preview-head { (Text("monitor-preview")) }
            p.soft { (advice) }
        }
    }
}

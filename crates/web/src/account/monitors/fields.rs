//! Form fields of new and existing monitors.

use kernel::bounds::{MONITOR_NAME_CHARS, OBJECT_TAGS};
use maud::{Markup, html};
use monitors::{GroupSetting, TargetType};

use super::input::MonitorInput;
use super::text_fields::{area, line};
use super::words;
use crate::channel_choice::channel_choices;
use crate::language::text::Text;
use crate::page::form::{FormError, FormField};

/// Intervals to choose from, in minutes.
pub(super) const INTERVALS: [u32; 6] = [15, 60, 360, 1440, 10_080, 43_200];
/// Default interval: one day, in minutes.
const DAY: u32 = 1440;

/// Group settings that a monitor can override, with their labels.
pub(super) const OWN_SETTINGS: [(GroupSetting, Text); 3] = [
    (GroupSetting::Interval, Text("setting-interval")),
    (GroupSetting::Schedule, Text("schedule-days")),
    (GroupSetting::Notify, Text("setting-channels")),
];

/// Renders the field for the address of the watched source.
pub(super) fn address_field(input: &MonitorInput, form_error: &FormError) -> Markup {
    let (label, hint) = (Text("monitor-address").get(), Text("monitor-address-hint").get());
    FormField { required: true, ..line("targetUrl", &label, &hint, &input.url) }.show(form_error)
}

pub(super) fn name_field(input: &MonitorInput, hint: Option<Text>, form_error: &FormError) -> Markup {
    let hint = hint.map(|hint| format!("{} ", hint.get())).unwrap_or_default();
    let hint = hint + &Text("monitor-name-limit").with("count", MONITOR_NAME_CHARS).get();
    let label = Text("monitor-name").get();
    FormField { required: true, ..line("name", &label, &hint, &input.name) }.show(form_error)
}

/// Renders the fields that select the watched parts of the source, for each of `types`. Fields of the selected type,
/// and fields with errors, are expanded.
pub(super) fn part_fields(input: &MonitorInput, types: &[TargetType], form_error: &FormError) -> Markup {
    let open = |kind: TargetType, fields: &[&str]| {
        let wrong = fields.iter().any(|field| form_error.at(field).is_some());
        wrong || (input.target_type() == kind && (kind != TargetType::Page || !input.selector.is_empty()))
    };
    html! {
        @if types.contains(&TargetType::Page) || types.contains(&TargetType::Visual) {
            details open[open(TargetType::Page, &["selector"])] { summary { (Text("monitor-part")) }
                (area("selector", &Text("monitor-selector").get(), &Text("monitor-selector-hint").get(), &input.selector, form_error)) }
        }
        @if types.contains(&TargetType::Page) {
            details open[!input.filters.is_empty() || form_error.at("filters").is_some()] { summary { (Text("monitor-filters")) }
                (area("filters", &Text("monitor-filters").get(), &Text("monitor-filters-hint").get(), &input.filters, form_error)) }
        }
        @if types.contains(&TargetType::Sitemap) {
            details open[open(TargetType::Sitemap, &["include", "exclude"])] { summary { (Text("monitor-sitemap")) }
                (area("include", &Text("monitor-include").get(), &Text("monitor-include-hint").get(), &input.include, form_error))
                (area("exclude", &Text("monitor-exclude").get(), &Text("monitor-exclude-hint").get(), &input.exclude, form_error)) }
        }
        @if types.contains(&TargetType::Extract) {
            details open[open(TargetType::Extract, &["items", "fields"]) || open(TargetType::Headers, &[])] { summary { (Text("monitor-values")) }
                (line("items", &Text("monitor-items").get(), &Text("monitor-items-hint").get(), &input.items).show(form_error))
                (area("fields", &Text("monitor-values").get(), &Text("monitor-values-hint").get(), &input.fields, form_error))
                label.choice { input type="checkbox" name="allowEmpty" value="1" checked[input.allow_empty]; span { (Text("monitor-empty")) " " span.soft { (Text("monitor-empty-words")) } } } }
        } @else if types.contains(&TargetType::Headers) {
            (area("fields", &Text("monitor-headers").get(), &Text("monitor-headers-hint").get(), &input.fields, form_error))
        }
    }
}

/// Renders the interval field, with the intervals that the plan allows and the current interval.
pub(super) fn interval_field(input: &MonitorInput, least: u32, form_error: &FormError) -> Markup {
    let typed: Option<u32> = input.minutes.parse().ok();
    let chosen = typed.unwrap_or(DAY.max(least));
    let mut offered = INTERVALS.to_vec();
    offered.push(chosen);
    offered.sort_unstable();
    offered.dedup();
    let wrong = form_error.at("intervalMinutes");
    html! {
        div {
            label for="intervalMinutes" { (Text("monitor-interval")) }
            select #intervalMinutes name="intervalMinutes" aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| "intervalMinutes-error")] {
                @for minutes in offered {
                    option value=(minutes) selected[minutes == chosen] disabled[minutes < least && Some(minutes) != typed] {
                        (words::every(minutes)) @if minutes < least { " " (Text("monitor-not-in-plan")) }
                    }
                }
            }
            (form_error.on_group("intervalMinutes"))
        }
    }
}

/// Renders the fields for the condition under which a change is reported, and for changes to ignore.
pub(super) fn trigger_fields(input: &MonitorInput, types: &[TargetType], form_error: &FormError) -> Markup {
    let has_values = input.target_type().has_values();
    html! {
        div {
            label for="trigger" { (Text("monitor-trigger")) }
            select #trigger name="trigger" {
                @for (word, label) in words::triggers() { option value=(word) selected[input.trigger == word] { (label) } }
            }
        }
        (line("value", &Text("monitor-value").get(), &Text("monitor-value-hint").get(), &input.value).show(form_error))
        @if types.iter().any(|kind| kind.has_values()) {
            details open[has_values || form_error.at("triggerField").is_some()] { summary { (Text("monitor-one-value")) }
                (line("triggerField", &Text("monitor-value-name").get(), &Text("monitor-value-name-hint").get(), &input.trigger_field).show(form_error)) }
        }
        details open[input.trigger == "condition" || form_error.at("conditions").is_some()] { summary { (Text("monitor-conditions")) }
            (area("conditions", &Text("monitor-conditions").get(), &Text("monitor-conditions-hint").get(), &input.conditions, form_error)) }
        details open[!input.repeat_hours.is_empty() || form_error.at("repeatHours").is_some()] { summary { (Text("monitor-repeat")) }
            (line("repeatHours", &Text("monitor-repeat-after").get(), &Text("monitor-repeat-hint").get(), &input.repeat_hours).show(form_error)) }
        details open[!input.ignore.is_empty() || form_error.at("ignore").is_some()] { summary { (Text("monitor-ignore")) }
            (area("ignore", &Text("monitor-ignore-label").get(), &Text("monitor-ignore-hint").get(), &input.ignore, form_error)) }
    }
}

/// Renders the checkbox that also lists changes among the feed entries.
pub(super) fn follow_field(is_followed: bool) -> Markup {
    html! {
        label.choice { input type="checkbox" name="follow" value="1" checked[is_followed]; span { (Text("monitor-follow")) } }
    }
}

pub(super) fn tags_field(input: &MonitorInput, form_error: &FormError) -> Markup {
    let hint = Text("monitor-tags-hint").with("count", OBJECT_TAGS).get();
    line("tags", &Text("items-tags").get(), &hint, &input.tags).show(form_error)
}

/// Renders the fields that select the group and the settings that override it. Empty if the account has no groups.
pub(super) fn group_fields(input: &MonitorInput, form_error: &FormError) -> Markup {
    let wrong = form_error.at("groupId");
    html! {
        @if !input.groups.is_empty() {
            div {
                label for="groupId" { (Text("monitor-group")) }
                select #groupId name="groupId" aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[wrong.map(|_| "groupId-error")] {
                    option value="" { (Text("monitor-group-none")) }
                    @for group in &input.groups {
                        @let id = group.id.to_string();
                        option value=(id) selected[input.group == id] { (group.name) }
                    }
                }
                (form_error.on_group("groupId"))
            }
            fieldset {
                legend { (Text("monitor-override")) }
                p.rule { (Text("monitor-override-hint")) }
                @for (setting, label) in OWN_SETTINGS {
                    label.choice { input type="checkbox" name="own" value=(setting.as_str()) checked[input.own.iter().any(|own| own == setting.as_str())]; span { (label) } }
                }
            }
        }
    }
}

/// Renders the checkboxes of the channels that are notified of changes.
pub(super) fn notify_field(input: &MonitorInput) -> Markup {
    html! { fieldset { legend { (Text("monitor-notify")) } (channel_choices(&input.channels, &input.notify)) } }
}

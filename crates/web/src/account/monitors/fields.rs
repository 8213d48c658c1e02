//! Form fields of new and existing monitors.

use kernel::bounds::{MONITOR_NAME_CHARS, OBJECT_TAGS};
use maud::{Markup, html};
use monitors::{GroupSetting, TargetType};
use notices::{Channel, ChannelStatus};

use super::input::MonitorInput;
use super::text_fields::{area, line};
use super::words;
use crate::page::form::{Field, FormError};

/// Intervals to choose from, in minutes.
pub(super) const INTERVALS: [u32; 6] = [15, 60, 360, 1440, 10_080, 43_200];
/// Default interval: one day, in minutes.
const DAY: u32 = 1440;

/// Settings that a monitor can have instead of its group's, with their labels.
pub(super) const OWN_SETTINGS: [(GroupSetting, &str); 3] = [
    (GroupSetting::Interval, "Interval"),
    (GroupSetting::Schedule, "Days and times"),
    (GroupSetting::Notify, "Channels"),
];

/// Explains the syntax of conditions.
const CONDITIONS: &str = "One per line; all must be true. A line with the word or starts an alternative. \
    With values, begin with a name, such as price falls by 10%, price new low in 30 days, price between 5 \
    and 9, or not stock contains sold out. Without: contains tickets, matches v\\d+, count above 3, length \
    below 200, or similarity below 80.";

/// Explains the syntax of filters.
const FILTERS: &str = "One per line, applied in order to the lines of the page: keep or drop with a regular \
    expression, such as drop ^Advert; replace, such as replace \\d+ views => views; sort; unique. The \
    preview displays the lines after each.";

/// Renders the field for the address of the watched source.
pub(super) fn address_field(input: &MonitorInput, form_error: &FormError) -> Markup {
    let hint = "The public page, sitemap or JSON document to watch.";
    Field { required: true, ..line("targetUrl", "Page address", hint, &input.url) }.show(form_error)
}

pub(super) fn name_field(input: &MonitorInput, hint: &str, form_error: &FormError) -> Markup {
    let hint = format!("{hint}At most {MONITOR_NAME_CHARS} characters.");
    Field { required: true, ..line("name", "Name", &hint, &input.name) }.show(form_error)
}

/// Renders the fields for the watched parts of the source, for each of these types. Fields of the selected
/// type, and fields with errors, are expanded.
pub(super) fn part_fields(input: &MonitorInput, types: &[TargetType], form_error: &FormError) -> Markup {
    let open = |kind: TargetType, fields: &[&str]| {
        let wrong = fields.iter().any(|field| form_error.at(field).is_some());
        wrong || (input.target_type() == kind && (kind != TargetType::Page || !input.selector.is_empty()))
    };
    html! {
        @if types.contains(&TargetType::Page) || types.contains(&TargetType::Visual) {
            details open[open(TargetType::Page, &["selector"])] { summary { "Only part of the page" }
                (area("selector", "Selector", "CSS, such as #price or li:contains(\"Tickets\"), XPath, such as //table[2]//tr, JSONPath, such as $.version, or jq, such as jq:.items[] | select(.free) | .name. Of a page, JSONPath and jq read the data of its scripts: $['ld+json'][0].offers.price or $.__NEXT_DATA__.props. Of several, one per line, each is also reported when it appears or disappears. For the appearance: one CSS selector.", &input.selector, form_error)) }
        }
        @if types.contains(&TargetType::Page) {
            details open[!input.filters.is_empty() || form_error.at("filters").is_some()] { summary { "Filters" }
                (area("filters", "Filters", FILTERS, &input.filters, form_error)) }
        }
        @if types.contains(&TargetType::Sitemap) {
            details open[open(TargetType::Sitemap, &["include", "exclude"])] { summary { "Sitemap filters" }
                (area("include", "Include addresses matching", "One pattern per line, such as /blog/*.", &input.include, form_error))
                (area("exclude", "Exclude addresses matching", "One pattern per line.", &input.exclude, form_error)) }
        }
        @if types.contains(&TargetType::Extract) {
            details open[open(TargetType::Extract, &["items", "fields"]) || open(TargetType::Headers, &[])] { summary { "Values" }
                (line("items", "Repeated element", "CSS selector or XPath of the repeated element, such as .product. Leave empty to treat the page as one item.", &input.items).show(form_error))
                (area("fields", "Values", "One per line, such as price = .price. A star after the name marks the key that identifies an item. If a value contains several numbers, choose one with first, last, least or greatest in brackets, such as price (least) = .price. Of headers, name those to read, such as etag = ETag.", &input.fields, form_error))
                label.choice { input type="checkbox" name="allowEmpty" value="1" checked[input.allow_empty]; span { "The list may be empty, such as a list of free appointments. " span.soft { "Otherwise an empty list counts only if it is empty twice." } } } }
        } @else if types.contains(&TargetType::Headers) {
            (area("fields", "Headers", "One per line, such as etag = ETag. Leave empty to watch all headers except those that always differ.", &input.fields, form_error))
        }
    }
}

/// Renders the choice of the interval: the intervals that the plan allows, and the current one.
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
            label for="intervalMinutes" { "Check" }
            select #intervalMinutes name="intervalMinutes" aria-invalid=[wrong.map(|_| "true")]
                aria-describedby=[wrong.map(|_| "intervalMinutes-error")] {
                @for minutes in offered {
                    option value=(minutes) selected[minutes == chosen] disabled[minutes < least && Some(minutes) != typed] {
                        (words::every(minutes)) @if minutes < least { " (not in your plan)" }
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
            label for="trigger" { "Report when" }
            select #trigger name="trigger" {
                @for (word, label) in words::triggers() { option value=(word) selected[input.trigger == word] { (label) } }
            }
        }
        (line("value", "Text or number", "Not needed for “anything changes”.", &input.value).show(form_error))
        @if types.iter().any(|kind| kind.has_values()) {
            details open[has_values || form_error.at("triggerField").is_some()] { summary { "Only one of the values" }
                (line("triggerField", "Value name", "A name from Values; of a product name, price, currency or availability; of an event title, start, end, location, status or repeats; of a file size or sha256; of headers status or a header. Leave empty for any value.", &input.trigger_field).show(form_error)) }
        }
        details open[input.trigger == "condition" || form_error.at("conditions").is_some()] { summary { "Conditions" }
            (area("conditions", "Conditions", CONDITIONS, &input.conditions, form_error)) }
        details open[!input.repeat_hours.is_empty() || form_error.at("repeatHours").is_some()] { summary { "Report again while it is true" }
            (line("repeatHours", "Report again after", "Hours, such as 24. Leave empty to report it once, when it becomes true.", &input.repeat_hours).show(form_error)) }
        details open[!input.ignore.is_empty() || form_error.at("ignore").is_some()] { summary { "Ignore some changes" }
            (area("ignore", "Ignore changes containing", "One text per line. Blocks that contain it are ignored.", &input.ignore, form_error)) }
    }
}

/// Renders the choice whether changes also appear among the feed entries.
pub(super) fn follow_field(is_followed: bool) -> Markup {
    html! {
        label.choice { input type="checkbox" name="follow" value="1" checked[is_followed]; span { "Also show changes in my feeds" } }
    }
}

pub(super) fn tags_field(input: &MonitorInput, form_error: &FormError) -> Markup {
    let hint = format!("Optional. Tags separated by commas, such as home, prices. At most {OBJECT_TAGS}.");
    line("tags", "Tags", &hint, &input.tags).show(form_error)
}

/// Renders the choice of the group, and of the settings that differ from the group's. Empty if the account
/// has no groups.
pub(super) fn group_fields(input: &MonitorInput, form_error: &FormError) -> Markup {
    let wrong = form_error.at("groupId");
    html! {
        @if !input.groups.is_empty() {
            div {
                label for="groupId" { "Group" }
                select #groupId name="groupId" aria-invalid=[wrong.map(|_| "true")]
                    aria-describedby=[wrong.map(|_| "groupId-error")] {
                    option value="" { "none" }
                    @for group in &input.groups {
                        @let id = group.id.to_string();
                        option value=(id) selected[input.group == id] { (group.name) }
                    }
                }
                (form_error.on_group("groupId"))
            }
            fieldset {
                legend { "Override the group" }
                p.rule { "Group settings replace the settings in this form, except those you select here." }
                @for (setting, label) in OWN_SETTINGS {
                    label.choice { input type="checkbox" name="own" value=(setting.as_str()) checked[input.own.iter().any(|own| own == setting.as_str())]; span { (label) } }
                }
            }
        }
    }
}

/// Renders the choice of the channels that are notified of changes.
pub(super) fn notify_field(input: &MonitorInput) -> Markup {
    html! { fieldset { legend { "Notify me by" } (channel_choices(&input.channels, &input.notify)) } }
}

/// Renders the choice of channels. Those in `notify` are selected.
pub(super) fn channel_choices(channels: &[Channel], notify: &[String]) -> Markup {
    html! {
        @if channels.is_empty() {
            p.soft { "You have no channels yet. " a href="/settings/channels" { "Add one" } " to be notified by e-mail, webhook or chat." }
        }
        @for channel in channels {
            @let id = channel.id.to_string();
            label.choice { input type="checkbox" name="notify" value=(id) checked[notify.contains(&id)]; span { (channel.name) " " span.soft { (channel.masked_address) @if channel.status != ChannelStatus::Active { ", " (channel.status.as_str()) } } } }
        }
    }
}

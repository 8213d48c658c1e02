//! Backups of changedetection.io: a ZIP archive with `url-watches.json` or with one `watch.json` per watch,
//! or a single one of these JSON files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Cursor, Read};

use serde_json::Value;
use zip::ZipArchive;

use super::browser_settings::{BrowserDefaults, COMPARISON_FILE, SCREENSHOTS, set_browser};
use super::fields::{JsonFields, MAX_LISTED, flag, is_set, text, texts};
use super::filters::{MonitorSelectors, add_ignore, add_ignored_elements, set_trigger, slashed_pattern};
use super::list::{ListFormat, ListedMonitor, MAX_MONITORS, MonitorList, cut};
use crate::watch::{Ignore, TriggerKind};

/// Maximum number of entries in an archive. Most of them are stored pages, which are not read.
const MAX_ENTRIES: usize = 500_000;
/// Maximum number of unpacked bytes of a file.
const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum number of unpacked bytes of all files that are read, in total.
const MAX_BYTES: u64 = 96 * 1024 * 1024;

/// Settings that apply to several watches.
#[derive(Default)]
struct SharedSettings {
    /// Names of the tags by id.
    tags: HashMap<String, String>,
    /// Interval for watches without an interval, in minutes.
    minutes: Option<u32>,
    browsers: BrowserDefaults,
}

/// Reads a backup in a ZIP archive.
pub(super) fn read_archive(bytes: &[u8]) -> Option<MonitorList> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).ok().filter(|archive| archive.len() <= MAX_ENTRIES)?;
    let mut names: Vec<String> = archive.file_names().filter_map(Result::ok).map(Cow::into_owned).collect();
    names.sort_unstable();
    let is = |name: &str, file: &str| name.rsplit('/').next() == Some(file);
    let mut left = MAX_BYTES;
    let mut shared = SharedSettings::default();
    let mut legacy = None;
    for name in &names {
        if is(name, "changedetection.json") || is(name, "url-watches.json") {
            let Some(file) = json(&mut archive, name, &mut left) else { continue };
            shared.add_settings(&file);
            if is(name, "url-watches.json") {
                legacy = Some(file);
            }
        } else if is(name, "tag.json")
            && let Some(tag) = json(&mut archive, name, &mut left)
        {
            shared.add_tag(folder_of(name), &tag);
        } else if is(name, COMPARISON_FILE)
            && let Some(file) = json(&mut archive, name, &mut left)
        {
            shared.browsers.add_comparison(folder_of(name), &file);
        }
    }
    let watches: Vec<&String> = names.iter().filter(|name| is(name, "watch.json")).collect();
    if watches.is_empty() {
        return legacy.and_then(|file| read_watching(&file, &shared));
    }
    let mut monitors = Vec::new();
    for name in watches.iter().take(MAX_MONITORS) {
        let file = json(&mut archive, name, &mut left);
        monitors.extend(file.as_ref().and_then(Value::as_object).map(|watch| monitor(watch, &shared)));
    }
    let dropped = u64::try_from(watches.len() - monitors.len()).unwrap_or(u64::MAX);
    Some(MonitorList { format: ListFormat::Changedetection, monitors, dropped })
}

/// Reads `url-watches.json` or a single `watch.json`.
pub(super) fn read_json(file: &Value) -> Option<MonitorList> {
    let mut shared = SharedSettings::default();
    shared.add_settings(file);
    if file.get("watching").is_some() {
        return read_watching(file, &shared);
    }
    let watch = file.as_object().filter(|watch| watch.contains_key("url"))?;
    let monitors = vec![monitor(watch, &shared)];
    Some(MonitorList { format: ListFormat::Changedetection, monitors, dropped: 0 })
}

fn read_watching(file: &Value, shared: &SharedSettings) -> Option<MonitorList> {
    let watching = file.get("watching")?.as_object()?;
    let watches = watching.values().filter_map(Value::as_object).take(MAX_MONITORS);
    let monitors: Vec<ListedMonitor> = watches.map(|watch| monitor(watch, shared)).collect();
    let dropped = u64::try_from(watching.len() - monitors.len()).unwrap_or(u64::MAX);
    Some(MonitorList { format: ListFormat::Changedetection, monitors, dropped })
}

/// Reads a file of the archive within the limits.
fn json(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str, left: &mut u64) -> Option<Value> {
    let limit = MAX_FILE_BYTES.min(*left);
    let mut bytes = Vec::new();
    archive.by_name(name).ok()?.take(limit + 1).read_to_end(&mut bytes).ok()?;
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    *left = left.saturating_sub(size);
    if size > limit { None } else { serde_json::from_slice(&bytes).ok() }
}

/// Name of the folder that contains a file.
fn folder_of(name: &str) -> &str {
    name.rsplit('/').nth(1).unwrap_or_default()
}

impl SharedSettings {
    fn add_settings(&mut self, file: &Value) {
        let settings = file.get("settings").unwrap_or(file);
        let tags = settings.pointer("/application/tags").and_then(Value::as_object);
        for (id, tag) in tags.into_iter().flatten() {
            self.add_tag(id, tag);
        }
        let default = settings.pointer("/requests/time_between_check").and_then(minutes);
        self.minutes = default.or(self.minutes);
        self.browsers.add_settings(settings);
    }

    fn add_tag(&mut self, id: &str, tag: &Value) {
        if let Some(title) = tag.get("title").and_then(Value::as_str) {
            self.tags.insert(id.to_owned(), cut(title));
        }
    }

    /// Names of the tags of a watch. An unknown tag is named by its id in the watch.
    fn tags_of(&self, watch: &JsonFields) -> Vec<String> {
        let by_id = |id: String| self.tags.get(&id).cloned().unwrap_or(id);
        let mut tags: Vec<String> = texts(watch, "tags").into_iter().map(by_id).collect();
        if tags.is_empty() {
            // Old versions have a single text with commas instead of tag ids.
            tags.extend(text(watch, "tag").split(',').take(MAX_LISTED).map(cut));
        }
        tags.retain(|tag| !tag.is_empty());
        tags
    }
}

fn monitor(watch: &JsonFields, shared: &SharedSettings) -> ListedMonitor {
    let url = text(watch, "url");
    let names = [text(watch, "title"), text(watch, "page_title"), url];
    let name = names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_default();
    let mut monitor = ListedMonitor::new(name, url);
    monitor.is_paused = flag(watch, "paused");
    monitor.tags = shared.tags_of(watch);
    let own = watch.get("time_between_check").and_then(minutes);
    let is_own = !flag(watch, "time_between_check_use_default");
    monitor.interval_minutes = own.filter(|_| is_own).or(shared.minutes);
    let mut selectors = MonitorSelectors::default();
    for filter in texts(watch, "include_filters") {
        selectors.add(&mut monitor, &filter);
    }
    // Old versions have a field for a single filter.
    let single = text(watch, "css_filter");
    if !single.is_empty() {
        selectors.add(&mut monitor, single);
    }
    selectors.set_target(&mut monitor);
    for elements in texts(watch, "subtractive_selectors") {
        add_ignored_elements(&mut monitor, &elements);
    }
    for ignored in texts(watch, "ignore_text") {
        let rule = slashed_pattern(&ignored).map_or(Ignore::Text(ignored), Ignore::Regex);
        add_ignore(&mut monitor, rule);
    }
    trigger(&mut monitor, watch);
    omit_request(&mut monitor, watch);
    omit_processing(&mut monitor, watch);
    set_browser(&mut monitor, watch, &shared.browsers);
    monitor
}

fn trigger(monitor: &mut ListedMonitor, watch: &JsonFields) {
    let appears = texts(watch, "trigger_text");
    let blocks = texts(watch, "text_should_not_be_present");
    let mut plain = |list: &[String], kind: TriggerKind| {
        for (number, text) in list.iter().enumerate() {
            if number == 0 && slashed_pattern(text).is_none() && monitor.trigger.kind == TriggerKind::Any {
                set_trigger(monitor, kind, Some(text));
            } else {
                monitor.omit(&format!("trigger {text}"));
            }
        }
    };
    plain(&appears, TriggerKind::TextAppears);
    plain(&blocks, TriggerKind::TextDisappears);
    if monitor.trigger.kind != TriggerKind::Any {
        return;
    }
    // Each of the three settings is on by default.
    let is_on = |name: &str| watch.get(name).and_then(Value::as_bool).unwrap_or(true);
    match (is_on("filter_text_added"), is_on("filter_text_replaced"), is_on("filter_text_removed")) {
        (true, true, true) => {}
        (true, false, false) => set_trigger(monitor, TriggerKind::Added, None),
        (false, false, true) => set_trigger(monitor, TriggerKind::Removed, None),
        _ => monitor.omit("kinds of differences"),
    }
}

/// Records the settings of the request, which cannot be imported.
fn omit_request(monitor: &mut ListedMonitor, watch: &JsonFields) {
    if !matches!(text(watch, "method"), "" | "GET") {
        monitor.omit("request method");
    }
    for (field, setting) in [
        ("body", "request body"),
        ("headers", "request headers"),
        ("proxy", "proxy"),
        ("webdriver_js_execute_code", "JavaScript to execute"),
    ] {
        if watch.get(field).is_some_and(is_set) {
            monitor.omit(setting);
        }
    }
}

/// Records the settings of comparison and notices, which cannot be imported.
fn omit_processing(monitor: &mut ListedMonitor, watch: &JsonFields) {
    let processor = text(watch, "processor");
    // The comparison of screenshots is a setting of the browser.
    if !matches!(processor, "" | "text_json_diff" | SCREENSHOTS) {
        monitor.omit(&format!("detection {processor}"));
    }
    for (field, setting) in [
        ("extract_text", "extracted text"),
        ("conditions", "conditions"),
        ("notification_urls", "notification addresses"),
        ("notification_body", "notification text"),
        ("notification_title", "notification title"),
        ("notification_muted", "muted notifications"),
        ("check_unique_lines", "only unique lines"),
        ("sort_text_alphabetically", "sorted text"),
        ("remove_duplicate_lines", "removal of duplicate lines"),
    ] {
        if watch.get(field).is_some_and(is_set) {
            monitor.omit(setting);
        }
    }
    let schedule = watch.get("time_schedule_limit").and_then(|limit| limit.get("enabled"));
    if schedule.and_then(Value::as_bool).unwrap_or(false) {
        monitor.omit("schedule");
    }
}

/// Minutes of an interval, rounded up. `None` if all parts of the interval are empty.
fn minutes(interval: &Value) -> Option<u32> {
    let seconds = [("weeks", 604_800), ("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1)];
    let seconds = seconds.into_iter().map(|(part, seconds)| {
        let value = interval.get(part);
        let count = value.and_then(Value::as_u64).or_else(|| value?.as_str()?.trim().parse().ok());
        count.unwrap_or(0).saturating_mul(seconds)
    });
    let total = seconds.fold(0_u64, u64::saturating_add);
    (total > 0).then(|| u32::try_from(total.div_ceil(60)).unwrap_or(u32::MAX))
}

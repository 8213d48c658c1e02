//! Job lists of urlwatch and webchanges: YAML files with one document per job.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::filters::{MonitorSelectors, add_ignore, add_ignored_elements, set_trigger};
use super::list::{ListFormat, ListedBrowser, ListedMonitor, MAX_MONITORS, MonitorList, cut};
use crate::watch::{Ignore, TriggerKind};

/// Maximum number of filters of a job that are read.
const MAX_FILTERS: usize = 100;
/// Filters that change only the formatting of a text. They are ignored, because formatting is not compared.
const FORMS: [&str; 11] = [
    "html2text", "ical2text", "pdf2text", "strip", "striplines", "strip_each_line", "strip_empty_lines",
    "beautify", "format-json", "format-xml", "pretty-xml",
];
/// Settings of a job that are imported, or that affect only its display.
const KNOWN: [&str; 14] = [
    "url", "navigate", "command", "name", "filter", "filters", "enabled", "tags", "kind", "additions_only",
    "deletions_only", "user_visible_url", "note", "max_tries",
];

type UrlwatchJob = Map<String, Value>;

/// Reads a list. `None` if the file contains no job.
pub(super) fn read(bytes: &[u8]) -> Option<MonitorList> {
    let mut list = MonitorList { format: ListFormat::Urlwatch, monitors: Vec::new(), dropped: 0 };
    for document in serde_yaml::Deserializer::from_slice(bytes) {
        // After an error, the rest of the file cannot be read.
        let Ok(value) = Value::deserialize(document) else {
            list.dropped += 1;
            break;
        };
        match value {
            Value::Object(job) => list.add(&job),
            Value::Array(jobs) => jobs.iter().filter_map(Value::as_object).for_each(|job| list.add(job)),
            _ => {}
        }
    }
    (!list.monitors.is_empty()).then_some(list)
}

impl MonitorList {
    fn add(&mut self, job: &UrlwatchJob) {
        if !["url", "navigate", "command"].iter().any(|field| job.contains_key(*field)) {
            return;
        }
        if self.monitors.len() < MAX_MONITORS {
            self.monitors.push(monitor(job));
        } else {
            self.dropped += 1;
        }
    }
}

fn monitor(job: &UrlwatchJob) -> ListedMonitor {
    let text = |name: &str| job.get(name).and_then(Value::as_str).unwrap_or_default();
    let url = if text("url").is_empty() { text("navigate") } else { text("url") };
    let names = [text("name"), url, text("command")];
    let name = names.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_default();
    let mut monitor = ListedMonitor::new(name, url);
    monitor.is_paused = job.get("enabled").and_then(Value::as_bool) == Some(false);
    monitor.tags = match job.get("tags") {
        Some(Value::Array(tags)) => tags.iter().filter_map(Value::as_str).map(cut).collect(),
        Some(Value::String(tags)) => tags.split(',').map(cut).collect(),
        _ => Vec::new(),
    };
    monitor.tags.truncate(MAX_FILTERS);
    if job.contains_key("command") {
        monitor.omit("command");
    }
    let mut selectors = MonitorSelectors::default();
    for (name, argument) in filters(job.get("filter").or_else(|| job.get("filters"))) {
        filter(&mut monitor, &mut selectors, &name, &argument);
    }
    selectors.set_target(&mut monitor);
    if job.contains_key("navigate") {
        if monitor.target.is_json() {
            monitor.omit("loading with a browser");
        } else {
            monitor.browser = Some(ListedBrowser::default());
        }
    }
    let is_on = |name: &str| job.get(name).and_then(Value::as_bool) == Some(true);
    if is_on("additions_only") {
        set_trigger(&mut monitor, TriggerKind::Added, None);
    } else if is_on("deletions_only") {
        set_trigger(&mut monitor, TriggerKind::Removed, None);
    }
    for setting in job.keys().filter(|setting| !KNOWN.contains(&setting.as_str())) {
        monitor.omit(&format!("setting {setting}"));
    }
    monitor
}

/// Filters of a job with their arguments. In older lists, they are a single text such as `css:#a,html2text`.
fn filters(written: Option<&Value>) -> Vec<(String, Value)> {
    let one = |text: &str| match text.split_once(':') {
        Some((name, argument)) => (name.trim().to_owned(), Value::from(argument.trim())),
        None => (text.trim().to_owned(), Value::Null),
    };
    let mut filters = Vec::new();
    match written {
        Some(Value::String(text)) => filters.extend(text.split(',').take(MAX_FILTERS).map(one)),
        Some(Value::Array(list)) => {
            for entry in list.iter().take(MAX_FILTERS) {
                match entry {
                    Value::String(text) => filters.push(one(text)),
                    Value::Object(fields) => {
                        let fields = fields.iter().take(MAX_FILTERS);
                        filters.extend(fields.map(|(name, argument)| (name.clone(), argument.clone())));
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
    filters
}

fn filter(monitor: &mut ListedMonitor, selectors: &mut MonitorSelectors, name: &str, argument: &Value) {
    let of = |fields: &[&str]| {
        let named = fields.iter().find_map(|field| argument.get(field).and_then(Value::as_str));
        argument.as_str().or(named).unwrap_or_default()
    };
    match name {
        "css" => selectors.add(monitor, &format!("css:{}", of(&["selector"]))),
        "xpath" => selectors.add(monitor, &format!("xpath:{}", of(&["path"]))),
        "jq" => selectors.add(monitor, &format!("jq:{}", of(&["query"]))),
        "element-by-id" => selectors.add(monitor, &format!("css:[id={:?}]", of(&["id"]))),
        "element-by-class" => selectors.add(monitor, &format!("css:[class~={:?}]", of(&["class"]))),
        "element-by-tag" => selectors.add(monitor, &format!("css:{}", of(&["tag"]))),
        "grepi" | "delete_lines_containing" if argument.get("text").is_some() => {
            add_ignore(monitor, Ignore::Text(of(&["text"]).to_owned()));
        }
        "delete_lines_containing" if argument.is_string() => {
            add_ignore(monitor, Ignore::Text(of(&[]).to_owned()));
        }
        "grepi" | "delete_lines_containing" => {
            add_ignore(monitor, Ignore::Regex(format!("(?m)^.*(?:{}).*$", of(&["re"]))));
        }
        "re.sub" if argument.get("repl").is_none_or(|text| text == "") => {
            add_ignore(monitor, Ignore::Regex(of(&["pattern"]).to_owned()));
        }
        name if FORMS.contains(&name) => {}
        name => monitor.omit(&format!("filter {name}")),
    }
    let excluded = argument.get("exclude").and_then(Value::as_str);
    if let Some(excluded) = excluded.filter(|_| matches!(name, "css" | "xpath")) {
        add_ignored_elements(monitor, excluded);
    }
}

//! Browser settings of watches of changedetection.io: the choice of the browser, the delay after loading,
//! steps, and comparison of screenshots.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;

use super::fields::{JsonFields, MAX_LISTED, is_set, text, texts};
use super::filters::{add_ignored_elements, is_usable};
use super::list::{
    ListedBrowser, ListedMonitor, ListedStep, ListedVisual, MAX_CHARS, StepAction, add_omitted,
};
use crate::watch::{Ignore, TriggerKind};

/// Prefixes of the names of fetchers that are browsers.
const BROWSERS: [&str; 4] = ["html_webdriver", "html_playwright", "html_puppeteer", "html_chrome"];
/// Prefix of the names of fetchers for browsers that the operator configured by address.
const CUSTOM_BROWSER: &str = "extra_browser_";
/// Processor that compares screenshots.
pub(super) const SCREENSHOTS: &str = "image_ssim_diff";
/// Name of the file with the settings of a comparison of screenshots.
pub(super) const COMPARISON_FILE: &str = "image_ssim_diff.json";
/// Name in reports of the threshold for comparing screenshots.
const THRESHOLD: &str = "threshold of the comparison";
/// Operations of dispensable steps: the following steps can be performed without them.
const DISPENSABLE: [&str; 5] = [
    "Click element if exists",
    "Click element containing text if exists",
    "Wait for text",
    "Wait for text in element",
    "Make all child elements visible",
];
/// Parts of selectors that only changedetection.io's library understands.
const FOREIGN_SYNTAX: [&str; 11] = [
    ">>", "text=", "xpath=", ":has-text(", ":contains(", ":text(", ":text-is(", ":text-matches(", ":visible",
    ":nth-match(", ":light(",
];

/// Settings of a backup that apply to several watches.
#[derive(Default)]
pub(super) struct BrowserDefaults {
    /// Fetcher of watches that do not set one.
    backend: String,
    delay_ms: Option<u32>,
    /// Settings of comparisons of screenshots that are not imported, by the id of the watch.
    comparisons: HashMap<String, Vec<&'static str>>,
}

impl BrowserDefaults {
    /// Adds the settings of the application.
    pub(super) fn add_settings(&mut self, settings: &Value) {
        let application = settings.get("application");
        let backend = application.and_then(|fields| fields.get("fetch_backend")).and_then(Value::as_str);
        if let Some(backend) = backend {
            backend.clone_into(&mut self.backend);
        }
        let delay = application.and_then(|fields| fields.get("webdriver_delay")).and_then(milliseconds);
        self.delay_ms = delay.or(self.delay_ms);
    }

    /// Adds the file with the settings of a comparison of screenshots.
    pub(super) fn add_comparison(&mut self, watch_id: &str, file: &Value) {
        let settings = [
            ("bounding_box", "compared area"),
            ("comparison_threshold", THRESHOLD),
            ("auto_track_region", "tracking of the compared area"),
        ];
        let is_present = |field: &str| file.get(field).is_some_and(is_set);
        let names = settings.into_iter().filter(|(field, _)| is_present(field)).map(|(_, name)| name);
        let names: Vec<&'static str> = names.collect();
        if !names.is_empty() {
            self.comparisons.insert(watch_id.to_owned(), names);
        }
    }
}

/// Sets the browser of a monitor whose other settings were imported.
pub(super) fn set_browser(monitor: &mut ListedMonitor, watch: &JsonFields, defaults: &BrowserDefaults) {
    let backend = match text(watch, "fetch_backend") {
        "" | "system" => defaults.backend.as_str(),
        own => own,
    };
    let is_visual = text(watch, "processor") == SCREENSHOTS;
    let mut steps = steps(monitor, watch);
    let is_custom = backend.starts_with(CUSTOM_BROWSER);
    let is_browser = is_custom || BROWSERS.iter().any(|browser| backend.starts_with(browser));
    if !is_browser && !matches!(backend, "" | "system" | "html_requests") {
        monitor.omit(&format!("loading with {backend}"));
    }
    if !is_browser && !is_visual && steps.is_empty() {
        return;
    }
    if monitor.target.is_json() && !is_visual {
        monitor.omit("loading with a browser");
        if !steps.is_empty() {
            monitor.omit("browser steps");
        }
        return;
    }
    if is_custom {
        monitor.omit("address of the browser");
    }
    let mut without = if steps.is_empty() { Vec::new() } else { vec!["browser steps".to_owned()] };
    let delay = watch.get("webdriver_delay").and_then(milliseconds).or(defaults.delay_ms);
    if let Some(milliseconds) = delay {
        let label = "delay after loading".to_owned();
        steps.insert(0, ListedStep { label, action: StepAction::Wait { milliseconds } });
    }
    let mut browser = ListedBrowser { steps, ..ListedBrowser::default() };
    if is_visual {
        set_visual(&mut browser, monitor, watch, defaults);
        without.push(format!("detection {SCREENSHOTS}"));
    }
    browser.not_imported_without = without;
    monitor.browser = Some(browser);
}

/// Sets the comparison of screenshots, to which rules for texts do not apply.
fn set_visual(
    browser: &mut ListedBrowser,
    monitor: &ListedMonitor,
    watch: &JsonFields,
    defaults: &BrowserDefaults,
) {
    let mut filters = texts(watch, "include_filters").into_iter();
    let first = filters.next();
    let selector = first.as_deref().and_then(css);
    for filter in first.filter(|_| selector.is_none()).into_iter().chain(filters) {
        add_omitted(&mut browser.not_imported, &format!("selector {filter}"));
    }
    for rule in &monitor.ignore {
        let (Ignore::Text(text) | Ignore::Regex(text) | Ignore::Selector(text)) = rule;
        add_omitted(&mut browser.not_imported, &format!("ignored content {text}"));
    }
    if monitor.trigger.kind != TriggerKind::Any {
        let value = monitor.trigger.value.as_deref().unwrap_or("on kinds of differences");
        add_omitted(&mut browser.not_imported, &format!("trigger {value}"));
    }
    if ["comparison_threshold", "ssim_threshold"].iter().any(|name| watch.get(*name).is_some_and(is_set)) {
        add_omitted(&mut browser.not_imported, THRESHOLD);
    }
    for setting in defaults.comparisons.get(text(watch, "uuid")).into_iter().flatten() {
        add_omitted(&mut browser.not_imported, setting);
    }
    browser.visual = Some(ListedVisual { selector });
}

/// Steps of a watch. Steps that remove elements become ignored content of the monitor.
fn steps(monitor: &mut ListedMonitor, watch: &JsonFields) -> Vec<ListedStep> {
    let listed = watch.get("browser_steps").and_then(Value::as_array).into_iter().flatten();
    // The operation `Choose one` is a step without effect.
    let listed = listed.filter_map(Value::as_object);
    let listed = listed.filter(|step| !matches!(text(step, "operation"), "" | "Choose one"));
    let mut steps = Vec::new();
    for (number, step) in (1_usize..).zip(listed.take(MAX_LISTED)) {
        let operation = text(step, "operation");
        match operation {
            // The page is already open when the first step is performed.
            "Goto site" if number == 1 => {}
            "Remove elements" => add_ignored_elements(monitor, text(step, "selector")),
            _ => {
                let name: String = operation.chars().take(100).collect();
                steps.push(ListedStep { label: format!("step {number}: {name}"), action: action(step) });
            }
        }
    }
    steps
}

fn action(step: &JsonFields) -> StepAction {
    let (written, value) = (text(step, "selector"), text(step, "optional_value"));
    if [written, value].iter().any(|text| text.contains("{{") || text.contains("{%")) {
        return StepAction::Unsupported;
    }
    let selector = css(written);
    match (text(step, "operation"), selector) {
        ("Click element", Some(selector)) => StepAction::Click { selector },
        ("Enter text in field", Some(selector)) => {
            StepAction::Type { selector, text: value.chars().take(MAX_CHARS).collect() }
        }
        ("Scroll down", _) => StepAction::ScrollToEnd,
        ("Wait for seconds", _) => {
            let default = Value::from(1);
            let seconds = step.get("optional_value").filter(|value| is_set(value)).unwrap_or(&default);
            // A wait that is not a number has no effect in changedetection.io.
            milliseconds(seconds)
                .map_or(StepAction::Dispensable, |milliseconds| StepAction::Wait { milliseconds })
        }
        (operation, _) if DISPENSABLE.contains(&operation) => StepAction::Dispensable,
        _ => StepAction::Unsupported,
    }
}

/// Returns a selector that browsers understand. `None` for XPath and for pseudo-classes of Playwright.
fn css(written: &str) -> Option<String> {
    let written = written.trim();
    let selector = written.strip_prefix("css=").or_else(|| written.strip_prefix("css:")).unwrap_or(written);
    let selector = selector.trim();
    let is_path = ["/", "(", ".", "$"].iter().any(|start| selector.starts_with(start)) && !is_class(selector);
    let is_foreign = FOREIGN_SYNTAX.iter().any(|part| selector.contains(part))
        || ["xpath:", "xpath1:", "json:", "jq:", "jqraw:"].iter().any(|start| selector.starts_with(start));
    let is_line = !selector.is_empty() && !selector.chars().any(char::is_control);
    (is_line && !is_path && !is_foreign && is_usable(selector)).then(|| selector.to_owned())
}

/// True if a selector begins with a class, and not with a relative path.
fn is_class(selector: &str) -> bool {
    selector.strip_prefix('.').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['.', '/']))
}

/// Converts a number of seconds to milliseconds. `None` unless the number is positive.
fn milliseconds(seconds: &Value) -> Option<u32> {
    let number = seconds.as_f64().or_else(|| seconds.as_str()?.trim().parse().ok())?;
    let duration = Duration::try_from_secs_f64(number).ok()?;
    Some(u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)).filter(|milliseconds| *milliseconds > 0)
}

//! Selectors, ignored content and triggers, as written in both formats.

use super::list::{ListedMonitor, cut};
use crate::watch::{Ignore, MAX_IGNORES, Target, Trigger, TriggerKind, check_ignores};

/// Selectors of a monitor.
#[derive(Default)]
pub(super) struct MonitorSelectors {
    markup: Vec<String>,
    json: Vec<String>,
}

impl MonitorSelectors {
    /// Adds a selector as written in a list. A prefix denotes its language. Without a prefix, it is XPath if
    /// it begins with a slash, and CSS otherwise.
    pub(super) fn add(&mut self, monitor: &mut ListedMonitor, written: &str) {
        let written = written.trim();
        let (language, text) = match written.split_once(':') {
            Some((language @ ("css" | "xpath" | "xpath1" | "json" | "jq" | "jqraw"), text)) => {
                (language, text.trim())
            }
            _ => ("", written),
        };
        let selector = match language {
            "xpath" | "xpath1" => format!("xpath:{text}"),
            "jq" | "jqraw" => format!("jq:{text}"),
            _ => text.to_owned(),
        };
        let selector = on_one_line(&selector);
        if text.is_empty() || !is_usable(&selector) || language == "json" && !text.starts_with('$') {
            monitor.omit(&format!("selector {written}"));
        } else if page(&selector).is_json() {
            self.json.push(selector);
        } else {
            self.markup.push(selector);
        }
    }

    /// Sets the target of the monitor to the selectors of markup, or else to the selectors of JSON. Selectors
    /// that exceed the maximum length are recorded as not imported.
    pub(super) fn set_target(self, monitor: &mut ListedMonitor) {
        let (used, mut left_out) =
            if self.markup.is_empty() { (self.json, Vec::new()) } else { (self.markup, self.json) };
        let mut selectors = String::new();
        for selector in used {
            let more =
                if selectors.is_empty() { selector.clone() } else { format!("{selectors}\n{selector}") };
            if is_usable(&more) {
                selectors = more;
            } else {
                left_out.push(selector);
            }
        }
        for selector in left_out {
            monitor.omit(&format!("selector {selector}"));
        }
        monitor.target = Target::Page { selector: Some(selectors).filter(|selectors| !selectors.is_empty()) };
    }
}

fn page(selectors: &str) -> Target {
    Target::Page { selector: Some(selectors.to_owned()) }
}

/// True if the selectors, one per line, are valid for a page.
pub(super) fn is_usable(selectors: &str) -> bool {
    page(selectors).check().is_empty()
}

/// Indents all lines of a selector except the first, so that they continue the first line.
fn on_one_line(selector: &str) -> String {
    selector.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n  ")
}

/// Adds an ignore rule if it is valid and the monitor has fewer rules than the maximum. Otherwise, the rule
/// is recorded as not imported.
pub(super) fn add_ignore(monitor: &mut ListedMonitor, rule: Ignore) {
    if monitor.ignore.len() < MAX_IGNORES && check_ignores(std::slice::from_ref(&rule)).is_empty() {
        monitor.ignore.push(rule);
        return;
    }
    let (Ignore::Text(text) | Ignore::Regex(text) | Ignore::Selector(text)) = rule;
    monitor.omit(&format!("ignored content {text}"));
}

/// Adds elements to ignore, which are selected with CSS or XPath.
pub(super) fn add_ignored_elements(monitor: &mut ListedMonitor, written: &str) {
    let text = written.trim();
    let selector = match text.strip_prefix("xpath1:") {
        Some(path) => format!("xpath:{path}"),
        None => text.to_owned(),
    };
    add_ignore(monitor, Ignore::Selector(selector));
}

/// Converts a regular expression between slashes to a pattern with inline flags. `None` if the text is not
/// such an expression.
pub(super) fn slashed_pattern(text: &str) -> Option<String> {
    let (pattern, flags) = text.trim().strip_prefix('/')?.rsplit_once('/')?;
    if pattern.is_empty() || !flags.chars().all(|flag| "imsx".contains(flag)) {
        return None;
    }
    Some(if flags.is_empty() { pattern.to_owned() } else { format!("(?{flags}){pattern}") })
}

/// Sets the trigger if it is valid for the target of the monitor. Otherwise, the trigger is recorded as not
/// imported.
pub(super) fn set_trigger(monitor: &mut ListedMonitor, kind: TriggerKind, value: Option<&str>) {
    let trigger = Trigger { kind, value: value.map(cut), ..Trigger::default() };
    if trigger.check(&monitor.target).is_empty() {
        monitor.trigger = trigger;
    } else {
        monitor.omit(&format!("trigger {}", value.unwrap_or_default()));
    }
}

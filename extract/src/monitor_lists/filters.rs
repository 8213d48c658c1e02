//! Selectors, ignored content and triggers that are shared by the formats.

use super::list::{ListedMonitor, cut};
use crate::watch::{Ignore, MAX_IGNORES, Target, Trigger, TriggerKind, check_ignores, xpath};

/// Selectors of a monitor, before they are joined.
#[derive(Default)]
pub(super) struct Selectors {
    css: Vec<String>,
    json: Vec<String>,
}

impl Selectors {
    /// Adds a selector as it is written in a list. Prefixes name its language; the default is CSS, or `XPath`
    /// if it begins with a slash.
    pub(super) fn add(&mut self, monitor: &mut ListedMonitor, written: &str) {
        let written = written.trim();
        let (language, text) = match written.split_once(':') {
            Some((language @ ("css" | "xpath" | "xpath1" | "json" | "jq" | "jqraw"), text)) => {
                (language, text.trim())
            }
            _ if written.starts_with('/') => ("xpath", written),
            _ if written.starts_with('$') => ("json", written),
            _ => ("css", written),
        };
        let css = match language {
            "json" if text.starts_with('$') => return self.add_json(monitor, text.to_owned()),
            "jq" | "jqraw" => match jq_path(text) {
                Some(path) => return self.add_json(monitor, path),
                None => None,
            },
            "xpath" | "xpath1" => xpath::to_css(text),
            "css" => Some(text.to_owned()),
            _ => None,
        };
        match css.filter(|css| is_selector(css)) {
            Some(css) => self.css.push(css),
            None => monitor.omit(&format!("selector {written}")),
        }
    }

    fn add_json(&mut self, monitor: &mut ListedMonitor, path: String) {
        if is_selector(&path) {
            self.json.push(path);
        } else {
            monitor.omit(&format!("selector {path}"));
        }
    }

    /// Sets the target of the monitor: all CSS selectors, or the first JSONPath.
    pub(super) fn set_target(self, monitor: &mut ListedMonitor) {
        let joined = self.css.join(", ");
        let mut json = self.json.into_iter();
        let selector = if joined.is_empty() {
            json.next()
        } else if is_selector(&joined) {
            Some(joined)
        } else {
            for css in self.css.iter().skip(1) {
                monitor.omit(&format!("selector {css}"));
            }
            self.css.into_iter().next()
        };
        for path in json {
            monitor.omit(&format!("selector {path}"));
        }
        monitor.target = Target::Page { selector };
    }
}

fn is_selector(text: &str) -> bool {
    !text.is_empty() && Target::Page { selector: Some(text.to_owned()) }.check().is_empty()
}

/// JSONPath of a jq query that only names members and elements.
fn jq_path(query: &str) -> Option<String> {
    let query = query.trim();
    let is_path = query.starts_with('.')
        && !query.contains("..")
        && query.chars().all(|letter| letter.is_ascii_alphanumeric() || "._[]".contains(letter));
    if !is_path {
        return None;
    }
    let path = query.replace(".[", "[").replace("[]", "[*]");
    Some(format!("${}", path.trim_end_matches('.')))
}

/// Adds content to ignore, if the rule is valid and there is space for it.
pub(super) fn add_ignore(monitor: &mut ListedMonitor, rule: Ignore) {
    if monitor.ignore.len() < MAX_IGNORES && check_ignores(std::slice::from_ref(&rule)).is_empty() {
        monitor.ignore.push(rule);
        return;
    }
    let (Ignore::Text(text) | Ignore::Regex(text) | Ignore::Selector(text)) = rule;
    monitor.omit(&format!("ignored content {text}"));
}

/// Adds elements to ignore, by CSS or `XPath`.
pub(super) fn add_ignored_elements(monitor: &mut ListedMonitor, written: &str) {
    let text = written.trim();
    let path = text.strip_prefix("xpath1:").or_else(|| text.strip_prefix("xpath:"));
    let css = match path.or_else(|| text.starts_with('/').then_some(text)) {
        Some(path) => xpath::to_css(path),
        None => Some(text.to_owned()),
    };
    match css {
        Some(css) => add_ignore(monitor, Ignore::Selector(css)),
        None => monitor.omit(&format!("ignored content {text}")),
    }
}

/// Pattern of a regular expression that is written between slashes, with its flags.
pub(super) fn slashed_pattern(text: &str) -> Option<String> {
    let (pattern, flags) = text.trim().strip_prefix('/')?.rsplit_once('/')?;
    if pattern.is_empty() || !flags.chars().all(|flag| "imsx".contains(flag)) {
        return None;
    }
    Some(if flags.is_empty() { pattern.to_owned() } else { format!("(?{flags}){pattern}") })
}

/// Sets the trigger, if it is valid for the target of the monitor.
pub(super) fn set_trigger(monitor: &mut ListedMonitor, kind: TriggerKind, value: Option<&str>) {
    let trigger = Trigger { kind, value: value.map(cut), ..Trigger::default() };
    if trigger.check(&monitor.target).is_empty() {
        monitor.trigger = trigger;
    } else {
        monitor.omit(&format!("trigger {}", value.unwrap_or_default()));
    }
}

//! Lists of monitors that are read from files of other programs.

use serde::{Deserialize, Serialize};

use crate::watch::{Ignore, Target, Trigger};

/// Maximum number of monitors that are read.
pub const MAX_MONITORS: usize = 1_000;
/// Maximum number of settings of a monitor that are reported as not imported.
const MAX_NAMED: usize = 30;
/// Maximum number of characters in a text that is copied from a list.
pub(super) const MAX_CHARS: usize = 2_000;

/// Program that exported a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListFormat {
    Changedetection,
    Urlwatch,
}

/// Monitors of a list, in the order of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MonitorList {
    pub format: ListFormat,
    pub monitors: Vec<ListedMonitor>,
    /// Number of monitors that exceed the maximum, or whose files could not be read.
    pub dropped: u64,
}

/// Monitor of a list, with the settings that Carrel supports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedMonitor {
    pub name: String,
    /// URL as written in the list. Empty if the entry has no URL.
    pub url: String,
    pub target: Target,
    pub ignore: Vec<Ignore>,
    pub trigger: Trigger,
    pub interval_minutes: Option<u32>,
    pub is_paused: bool,
    pub tags: Vec<String>,
    /// Browser that opens the page. `None` if the page is not rendered.
    pub browser: Option<ListedBrowser>,
    /// Settings that were not imported, as one phrase each.
    pub not_imported: Vec<String>,
}

/// Browser that opens the page of a monitor. The caller decides whether it can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedBrowser {
    /// Steps before the page is read, in order.
    pub steps: Vec<ListedStep>,
    /// Comparison of screenshots, instead of the target of the monitor. `None` if texts are compared.
    pub visual: Option<ListedVisual>,
    /// Settings that are not imported if the page is opened in a browser, as one phrase each.
    pub not_imported: Vec<String>,
    /// Settings that are not imported if the page is not rendered, each as a phrase.
    pub not_imported_without: Vec<String>,
}

/// Comparison of screenshots of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedVisual {
    /// CSS selector of the compared part. `None` for the whole page.
    pub selector: Option<String>,
}

/// Step on a page in a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedStep {
    /// Name in reports. It does not contain the text that the step types, which may be secret.
    pub label: String,
    pub action: StepAction,
}

/// Action of a step. Selectors are CSS.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepAction {
    Click {
        selector: String,
    },
    Type {
        selector: String,
        text: String,
    },
    Wait {
        milliseconds: u32,
    },
    ScrollToEnd,
    /// Action without a counterpart. The following steps do not depend on it.
    Dispensable,
    /// Action without a counterpart. The following steps depend on it.
    Unsupported,
}

impl ListedMonitor {
    pub(super) fn new(name: &str, url: &str) -> Self {
        Self {
            name: cut(name),
            url: cut(url),
            target: Target::Page { selector: None },
            ignore: Vec::new(),
            trigger: Trigger::default(),
            interval_minutes: None,
            is_paused: false,
            tags: Vec::new(),
            browser: None,
            not_imported: Vec::new(),
        }
    }

    /// Records a setting that was not imported.
    pub(super) fn omit(&mut self, setting: &str) {
        add_omitted(&mut self.not_imported, setting);
    }
}

/// Adds a setting that is not imported to a list of such settings.
pub(super) fn add_omitted(not_imported: &mut Vec<String>, setting: &str) {
    if not_imported.len() < MAX_NAMED && !not_imported.iter().any(|known| known == setting) {
        not_imported.push(setting.chars().take(200).collect());
    }
}

/// Trims a text and truncates it to the maximum length.
pub(super) fn cut(text: &str) -> String {
    text.trim().chars().take(MAX_CHARS).collect()
}

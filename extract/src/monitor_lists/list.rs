//! Lists of monitors that are read from files of other programs.

use serde::{Deserialize, Serialize};

use crate::watch::{Ignore, Target, Trigger};

/// Maximum number of monitors that are read.
pub const MAX_MONITORS: usize = 1_000;
/// Maximum number of settings of a monitor that are reported as not imported.
const MAX_NAMED: usize = 30;
/// Maximum number of characters in a text that is copied from a list.
const MAX_CHARS: usize = 2_000;

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
    /// Settings that were not imported, as one phrase each.
    pub not_imported: Vec<String>,
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
            not_imported: Vec::new(),
        }
    }

    /// Records a setting that was not imported.
    pub(super) fn omit(&mut self, setting: &str) {
        if self.not_imported.len() < MAX_NAMED && !self.not_imported.iter().any(|known| known == setting) {
            self.not_imported.push(setting.chars().take(200).collect());
        }
    }
}

/// Trims a text and truncates it to the maximum length.
pub(super) fn cut(text: &str) -> String {
    text.trim().chars().take(MAX_CHARS).collect()
}

//! Reads lists of monitors that other programs export: backups of changedetection.io and job lists of
//! urlwatch. Settings without a counterpart in Carrel are listed in `not_imported`. The cost of reading is
//! limited.

mod browser_settings;
mod changedetection;
mod fields;
mod filters;
mod list;
#[cfg(test)]
mod tests;
mod urlwatch;

pub use self::list::{
    ListFormat, ListedBrowser, ListedMonitor, ListedStep, ListedVisual, MAX_MONITORS, MonitorList, StepAction,
};

/// Reads a list. `None` if the file was not written by a known program.
pub fn read(bytes: &[u8]) -> Option<MonitorList> {
    if bytes.starts_with(b"PK\x03\x04") {
        return changedetection::read_archive(bytes);
    }
    if bytes.trim_ascii_start().starts_with(b"{") {
        return serde_json::from_slice(bytes).ok().and_then(|list| changedetection::read_json(&list));
    }
    urlwatch::read(bytes)
}

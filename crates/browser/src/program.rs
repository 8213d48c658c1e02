//! Program of the browser.

use std::path::{Path, PathBuf};

/// Usual places of Chromium and its relatives, in order of preference.
const PLACES: [&str; 7] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/lib/chromium/chromium",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/usr/local/bin/chromium",
];

/// Finds a Chromium in its usual places. `None` if none is installed.
pub fn find_program() -> Option<PathBuf> {
    PLACES.iter().map(Path::new).find(|place| place.is_file()).map(Path::to_owned)
}

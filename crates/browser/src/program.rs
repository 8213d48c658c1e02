//! Program of the browser.

use std::path::{Path, PathBuf};

/// Paths of Chromium and browsers derived from it in distributions, in order of preference.
const PATHS: [&str; 7] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/lib/chromium/chromium",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/usr/local/bin/chromium",
];

/// Finds the browser in the paths where distributions install it. `None` if none is installed.
pub fn find_program() -> Option<PathBuf> {
    PATHS.iter().map(Path::new).find(|path| path.is_file()).map(Path::to_owned)
}

//! Error history of a job, stored in its row: one line with a JSON object per failed attempt, newest last.
//! The oldest lines are removed if the text grows too long.

use sea_orm::DbBackend;
use serde::{Deserialize, Serialize};

use kernel::Millis;

/// Maximum length of the error history in characters: about a dozen of the longest entries.
const MAX_CHARS: u32 = 8_000;

/// A failed attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptFailure {
    /// Time of the failure, in milliseconds.
    pub at: Millis,
    /// Number of the attempt, starting at 1.
    pub attempt: u32,
    /// Name of the claim; empty if the worker was lost.
    #[serde(default)]
    pub worker: String,
    pub code: String,
    pub message: String,
}

impl AttemptFailure {
    /// Serializes the failure to a line.
    pub(super) fn line(&self) -> String {
        // Serialization cannot fail for numbers and texts.
        serde_json::to_string(self).map(|line| line + "\n").unwrap_or_default()
    }
}

/// Parses the failures of a job, oldest first. Skips a line that is truncated.
pub(super) fn read(errors: Option<&str>) -> Vec<AttemptFailure> {
    errors.unwrap_or_default().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Returns the SQL expression for the column `errors` with `line` appended.
pub(super) fn with_line(backend: DbBackend, line: &str) -> String {
    match backend {
        DbBackend::Postgres => format!("RIGHT(COALESCE(errors, '') || {line}, {MAX_CHARS})"),
        _ => format!("SUBSTR(COALESCE(errors, '') || {line}, -{MAX_CHARS})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncated_line_is_skipped() {
        let failure = AttemptFailure {
            at: 7,
            attempt: 2,
            worker: "w".into(),
            code: "internal".into(),
            message: "a \"b\"\nc".into(),
        };
        let line = failure.line();
        assert_eq!(line.lines().count(), 1);
        assert_eq!(read(Some(&format!("ssage\":\"x\"}}\n{line}"))), [failure]);
        assert!(read(None).is_empty());
    }
}

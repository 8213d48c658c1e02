//! What went wrong at each start of a job, kept in its row: a JSON object a line, the newest last, and the oldest cut off
//! where it grows too long.

use sea_orm::DbBackend;
use serde::{Deserialize, Serialize};

use kernel::clock::Millis;
use kernel::code::Code;

/// Characters that are kept of a job's errors: a dozen of the longest.
const KEPT: u32 = 8_000;

/// One start that did not end well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartFailure {
    /// When it ended, in milliseconds.
    pub at: Millis,
    /// Which start it was, from 1.
    pub attempt: u32,
    /// Who ran it; empty where that was lost too.
    #[serde(default)]
    pub worker: String,
    /// Machine-readable code.
    pub code: String,
    /// Human-readable message.
    pub message: String,
}

impl StartFailure {
    /// The line that is kept of it.
    pub(super) fn line(&self) -> String {
        // What is made of numbers and texts can be written.
        serde_json::to_string(self).map(|line| line + "\n").unwrap_or_default()
    }
}

/// The errors of a job, oldest first. A line that was cut is left out.
pub(super) fn read(errors: Option<&str>) -> Vec<StartFailure> {
    errors.unwrap_or_default().lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The column `errors` with a line behind it, as an expression.
pub(super) fn with_line(backend: DbBackend, line: &str) -> String {
    match backend {
        DbBackend::Postgres => format!("RIGHT(COALESCE(errors, '') || {line}, {KEPT})"),
        _ => format!("SUBSTR(COALESCE(errors, '') || {line}, -{KEPT})"),
    }
}

/// The two parts of the line for a start whose worker was lost; the number of the start stands between them.
pub(super) fn lost_line(at: Millis, code: Code, message: &str) -> (String, String) {
    let failure = StartFailure {
        at,
        attempt: 0,
        worker: String::new(),
        code: code.to_string(),
        message: message.to_owned(),
    };
    let line = failure.line();
    let (before, after) = line.split_once("\"attempt\":0").unwrap_or((&line, ""));
    (format!("{before}\"attempt\":"), after.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_is_left_out() {
        let failure = StartFailure {
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
        let (before, after) = lost_line(9, Code::WorkerLost, "lost");
        assert_eq!(read(Some(&format!("{before}3{after}")))[0].attempt, 3);
    }
}

//! Response types for runs of monitors.

use kernel::rfc3339;
use poem_openapi::{Enum, Object};

/// Outcome of a run.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorOutcome {
    /// The run recorded the baseline that later runs are compared with.
    Baseline,
    /// The run found no change to report.
    Unchanged,
    /// The run found a change.
    Changed,
    /// The source could not be read; `errorCode` has the reason.
    Error,
}

/// Run of a monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorRun {
    /// Id of the run (UUID).
    pub id: String,
    /// Start time, or the request time of a run that has not started, RFC 3339 UTC.
    pub started_at: String,
    /// End time, RFC 3339 UTC; null while the run is in progress.
    pub finished_at: Option<String>,
    /// Outcome; null while the run is in progress.
    pub outcome: Option<MonitorOutcome>,
    /// Number of added blocks, URLs or items.
    pub added: u32,
    /// Number of removed blocks, URLs or items.
    pub removed: u32,
    /// Number of modified blocks, URLs or items.
    pub modified: u32,
    /// Charged credits: 0 if the source was unchanged, the run failed, or another monitor of the account had
    /// just downloaded the source.
    pub credits: u32,
    /// Error code of a failed run; otherwise null.
    pub error_code: Option<String>,
    /// Warnings about the content, with the codes of a preview's warnings, such as `parts_not_watched`. Empty
    /// if the source was unchanged.
    pub warnings: Vec<String>,
}

impl From<monitors::Run> for MonitorRun {
    fn from(run: monitors::Run) -> Self {
        let outcome = run.outcome.as_deref().map(|word| match word {
            "baseline" => MonitorOutcome::Baseline,
            "unchanged" => MonitorOutcome::Unchanged,
            "changed" => MonitorOutcome::Changed,
            _ => MonitorOutcome::Error,
        });
        Self {
            id: run.id.to_string(),
            started_at: rfc3339(run.started_at),
            finished_at: run.finished_at.map(rfc3339),
            outcome,
            added: run.added,
            removed: run.removed,
            modified: run.modified,
            credits: run.credits,
            error_code: run.error_code.map(|code| code.to_string()),
            warnings: run.warnings,
        }
    }
}

/// Response with one run.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct MonitorRunOne {
    /// The run.
    pub run: MonitorRun,
}

/// Page of runs.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct MonitorRunList {
    /// Runs, newest first.
    pub runs: Vec<MonitorRun>,
    /// Cursor of the next page; null on the last page.
    pub next_cursor: Option<String>,
}

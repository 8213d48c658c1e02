//! Runs of monitors as the API description shows them.

use kernel::rfc3339;
use poem_openapi::{Enum, Object};

/// How a run ended.
#[derive(Debug, Clone, Copy, Enum)]
#[oai(rename_all = "snake_case")]
pub(super) enum MonitorOutcome {
    /// The first run, which later ones are compared with.
    Baseline,
    /// Nothing worth reporting.
    Unchanged,
    /// A change.
    Changed,
    /// The source could not be read, for the reason in `errorCode`.
    Error,
}

/// A run of a monitor.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase")]
pub(super) struct MonitorRun {
    /// Its id, a UUID.
    pub id: String,
    /// When it started, or was requested.
    pub started_at: String,
    /// When it ended; null while it is in progress.
    pub finished_at: Option<String>,
    /// How it ended; null while it is in progress.
    pub outcome: Option<MonitorOutcome>,
    /// Blocks, addresses or items that were not there before.
    pub added: u32,
    /// Those that are gone.
    pub removed: u32,
    /// Those that are different now.
    pub modified: u32,
    /// Its cost: 0 when the source sent the same as before, when the run failed, or when another monitor of the account
    /// had just downloaded it.
    pub credits: u32,
    /// Code of the error.
    pub error_code: Option<String>,
    /// What a person should know of what was seen, by the words of a preview's warnings, such as `parts_not_watched`;
    /// empty when the source sent the same as before.
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

/// A run that was requested.
#[derive(Debug, Object)]
#[oai(example)]
pub(super) struct MonitorRunOne {
    /// The run.
    pub run: MonitorRun,
}

/// A page of runs.
#[derive(Debug, Object)]
#[oai(rename_all = "camelCase", example)]
pub(super) struct MonitorRunList {
    /// Newest first.
    pub runs: Vec<MonitorRun>,
    /// Cursor of the next page; null on the last one.
    pub next_cursor: Option<String>,
}

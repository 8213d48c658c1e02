//! Counts and problems of the rows of an import.

use entities::library_import;

use super::import::RowProblem;
use super::import_record::RowError;

/// Maximum number of problems that are recorded for an import.
pub(super) const MAX_PROBLEMS: usize = 100;

/// Counts of a batch of rows.
#[derive(Debug, Default, Clone)]
pub(super) struct ImportTally {
    pub(super) created: i64,
    pub(super) existing: i64,
    pub(super) skipped: i64,
    pub(super) failed: i64,
    pub(super) highlights: i64,
    pub(super) problems: Vec<RowProblem>,
}

impl ImportTally {
    /// Counts that are recorded for an import.
    pub(super) fn of(row: &library_import::Model) -> Self {
        Self {
            created: row.created,
            existing: row.existing,
            skipped: row.skipped,
            failed: row.failed,
            highlights: row.highlights,
            problems: serde_json::from_str(&row.problems).unwrap_or_default(),
        }
    }

    /// Records the problem of a row that is imported nevertheless.
    pub(super) fn note(&mut self, row: u64, row_error: &RowError) {
        if self.problems.len() < MAX_PROBLEMS {
            let RowError { code, reason, .. } = row_error.clone();
            self.problems.push(RowProblem { row, code, reason });
        }
    }

    /// Counts a row that is not imported, and records its problem.
    pub(super) fn refuse(&mut self, row: u64, row_error: &RowError) {
        if row_error.is_skipped {
            self.skipped += 1;
        } else {
            self.failed += 1;
        }
        self.note(row, row_error);
    }

    /// Adds the counts of the next batch.
    pub(super) fn add(&mut self, more: Self) {
        self.created += more.created;
        self.existing += more.existing;
        self.skipped += more.skipped;
        self.failed += more.failed;
        self.highlights += more.highlights;
        let capacity = MAX_PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(more.problems.into_iter().take(capacity));
    }
}

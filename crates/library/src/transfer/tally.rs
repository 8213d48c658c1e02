//! Counts, problems, and results of imported rows.

use std::collections::BTreeMap;

use entities::ids::ItemId;
use entities::library_import;
use entities::library_words::RowOutcome;

use super::import::{MAX_PROBLEMS, RowProblem};
use super::import_record::RowError;

/// Maximum number of problems that the report lists for a row.
const MAX_ROW_PROBLEMS: usize = 10;

/// Counts, problems, and results of a batch of rows.
#[derive(Debug, Default, Clone)]
pub(super) struct ImportTally {
    pub(super) created: i64,
    pub(super) existing: i64,
    pub(super) skipped: i64,
    pub(super) failed: i64,
    pub(super) highlights: i64,
    pub(super) problems: Vec<RowProblem>,
    /// Results of the rows, by row number.
    pub(super) results: BTreeMap<u64, ImportRowResult>,
}

#[derive(Debug, Default, Clone)]
pub(super) struct ImportRowResult {
    /// Outcome of the row. `None` until the row is counted.
    pub(super) outcome: Option<RowOutcome>,
    pub(super) item_id: Option<ItemId>,
    /// True if the row contains notes or highlights of a book.
    pub(super) is_of_annotations: bool,
    pub(super) problems: Vec<RowError>,
}

impl ImportTally {
    /// Loads the counts and problems that are recorded for an import.
    pub(super) fn of(row: &library_import::Model) -> Self {
        Self {
            created: row.created,
            existing: row.existing,
            skipped: row.skipped,
            failed: row.failed,
            highlights: row.highlights,
            problems: serde_json::from_str(&row.problems).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Records a problem that does not prevent the import of its row.
    pub(super) fn note(&mut self, row: u64, row_error: &RowError) {
        if self.problems.len() < MAX_PROBLEMS {
            let RowError { code, reason, .. } = row_error.clone();
            self.problems.push(RowProblem { row, code, reason });
        }
        let listed = &mut self.results.entry(row).or_default().problems;
        if listed.len() < MAX_ROW_PROBLEMS {
            listed.push(row_error.clone());
        } else if listed.len() == MAX_ROW_PROBLEMS {
            listed.push(RowError::of("more_problems", "further problems with this row are not listed"));
        }
    }

    pub(super) fn note_all(&mut self, row: u64, row_errors: &[RowError]) {
        for row_error in row_errors {
            self.note(row, row_error);
        }
    }

    /// Counts a row that is not imported, and records its problem.
    pub(super) fn refuse(&mut self, row: u64, row_error: &RowError) {
        let outcome = if row_error.is_skipped { RowOutcome::Skipped } else { RowOutcome::Failed };
        self.settle(row, outcome, None);
        self.note(row, row_error);
    }

    /// Counts a row, and records its outcome.
    pub(super) fn settle(&mut self, row: u64, outcome: RowOutcome, item_id: Option<ItemId>) {
        self.count(outcome, 1);
        let result = self.results.entry(row).or_default();
        (result.outcome, result.item_id) = (Some(outcome), item_id);
    }

    /// Counts a row whose item existed.
    pub(super) fn settle_existing(&mut self, row: u64, item_id: ItemId, is_of_annotations: bool) {
        self.settle(row, RowOutcome::Existing, Some(item_id));
        self.results.entry(row).or_default().is_of_annotations = is_of_annotations;
    }

    /// Counts a note or highlight that a row created. If the book of the row existed, the row is an annotation.
    pub(super) fn count_annotation(&mut self, row: u64) {
        self.highlights += 1;
        let Some(result) = self.results.get_mut(&row) else { return };
        if result.is_of_annotations
            && let Some(outcome @ (RowOutcome::Existing | RowOutcome::Skipped)) = result.outcome
        {
            result.outcome = Some(RowOutcome::Annotation);
            self.count(outcome, -1);
        }
    }

    /// Records that a row has annotations that were deleted from this library. A row that has nothing else is skipped.
    pub(super) fn skip_annotations(&mut self, row: u64, count: usize) {
        let reason = format!("notes and highlights that were deleted from this library: {count}");
        self.note(row, &RowError::skipped("deleted", &reason));
        let result = self.results.entry(row).or_default();
        // The row of a book counts as existing until one of its notes or highlights is created.
        let unchanged = if result.is_of_annotations { RowOutcome::Existing } else { RowOutcome::Annotation };
        if result.outcome == Some(unchanged) {
            result.outcome = Some(RowOutcome::Skipped);
            self.count(unchanged, -1);
            self.count(RowOutcome::Skipped, 1);
        }
    }

    /// Adds `change` to the count of an outcome.
    pub(super) fn count(&mut self, outcome: RowOutcome, change: i64) {
        match outcome {
            RowOutcome::Created => self.created += change,
            RowOutcome::Existing => self.existing += change,
            RowOutcome::Skipped => self.skipped += change,
            RowOutcome::Failed => self.failed += change,
            RowOutcome::Annotation => {}
        }
    }

    /// Adds the counts, problems, and results of the next batch.
    pub(super) fn add(&mut self, more: Self) {
        self.created += more.created;
        self.existing += more.existing;
        self.skipped += more.skipped;
        self.failed += more.failed;
        self.highlights += more.highlights;
        let capacity = MAX_PROBLEMS.saturating_sub(self.problems.len());
        self.problems.extend(more.problems.into_iter().take(capacity));
        self.results.extend(more.results);
    }
}

//! Results of the rows of a batch, from their preparation to the report of the import.

use std::collections::HashSet;

use entities::ids::ItemId;
use entities::library_words::RowOutcome;

use super::import_record::ImportRecord;
use super::import_report::{RowLabel, RowReport};
use super::row_preparer::PreparedRow;
use super::tally::ImportTally;

/// Outcome of the transaction in which a batch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BatchMode {
    Committed,
    /// The transaction is rolled back, because the import is a dry run.
    RolledBack,
}

/// Labels of a batch's rows, and the results of the rows that are not written.
pub(super) struct BatchResults {
    labels: Vec<(u64, RowLabel)>,
    tally: ImportTally,
}

/// Splits rows into the records to be written and the results of the other rows.
pub(super) fn split(rows: Vec<PreparedRow>) -> (Vec<ImportRecord>, BatchResults) {
    let mut batch = BatchResults { labels: Vec::with_capacity(rows.len()), tally: ImportTally::default() };
    let mut records = Vec::with_capacity(rows.len());
    for PreparedRow { number, label, record } in rows {
        batch.labels.push((number, label));
        match record {
            Ok(record) => records.push(record),
            Err(row_error) => batch.tally.refuse(number, &row_error),
        }
    }
    (records, batch)
}

impl BatchResults {
    /// Returns the counts of the batch, and the results of its rows in their order. `written` contains the
    /// counts and results of the written records.
    pub(super) fn finish(self, written: ImportTally, mode: BatchMode) -> (ImportTally, Vec<RowReport>) {
        let Self { labels, mut tally } = self;
        tally.add(written);
        let mut results = std::mem::take(&mut tally.results);
        let created = results.values().filter(|result| result.outcome == Some(RowOutcome::Created));
        let dropped: HashSet<ItemId> =
            created.filter(|_| mode == BatchMode::RolledBack).filter_map(|result| result.item_id).collect();
        let report = |(number, label): (u64, RowLabel)| {
            let mut result = results.remove(&number).unwrap_or_default();
            result.item_id = result.item_id.filter(|id| !dropped.contains(id));
            RowReport::of(number, label, result)
        };
        let reports = labels.into_iter().map(report).collect();
        (tally, reports)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transfer::import_record::RowError;

    fn refused(number: u64) -> PreparedRow {
        let record = Err(RowError::skipped("invalid_url", "why"));
        PreparedRow { number, label: RowLabel::of(Some("T"), None), record }
    }

    #[test]
    fn report_of_a_dry_run_contains_no_ids_of_created_items() {
        let item_id = ItemId::from(uuid::Uuid::from_u128(1));
        for (mode, expected) in [(BatchMode::Committed, Some(item_id)), (BatchMode::RolledBack, None)] {
            let (records, mut batch) = split(vec![refused(3)]);
            assert!(records.is_empty());
            batch.labels.insert(0, (2, RowLabel::default()));
            let mut written = ImportTally::default();
            written.settle(2, RowOutcome::Created, Some(item_id));
            let (tally, reports) = batch.finish(written, mode);
            assert_eq!((tally.created, tally.skipped, tally.results.len()), (1, 1, 0));
            assert_eq!((reports[0].row, reports[0].item_id), (2, expected));
            assert_eq!((reports[1].outcome, reports[1].problems.len()), (RowOutcome::Skipped, 1));
        }
    }
}

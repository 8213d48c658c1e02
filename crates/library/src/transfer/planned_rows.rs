//! Rows of a dry run that repeat rows of earlier batches. The transaction of each batch is rolled back, so the
//! database does not have the items and annotations that earlier batches would create. A dry run that
//! continues after a crash does not know them either.

use std::collections::{HashMap, HashSet};

use entities::ids::{AccountId, ItemId};
use entities::library_words::RowOutcome;
use uuid::Uuid;

use super::import_record::ImportRecord;
use super::import_writer;
use super::native_format;
use super::tally::ImportTally;
use crate::keys::ItemKey;

/// Number of bytes of a key's hash that are retained.
const PREFIX_BYTES: usize = 16;

type KeyPrefix = [u8; PREFIX_BYTES];

/// Items and annotations that the batches of a dry run would create.
#[derive(Default)]
pub(super) struct PlannedRows {
    keys: HashSet<KeyPrefix>,
    /// Ids in the file of the items that the library has or would have, with the existing items.
    items: HashMap<KeyPrefix, Option<ItemId>>,
    /// Ids in the file of the items that are skipped, because they were deleted.
    deleted: HashSet<KeyPrefix>,
    annotations: HashSet<Uuid>,
}

/// Keys and annotations of a row.
pub(super) struct RowPlan {
    number: u64,
    keys: Vec<KeyPrefix>,
    /// Key by which other rows of the file refer to the item.
    source_key: Option<KeyPrefix>,
    annotations: Vec<Uuid>,
}

impl RowPlan {
    pub(super) fn of(record: &ImportRecord, account_id: AccountId) -> Self {
        let ids = record.annotations.iter().map(|annotation| annotation.source_key.id_in(account_id));
        let source_key = record.keys.iter().find(|key| native_format::source_item_id(key).is_some());
        Self {
            number: record.number,
            keys: prefixes(record).collect(),
            source_key: source_key.and_then(prefix),
            annotations: ids.collect(),
        }
    }
}

impl PlannedRows {
    /// Splits off the rows whose items earlier batches would create, and the annotations of skipped items. Returns the
    /// other rows, and the results of the rows that were split off.
    pub(super) fn split_off(
        &mut self,
        records: Vec<ImportRecord>,
        account_id: AccountId,
    ) -> (Vec<ImportRecord>, ImportTally) {
        let is_planned = |record: &ImportRecord| {
            record.item.is_some() && prefixes(record).any(|key| self.keys.contains(&key))
        };
        let (planned, mut others): (Vec<ImportRecord>, Vec<ImportRecord>) =
            records.into_iter().partition(is_planned);
        let mut tally = ImportTally::default();
        for record in planned {
            tally.note_all(record.number, &record.warnings);
            tally.settle(record.number, RowOutcome::Existing, None);
            tally.results.entry(record.number).or_default().is_of_annotations = record.is_of_annotations();
            let RowPlan { number, keys, source_key, annotations } = RowPlan::of(&record, account_id);
            for id in annotations {
                if self.annotations.insert(id) {
                    tally.count_annotation(number);
                }
            }
            self.keys.extend(keys);
            self.items.extend(source_key.map(|key| (key, None)));
        }
        others.retain_mut(|record| {
            let Some(key) = record.refers_to.as_ref().and_then(prefix) else { return true };
            if let Some(item_id) = self.items.get(&key) {
                // The database has neither this key nor the items that the import would create.
                record.refers_to = item_id.map(native_format::import_key);
                return true;
            }
            let is_deleted = self.deleted.contains(&key);
            if is_deleted {
                tally.refuse(record.number, &import_writer::was_deleted());
            }
            !is_deleted
        });
        (others, tally)
    }

    /// Adds the annotations of a batch, and the keys of the rows that would create their items. `written` has
    /// the results of the rows.
    pub(super) fn add(&mut self, rows: Vec<RowPlan>, written: &ImportTally) {
        let made = written.results.values().filter(|result| result.outcome == Some(RowOutcome::Created));
        let made: HashSet<ItemId> = made.filter_map(|result| result.item_id).collect();
        for row in rows {
            let Some(result) = written.results.get(&row.number) else { continue };
            match result.outcome {
                Some(RowOutcome::Created) => {
                    self.keys.extend(row.keys);
                    self.items.extend(row.source_key.map(|key| (key, None)));
                }
                Some(RowOutcome::Existing) => {
                    let existing = result.item_id.filter(|id| !made.contains(id));
                    self.items.extend(row.source_key.map(|key| (key, existing)));
                }
                Some(RowOutcome::Skipped) => self.deleted.extend(row.source_key),
                Some(RowOutcome::Annotation | RowOutcome::Failed) | None => {}
            }
            self.annotations.extend(row.annotations);
        }
    }
}

fn prefixes(record: &ImportRecord) -> impl Iterator<Item = KeyPrefix> {
    record.keys.iter().filter_map(prefix)
}

fn prefix(key: &ItemKey) -> Option<KeyPrefix> {
    key.hash().first_chunk().copied()
}

//! Batches of imported rows. All batches of an import share a memory limit while they are received, parsed,
//! prepared, and written.

use std::sync::Arc;

use extract::imports::Format;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::batch_size::BatchSize;
use super::import_rows::{ImportEntry, ImportRows, ReceivedRow};
use super::shared_file::FileError;

/// Size of the rows in memory at which a batch is full, even if it has fewer rows. It also bounds the number of
/// highlights in a batch, because their values count towards the size.
const BATCH_BYTES: usize = 6 * 1024 * 1024;
/// Default limit on the memory of rows, in bytes.
const MEMORY_BYTES: u32 = 96 * 1024 * 1024;

/// Limit on the memory of all rows between their arrival and the commit of their transaction.
pub(super) struct MemoryBound {
    free: Arc<Semaphore>,
    bytes: u32,
}

impl Default for MemoryBound {
    fn default() -> Self {
        Self::of(MEMORY_BYTES)
    }
}

impl MemoryBound {
    pub(super) fn of(bytes: u32) -> Self {
        Self { free: Arc::new(Semaphore::new(bytes as usize)), bytes }
    }

    /// Returns the number of bytes that a row reserves. A row that exceeds the limit reserves all bytes.
    fn share(&self, row: &ReceivedRow) -> u32 {
        u32::try_from(row.memory()).unwrap_or(u32::MAX).min(self.bytes)
    }
}

/// Parsed rows with their numbers.
pub(super) struct RowBatch {
    pub(super) rows: Vec<(u64, Format, ImportEntry)>,
    /// Memory of the rows. It is released after the rows are written.
    pub(super) memory: RowMemory,
}

/// Memory that is reserved for rows. It is released on drop.
#[derive(Debug)]
pub(super) struct RowMemory {
    _permit: OwnedSemaphorePermit,
}

/// Range of a file's rows that are imported.
#[derive(Debug, Default)]
pub(super) struct RowRange {
    /// Number of the first row that is received.
    pub(super) first: u64,
    /// Numbers of the rows that are imported, in ascending order. `None` imports all rows.
    pub(super) only: Option<Vec<u64>>,
}

impl RowRange {
    fn contains(&self, number: u64) -> bool {
        self.only.as_ref().is_none_or(|only| only.binary_search(&number).is_ok())
    }
}

/// Limits on the batches of an import.
pub(super) struct BatchBounds {
    pub(super) memory: MemoryBound,
    pub(super) size: BatchSize,
}

impl BatchBounds {
    /// Returns the limits with the default memory.
    pub(super) fn of(size: BatchSize) -> Self {
        Self { memory: MemoryBound::default(), size }
    }
}

/// Receives rows, and sends the rows of a range in batches. Each batch is written in one transaction.
pub(super) async fn send_batches(
    mut rows: ImportRows,
    range: RowRange,
    BatchBounds { memory, size }: BatchBounds,
    sender: mpsc::Sender<RowBatch>,
) -> Result<(), FileError> {
    let (mut number, mut batch) = (range.first, ReceivedBatch::default());
    while let Some(row) = rows.next().await? {
        if !range.contains(number) {
            number += 1;
            continue;
        }
        let share = memory.share(&row);
        let permit = if let Ok(permit) = Arc::clone(&memory.free).try_acquire_many_owned(share) {
            permit
        } else {
            // The memory of earlier rows is released only after they are written, so they are sent first.
            if !std::mem::take(&mut batch).send(&sender).await? {
                return Ok(());
            }
            let waiting = Arc::clone(&memory.free).acquire_many_owned(share);
            waiting.await.map_err(|_| FileError::Unreadable)?
        };
        batch.add(number, row, permit);
        number += 1;
        if batch.is_full(size.rows()) && !std::mem::take(&mut batch).send(&sender).await? {
            return Ok(());
        }
    }
    batch.send(&sender).await.map(drop)
}

/// Rows that are not parsed yet.
#[derive(Default)]
struct ReceivedBatch {
    rows: Vec<(u64, ReceivedRow)>,
    memory: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl ReceivedBatch {
    fn add(&mut self, number: u64, row: ReceivedRow, permit: OwnedSemaphorePermit) {
        self.memory = self.memory.saturating_add(row.memory());
        self.rows.push((number, row));
        match &mut self.permit {
            Some(all) => all.merge(permit),
            None => self.permit = Some(permit),
        }
    }

    fn is_full(&self, rows: usize) -> bool {
        self.rows.len() >= rows || self.memory >= BATCH_BYTES
    }

    /// Parses the rows and sends them. An empty batch is not sent. Returns false if the receiver was dropped.
    async fn send(self, sender: &mpsc::Sender<RowBatch>) -> Result<bool, FileError> {
        let Self { rows, permit: Some(permit), .. } = self else { return Ok(true) };
        let parsing = tokio::task::spawn_blocking(move || {
            rows.into_iter().map(|(number, row)| (number, row.format, row.parse())).collect()
        });
        let rows = parsing.await.map_err(|_| FileError::Unreadable)?;
        Ok(sender.send(RowBatch { rows, memory: RowMemory { _permit: permit } }).await.is_ok())
    }
}

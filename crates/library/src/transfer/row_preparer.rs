//! Converts received rows into import records.

use entities::ids::AccountId;
use extract::imports::Format;
use extract::sandbox::Pool;
use tokio::sync::mpsc;

use super::folder_tags::FolderTags;
use super::foreign_row::{self, RowSource};
use super::import_record::{ImportRecord, RowError};
use super::import_report::RowLabel;
use super::import_rows::{ImportEntry, ParsedLine, ParsedRow};
use super::native_format;
use super::row_batches::{RowBatch, RowMemory};
use kernel::{Domain, Result};

/// Batch of rows that are ready to be written.
pub(super) struct PreparedBatch {
    pub(super) rows: Vec<PreparedRow>,
    pub(super) memory: RowMemory,
}

/// Row that is ready to be written.
pub(super) struct PreparedRow {
    pub(super) number: u64,
    pub(super) label: RowLabel,
    /// Record of the row, or the reason why the row is not imported.
    pub(super) record: Result<ImportRecord, RowError>,
}

/// Converts received rows into import records.
#[derive(Clone, Copy)]
pub(super) struct RowPreparer<'a> {
    pub(super) domain: &'a Domain,
    /// Sandbox in which the texts of rows are extracted. `None` in a dry run.
    pub(super) sandbox: Option<&'a Pool>,
    pub(super) account_id: AccountId,
    pub(super) folders: FolderTags,
}

impl RowPreparer<'_> {
    /// Prepares the next batch. `None` at the end of the file.
    pub(super) async fn next(&self, batches: &mut mpsc::Receiver<RowBatch>) -> Result<Option<PreparedBatch>> {
        let Some(RowBatch { rows, memory }) = batches.recv().await else { return Ok(None) };
        let mut prepared = Vec::with_capacity(rows.len());
        for (number, format, entry) in rows {
            let label = label_of(&entry);
            let record = self.prepare(number, format, entry).await?;
            prepared.push(PreparedRow { number, label, record });
            // Lets other tasks run, because preparing a row might not await anything.
            tokio::task::yield_now().await;
        }
        Ok(Some(PreparedBatch { rows: prepared, memory }))
    }

    async fn prepare(
        &self,
        number: u64,
        format: Format,
        entry: ImportEntry,
    ) -> Result<Result<ImportRecord, RowError>> {
        match entry {
            ImportEntry::Row(Ok(ParsedRow { row, file })) => {
                let (domain, sandbox, folders) = (self.domain, self.sandbox, self.folders);
                let source = RowSource { domain, sandbox, folders, format, number };
                let mut record = match source.prepare(*row).await {
                    Ok(record) => record,
                    Err(problem) => return Ok(Err(problem)),
                };
                if let Some(file) = file {
                    foreign_row::attach_file(domain, self.account_id, &mut record, file.file).await?;
                }
                Ok(Ok(record))
            }
            ImportEntry::Line(Ok(ParsedLine { line, file })) => {
                let file = file.map(|file| file.file);
                let mut record =
                    native_format::prepare(self.domain, self.account_id, number, *line, file).await?;
                // A dry run does not unpack files, so it does not know which are missing.
                if let (None, Ok(record)) = (self.sandbox, &mut record) {
                    record.warnings.retain(|warning| warning.code != native_format::MISSING_FILE);
                }
                Ok(record)
            }
            ImportEntry::Row(Err(problem)) | ImportEntry::Line(Err(problem)) => {
                Ok(Err(RowError::of_invalid(problem)))
            }
        }
    }
}

/// Returns the title and the URL by which a person recognises a row.
fn label_of(entry: &ImportEntry) -> RowLabel {
    match entry {
        ImportEntry::Row(Ok(parsed)) => foreign_row::label_of(&parsed.row),
        ImportEntry::Line(Ok(parsed)) => native_format::label_of(&parsed.line),
        ImportEntry::Row(Err(_)) | ImportEntry::Line(Err(_)) => RowLabel::default(),
    }
}

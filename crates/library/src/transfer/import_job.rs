//! Job that runs the oldest import of an account. It resubmits itself for the next import, so that the
//! imports of other accounts run in between. A child process reads the file twice: first to count its rows,
//! then to send them. Rows are written in batches, whose size is derived from the time that they take.
//! Another task prepares the next batch, so that the preparation does not prolong the transaction of a batch.
//! A killed run continues after the last committed batch. A retry reads the whole file, but writes only the
//! rows that failed.

use async_recursion::async_recursion as boxed;
use std::fs::File;
use std::io::Write;
use std::pin::pin;
use std::time::{Duration, Instant};

use entities::ids::AccountId;
use entities::library_import;
use entities::library_words::{ImportKind, TransferState};
use extract::imports::Format;
use extract::sandbox::Pool;
use futures_util::TryStreamExt;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::account_export;
use super::batch_size::BatchSize;
use super::blocking::blocking;
use super::folder_tags::FolderTags;
use super::import_protocol::ImportPassOptions;
use super::import_record::ImportScope;
use super::import_report::{self, ReportWriter, RowReport};
use super::import_rows::{ImportRows, RowCount};
use super::import_writer;
use super::list_import_job::run_list;
use super::planned_rows::{PlannedRows, RowPlan};
use super::row_batches::{BatchBounds, RowBatch, RowRange, send_batches};
use super::row_preparer::{PreparedBatch, RowPreparer};
use super::row_results::{self, BatchMode};
use super::shared_file::{FileError, ItemFileMode};
use super::tally::ImportTally;
use super::{import_state, undo};
use kernel::{Code, Domain, Error, Result};

use crate::LibraryTransaction;

/// Interval at which the job checks if the import was cancelled, while it counts the rows.
const CANCELLATION_CHECK: Duration = Duration::from_secs(1);

/// Runs the oldest unfinished import of the account to which the job `claimed` belongs.
#[boxed]
pub async fn run_imports(domain: &Domain, sandbox: &Pool, claimed: &jobs::Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    let sandbox = &sandbox.for_caller(Some(account_id.to_string()));
    if let Some(row) = unfinished(account_id).one(domain.db().write()).await? {
        let is_undo = matches!(row.state, TransferState::Complete | TransferState::Failed);
        match row.kind {
            _ if is_undo => Box::pin(undo::revert(domain, &row)).await?,
            ImportKind::Library => {
                let report = ReportWriter::open(domain, &row).await?;
                let tally = ImportTally::default();
                let planned = PlannedRows::default();
                let batch_size = BatchSize::of(domain.db().backend());
                Box::pin(ImportRun { domain, sandbox, row, tally, report, planned, batch_size }.run())
                    .await?;
            }
            ImportKind::Subscriptions => Box::pin(run_list(domain, sandbox, row)).await?,
            // The job of the server runs this import. The query does not return it.
            ImportKind::Server => {}
        }
    }
    // The account's next import runs in a new job, after the waiting imports of other accounts.
    let transaction = match LibraryTransaction::begin(domain, account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted, and its imports with it.
        Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
        Err(error) => return Err(error),
    };
    jobs::complete_in(transaction.db(), domain, claimed).await?;
    if unfinished(account_id).one(transaction.db()).await?.is_some() {
        super::import::submit(&transaction, domain).await?;
    }
    transaction.commit().await
}

struct ImportRun<'a> {
    domain: &'a Domain,
    sandbox: &'a Pool,
    row: library_import::Model,
    tally: ImportTally,
    report: ReportWriter,
    /// Rows of a dry run.
    planned: PlannedRows,
    batch_size: BatchSize,
}

impl ImportRun<'_> {
    async fn run(mut self) -> Result<()> {
        self.tally = ImportTally::of(&self.row);
        let file = self.download().await?;
        let RowCount { format, rows } = match self.count(&file).await? {
            Ok(Some(counted)) => counted,
            // The import was cancelled, as its row states.
            Ok(None) => return Ok(()),
            Err(broken) => return self.fail(failure_code(broken)?).await,
        };
        import_state::write(
            self.domain,
            self.row.id,
            library_import::ActiveModel {
                state: Set(TransferState::Running),
                total: Set(Some(i64::try_from(rows).unwrap_or(i64::MAX))),
                format: Set(
                    format.map_or_else(|| self.row.format.clone(), |format| format.as_str().to_owned())
                ),
                ..Default::default()
            },
        )
        .await?;
        match Box::pin(self.write_rows(&file)).await? {
            Ok(true) => {
                self.import_extra_parts(&file).await?;
                import_state::end(self.domain, self.row.id, TransferState::Complete, None).await
            }
            // The import was cancelled, as its row states.
            Ok(false) => Ok(()),
            Err(broken) => {
                let code = failure_code(broken)?;
                // If a file exceeds the limits, nothing is imported. In a retry, the file was already read
                // completely.
                if !self.row.is_retry {
                    undo::revert(self.domain, &self.row).await?;
                }
                self.fail(code).await
            }
        }
    }

    /// Imports the requested parts of the archive that do not belong to the library.
    async fn import_extra_parts(&mut self, file: &File) -> Result<()> {
        let include = account_export::parse_parts(&self.row.include);
        if include.is_empty() || self.row.is_dry || self.row.is_retry {
            return Ok(());
        }
        let (domain, account_id) = (self.domain, self.row.account_id);
        let tally = &mut self.tally;
        let parts =
            account_export::import_parts(domain, self.sandbox, account_id, &include, file, tally).await?;
        let change = library_import::ActiveModel {
            rows_done: NotSet,
            parts: Set(serde_json::to_string(&parts).map_err(Error::internal)?),
            ..import_state::progress(&self.tally, 0)?
        };
        import_state::write(self.domain, self.row.id, change).await
    }

    /// Downloads the file into an unnamed temporary file.
    async fn download(&self) -> Result<File> {
        let mut file = blocking(tempfile::tempfile).await?;
        let size = self.row.bytes.max(0).unsigned_abs();
        let mut bytes = self.domain.blobs().read(&self.row.blob, 0..size).await?;
        while let Some(piece) = bytes.try_next().await.map_err(Error::internal)? {
            file = blocking(move || {
                file.write_all(&piece)?;
                Ok(file)
            })
            .await?;
        }
        Ok(file)
    }

    /// Reads the file in one pass to detect its format and count its rows. `None` if the import was
    /// cancelled.
    async fn count(&self, file: &File) -> Result<Result<Option<RowCount>, FileError>> {
        let options = ImportPassOptions {
            format: Format::parse(&self.row.format),
            files: ItemFileMode::Skipped,
            skip: u64::MAX,
            columns: self.row.column_map.clone(),
        };
        let rows = ImportRows::start(self.sandbox, file, options).await?;
        let mut counting = pin!(rows.count());
        loop {
            if let Ok(counted) = tokio::time::timeout(CANCELLATION_CHECK, &mut counting).await {
                return Ok(counted.map(Some));
            }
            let row = library_import::Entity::of_any_owner(self.row.id).one(self.domain.db().read()).await?;
            if row.is_none_or(|row| row.is_cancelled) {
                return Ok(Ok(None));
            }
        }
    }

    /// Writes the rows of the file. Returns false if the import was cancelled.
    async fn write_rows(&mut self, file: &File) -> Result<Result<bool, FileError>> {
        let done = self.row.rows_done.max(0).unsigned_abs();
        let options = ImportPassOptions {
            format: Format::parse(&self.row.format),
            files: if self.row.is_dry { ItemFileMode::Skipped } else { ItemFileMode::Unpacked },
            skip: done,
            columns: self.row.column_map.clone(),
        };
        let only = if self.row.is_retry {
            Some(import_report::rows_to_retry(self.domain, &self.row).await?)
        } else {
            None
        };
        let rows = ImportRows::start(self.sandbox, file, options).await?;
        let (sender, batches) = mpsc::channel(1);
        // If the import is cancelled, dropping the sets stops the tasks and kills the child.
        let mut receiving = JoinSet::new();
        let bounds = BatchBounds::of(self.batch_size.clone());
        receiving.spawn(send_batches(rows, RowRange { first: done + 1, only }, bounds, sender));
        let (ready_sender, mut ready) = mpsc::channel(1);
        let mut preparing = JoinSet::new();
        preparing.spawn(self.prepare_rows(batches, ready_sender));
        while let Some(batch) = ready.recv().await {
            if !self.write_batch(batch).await? {
                return Ok(Ok(false));
            }
        }
        let prepared = preparing.join_next().await.ok_or_else(|| Error::internal("no rows were prepared"))?;
        prepared.map_err(Error::internal)??;
        let received = receiving.join_next().await.ok_or_else(|| Error::internal("no rows were read"))?;
        Ok(received.map_err(Error::internal)?.map(|()| true))
    }

    /// Returns a task that prepares batches until the end of the file, or until the receiver is dropped.
    fn prepare_rows(
        &self,
        mut batches: mpsc::Receiver<RowBatch>,
        ready: mpsc::Sender<PreparedBatch>,
    ) -> impl Future<Output = Result<()>> + Send + use<> {
        let (domain, account_id) = (self.domain.clone(), self.row.account_id);
        let sandbox = (!self.row.is_dry).then(|| self.sandbox.clone());
        let folders = FolderTags::parse(&self.row.folders).unwrap_or_default();
        async move {
            let preparer = RowPreparer { domain: &domain, sandbox: sandbox.as_ref(), account_id, folders };
            while let Some(batch) = preparer.next(&mut batches).await? {
                if ready.send(batch).await.is_err() {
                    break;
                }
            }
            Ok(())
        }
    }

    /// Writes one batch with the results of its rows and the progress of the import. Returns false if the
    /// import was cancelled.
    async fn write_batch(&mut self, batch: PreparedBatch) -> Result<bool> {
        let PreparedBatch { rows, memory: _memory } = batch;
        let (number, count) = (rows.last().map_or(0, |row| row.number), rows.len());
        let (mut records, batch) = row_results::split(rows);
        let mut repeated = ImportTally::default();
        if self.row.is_dry {
            (records, repeated) = self.planned.split_off(records, self.row.account_id);
        }
        let is_dry = self.row.is_dry;
        let plans: Vec<RowPlan> = records
            .iter()
            .filter(|_| is_dry)
            .map(|record| RowPlan::of(record, self.row.account_id))
            .collect();
        import_writer::compute_anchors(self.domain, self.row.account_id, &mut records).await?;
        let mut transaction = LibraryTransaction::begin(self.domain, self.row.account_id).await?;
        let opened_at = Instant::now();
        let row = library_import::Entity::of_any_owner(self.row.id).one(transaction.db()).await?;
        if row.is_none_or(|row| row.is_cancelled) {
            return Ok(false);
        }
        let scope = ImportScope { import_id: self.row.id, include_deleted: self.row.include_deleted };
        let mut written = import_writer::write_batch(&mut transaction, scope, records).await?;
        self.planned.add(plans, &written);
        written.add(repeated);
        let mode = if self.row.is_dry { BatchMode::RolledBack } else { BatchMode::Committed };
        let (tally, results) = batch.finish(written, mode);
        if self.row.is_dry {
            // A dry run rolls the rows back, and retains only the counts and the results.
            drop(transaction);
            self.batch_size.record(count, opened_at.elapsed());
            let record_transaction = self.domain.db().begin().await?;
            let change = self.record(&record_transaction, (number, tally, results)).await?;
            import_state::write_in(&record_transaction, self.row.id, change).await?;
            record_transaction.commit().await?;
        } else {
            let change = self.record(transaction.db(), (number, tally, results)).await?;
            library_import::Entity::update_many()
                .set(change)
                .filter(library_import::Column::Id.eq(self.row.id))
                .exec(transaction.db())
                .await?;
            transaction.commit().await?;
            self.batch_size.record(count, opened_at.elapsed());
        }
        Ok(true)
    }

    /// Writes the results of a batch. `number` is the number of its last row. Returns the progress of the
    /// import.
    async fn record(
        &mut self,
        connection: &impl ConnectionTrait,
        (number, tally, results): (u64, ImportTally, Vec<RowReport>),
    ) -> Result<library_import::ActiveModel> {
        let numbers: Vec<u64> = results.iter().map(|result| result.row).collect();
        let replaced = self.report.write(connection, results).await?;
        if self.row.is_retry {
            self.tally.problems.retain(|problem| numbers.binary_search(&problem.row).is_err());
        }
        for earlier in replaced {
            self.tally.count(earlier.outcome, -1);
        }
        self.tally.add(tally);
        import_state::progress(&self.tally, number)
    }

    async fn fail(&self, word: &str) -> Result<()> {
        import_state::end(self.domain, self.row.id, TransferState::Failed, Some(word)).await
    }
}

/// Returns the error code for an import whose file cannot be read to its end.
///
/// # Errors
/// `service_unavailable` if the process that reads the file was killed. The next attempt of the job continues
/// after the last committed batch.
fn failure_code(error: FileError) -> Result<&'static str> {
    match error {
        FileError::Killed => {
            Err(Error::new(Code::ServiceUnavailable, "The process that reads the file was killed."))
        }
        _ => Ok(error.code()),
    }
}

/// Marks the running import of an account as failed because its job failed or is dead. If the import is being
/// undone, stops undoing it. The other imports of the account continue.
#[boxed]
pub async fn give_up_imports(domain: &Domain, key: &str) -> Result<()> {
    let Ok(account_id) = key.parse::<AccountId>() else { return Ok(()) };
    let transaction = match LibraryTransaction::begin(domain, account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted, and its imports with it.
        Err(error) if error.code == Code::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut unfinished = unfinished(account_id).limit(2).all(transaction.db()).await?.into_iter();
    let Some(given_up) = unfinished.next() else { return Ok(()) };
    let mut change = library_import::ActiveModel { is_undo_requested: Set(false), ..Default::default() };
    if matches!(given_up.state, TransferState::Queued | TransferState::Running) {
        change.state = Set(TransferState::Failed);
        change.error_code = Set(Some(Code::ServiceUnavailable.as_str().to_owned()));
        change.finished_at = Set(Some(transaction.now));
    }
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(given_up.id))
        .exec(transaction.db())
        .await?;
    if unfinished.next().is_some() {
        super::import::submit(&transaction, domain).await?;
    }
    transaction.commit().await
}

/// Selects the account's unfinished imports of files, and its imports that are being undone, in the order in which they
/// run.
fn unfinished(account_id: AccountId) -> Select<library_import::Entity> {
    let running = Condition::all()
        .add(library_import::Column::Kind.ne(ImportKind::Server))
        .add(library_import::Column::State.is_in([TransferState::Queued, TransferState::Running]));
    let undone = Condition::all()
        .add(library_import::Column::IsUndoRequested.eq(true))
        .add(library_import::Column::IsUndone.eq(false));
    library_import::Entity::owned_by(account_id)
        .filter(Condition::any().add(running).add(undone))
        .order_by_asc(library_import::Column::Id)
}

//! Job that runs the imports of an account. A file is read once to count its rows, and again to write them in
//! batches. While a batch is written, the next one is prepared. A killed run continues after the last
//! committed batch.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;

use entities::ids::AccountId;
use entities::library_import;
use entities::library_words::{ImportKind, TransferState};
use extract::imports::{Format, Problem};
use extract::sandbox::Pool;
use futures_util::TryStreamExt;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
};
use tokio::sync::mpsc;

use super::account_export;
use super::prepare::Source;
use super::prepared::{Prepared, Trouble};
use super::put::{self, Scope};
use super::read::{self, Entry, OwnLine};
use super::run_list::run_list;
use super::tally::Tally;
use super::view::{Broken, Files};
use super::{lossless, standing, undo};
use kernel::code::Code;
use kernel::error::{Error, Result};
use kernel::handle::Domain;

use crate::Writing;

/// Rows per transaction.
const BATCH: usize = 400;
/// Weight from which a batch has fewer rows. Four batches are in memory at a time: one is read, one waits,
/// one is prepared, and one is written.
const BATCH_BYTES: usize = 6 * 1024 * 1024;

/// Runs the imports of the account that `claimed` names, one after the other.
pub async fn run_imports(domain: &Domain, sandbox: &Pool, claimed: &jobs::Claimed) -> Result<()> {
    let account_id: AccountId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an account id"))?;
    loop {
        let Some(row) = unfinished(account_id).one(domain.db().write()).await? else { break };
        match row.kind {
            ImportKind::Library => {
                Box::pin(Running { domain, sandbox, row, tally: Tally::default() }.run()).await?;
            }
            ImportKind::Subscriptions => Box::pin(run_list(domain, sandbox, row)).await?,
        }
    }
    // An import that was requested after the last query has joined this job.
    let writing = match Writing::begin(domain, account_id).await {
        Ok(writing) => writing,
        // The account was deleted, and its imports with it.
        Err(error) if error.code == Code::NotFound => return jobs::complete(domain, claimed).await,
        Err(error) => return Err(error),
    };
    jobs::complete_in(writing.db(), domain, claimed).await?;
    let waiting = library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::State.eq(TransferState::Queued))
        .one(writing.db())
        .await?;
    if waiting.is_some() {
        super::import::submit(&writing, domain).await?;
    }
    writing.commit().await
}

struct Running<'a> {
    domain: &'a Domain,
    sandbox: &'a Pool,
    row: library_import::Model,
    tally: Tally,
}

/// Rows with their numbers.
type Batch = Vec<(u64, Format, Entry)>;
/// Prepared rows, or the reasons why rows are not imported.
type Ready = Vec<(u64, Result<Prepared, Trouble>)>;

impl Running<'_> {
    async fn run(mut self) -> Result<()> {
        self.tally = Tally {
            created: self.row.created,
            existing: self.row.existing,
            skipped: self.row.skipped,
            failed: self.row.failed,
            highlights: self.row.highlights,
            problems: serde_json::from_str(&self.row.problems).unwrap_or_default(),
        };
        let file = self.fetch().await?;
        let (format, total) = match self.count(file.try_clone().map_err(Error::internal)?).await? {
            Ok(counted) => counted,
            Err(broken) => return self.fail(broken.word()).await,
        };
        standing::write(
            self.domain,
            self.row.id,
            library_import::ActiveModel {
                state: Set(TransferState::Running),
                total: Set(Some(total)),
                format: Set(
                    format.map_or_else(|| self.row.format.clone(), |format| format.as_str().to_owned())
                ),
                ..Default::default()
            },
        )
        .await?;
        let again = file.try_clone().map_err(Error::internal)?;
        match Box::pin(self.rows(file)).await? {
            Ok(true) => {
                self.take_alongside(again).await?;
                standing::end(self.domain, self.row.id, TransferState::Complete, None).await
            }
            // The import was cancelled, and its row says so.
            Ok(false) => Ok(()),
            Err(broken) => {
                // A file beyond the limits imports nothing.
                undo::take_back(self.domain, &self.row).await?;
                self.fail(broken.word()).await
            }
        }
    }

    /// Imports what the archive contains besides the library, if it was requested.
    async fn take_alongside(&mut self, file: File) -> Result<()> {
        let include = account_export::of_words(&self.row.include);
        if include.is_empty() || self.row.is_dry {
            return Ok(());
        }
        let (domain, account_id) = (self.domain, self.row.account_id);
        account_export::take(domain, self.sandbox, account_id, &include, file, &mut self.tally).await?;
        let change = library_import::ActiveModel { rows_done: NotSet, ..self.progress(0)? };
        standing::write(self.domain, self.row.id, change).await
    }

    /// Downloads the file into an unnamed temporary file.
    async fn fetch(&self) -> Result<File> {
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

    /// Reads the file once to find its format and count its rows.
    async fn count(&self, file: File) -> Result<Result<(Option<Format>, i64), Broken>> {
        let format = Format::parse(&self.row.format);
        let work = move || {
            let (mut found, mut total) = (format, 0_i64);
            let read = read::read(file, format, Files::Left, &mut |format, _| {
                found = Some(format);
                total += 1;
                ControlFlow::Continue(())
            });
            read.map(|()| (found, total))
        };
        tokio::task::spawn_blocking(work).await.map_err(Error::internal)
    }

    /// Writes the rows of the file. Returns false if the import was cancelled.
    async fn rows(&mut self, file: File) -> Result<Result<bool, Broken>> {
        let format = Format::parse(&self.row.format);
        let (sender, mut batches) = mpsc::channel::<Batch>(1);
        let done = self.row.rows_done.max(0).unsigned_abs();
        let files = if self.row.is_dry { Files::Left } else { Files::Unpacked };
        let reading = tokio::task::spawn_blocking(move || batches_of(file, format, files, done, &sender));
        let kitchen = Kitchen {
            domain: self.domain,
            sandbox: (!self.row.is_dry).then_some(self.sandbox),
            account_id: self.row.account_id,
        };
        let mut ready = kitchen.next(&mut batches).await?;
        while let Some(batch) = ready {
            let (written, next) = tokio::join!(self.batch(batch), kitchen.next(&mut batches));
            if !written? {
                return Ok(Ok(false));
            }
            ready = next?;
        }
        Ok(reading.await.map_err(Error::internal)?.map(|()| true))
    }

    /// Writes one batch with the progress of the import. Returns false if the import was cancelled.
    async fn batch(&mut self, batch: Ready) -> Result<bool> {
        let number = batch.last().map_or(0, |(number, _)| *number);
        let mut prepared = Vec::with_capacity(batch.len());
        for (number, row) in batch {
            match row {
                Ok(row) => prepared.push(row),
                Err(trouble) => self.tally.refuse(number, &trouble),
            }
        }
        let mut writing = Writing::begin(self.domain, self.row.account_id).await?;
        let row = library_import::Entity::of_any_owner(self.row.id).one(writing.db()).await?;
        if row.is_none_or(|row| row.is_cancelled) {
            return Ok(false);
        }
        let scope = Scope { import_id: self.row.id, include_deleted: self.row.include_deleted };
        let more = put::put(&mut writing, scope, prepared).await?;
        self.tally.add(more);
        let change = self.progress(number)?;
        if self.row.is_dry {
            // A dry run rolls the rows back and retains only the counts.
            drop(writing);
            standing::write(self.domain, self.row.id, change).await?;
        } else {
            library_import::Entity::update_many()
                .set(change)
                .filter(library_import::Column::Id.eq(self.row.id))
                .exec(writing.db())
                .await?;
            writing.commit().await?;
        }
        Ok(true)
    }

    fn progress(&self, number: u64) -> Result<library_import::ActiveModel> {
        let tally = &self.tally;
        Ok(library_import::ActiveModel {
            rows_done: Set(i64::try_from(number).unwrap_or(i64::MAX)),
            created: Set(tally.created),
            existing: Set(tally.existing),
            skipped: Set(tally.skipped),
            failed: Set(tally.failed),
            highlights: Set(tally.highlights),
            problems: Set(serde_json::to_string(&tally.problems).map_err(Error::internal)?),
            ..Default::default()
        })
    }

    async fn fail(&self, word: &str) -> Result<()> {
        standing::end(self.domain, self.row.id, TransferState::Failed, Some(word)).await
    }
}

/// Prepares rows for writing.
#[derive(Clone, Copy)]
struct Kitchen<'a> {
    domain: &'a Domain,
    /// `None` in a dry run.
    sandbox: Option<&'a Pool>,
    account_id: AccountId,
}

impl Kitchen<'_> {
    /// Prepares the next batch. `None` at the end of the file.
    async fn next(&self, batches: &mut mpsc::Receiver<Batch>) -> Result<Option<Ready>> {
        let Some(batch) = batches.recv().await else { return Ok(None) };
        let mut ready = Ready::with_capacity(batch.len());
        for (number, format, entry) in batch {
            ready.push((number, self.prepare(number, format, entry).await?));
            // Lets the task that writes the previous batch continue.
            tokio::task::yield_now().await;
        }
        Ok(Some(ready))
    }

    async fn prepare(&self, number: u64, format: Format, entry: Entry) -> Result<Result<Prepared, Trouble>> {
        let unreadable = |problem: Problem| Trouble::of("malformed", &problem.to_string());
        match entry {
            Entry::Row(Ok(row)) => {
                let source = Source { domain: self.domain, sandbox: self.sandbox, format, number };
                Ok(source.prepare(*row).await)
            }
            Entry::Line(Ok(OwnLine { line, file, .. })) => {
                let file = file.map(|file| file.file);
                lossless::prepare(self.domain, self.account_id, number, *line, file).await
            }
            Entry::Row(Err(problem)) | Entry::Line(Err(problem)) => Ok(Err(unreadable(problem))),
        }
    }
}

/// Reads the file and sends its rows in batches, without the first `done` rows.
fn batches_of(
    mut file: File,
    format: Option<Format>,
    files: Files,
    done: u64,
    sender: &mpsc::Sender<Batch>,
) -> Result<(), Broken> {
    file.seek(SeekFrom::Start(0)).map_err(|_| Broken::Unreadable)?;
    let (mut number, mut batch, mut weight) = (0, Batch::new(), 0_usize);
    read::read(file, format, files, &mut |format, entry| {
        number += 1;
        if number <= done {
            return ControlFlow::Continue(());
        }
        weight = weight.saturating_add(entry.weight());
        batch.push((number, format, entry));
        if batch.len() < BATCH && weight < BATCH_BYTES {
            return ControlFlow::Continue(());
        }
        weight = 0;
        match sender.blocking_send(std::mem::take(&mut batch)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })?;
    if !batch.is_empty() {
        let _ = sender.blocking_send(batch);
    }
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)?.map_err(Error::internal)
}

/// Marks the running import of an account as failed because the job was given up. The imports after it
/// continue.
pub async fn give_up_imports(domain: &Domain, key: &str) -> Result<()> {
    let Ok(account_id) = key.parse::<AccountId>() else { return Ok(()) };
    let writing = match Writing::begin(domain, account_id).await {
        Ok(writing) => writing,
        // The account was deleted, and its imports with it.
        Err(error) if error.code == Code::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut unfinished = unfinished(account_id).limit(2).all(writing.db()).await?.into_iter();
    let Some(given_up) = unfinished.next() else { return Ok(()) };
    let change = library_import::ActiveModel {
        state: Set(TransferState::Failed),
        error_code: Set(Some(Code::ServiceUnavailable.as_str().to_owned())),
        finished_at: Set(Some(writing.now)),
        ..Default::default()
    };
    library_import::Entity::update_many()
        .set(change)
        .filter(library_import::Column::Id.eq(given_up.id))
        .exec(writing.db())
        .await?;
    if unfinished.next().is_some() {
        super::import::submit(&writing, domain).await?;
    }
    writing.commit().await
}

/// Unfinished imports of an account, in the order in which they run.
fn unfinished(account_id: AccountId) -> Select<library_import::Entity> {
    library_import::Entity::owned_by(account_id)
        .filter(library_import::Column::State.is_in([TransferState::Queued, TransferState::Running]))
        .order_by_asc(library_import::Column::Id)
}

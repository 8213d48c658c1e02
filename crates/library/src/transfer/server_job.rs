//! Job that imports from a server. It fetches some pages, which a child process parses, and writes their rows
//! as rows of an import, with the position of the next page. A killed run continues at that
//! position. After some pages, the job resubmits itself, so that the imports of other accounts run in
//! between.

use std::time::Instant;

use async_recursion::async_recursion as boxed;
use entities::ids::ImportServerId;
use entities::library_words::{ImportServerState, TransferState};
use entities::{library_import, library_server};
use extract::imports::{ImportService, PageEnd, ServerPageRequest, ServerPart};
use extract::sandbox::Pool;
use sea_orm::ActiveValue::Set;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::batch_size::BatchSize;
use super::folder_tags::FolderTags;
use super::import::{CANCELLED, IMPORT_RETENTION};
use super::import_record::{ImportScope, RowError};
use super::import_report::{ReportWriter, RowLabel};
use super::import_rows::ImportRows;
use super::import_state;
use super::import_writer;
use super::row_batches::{BatchBounds, RowRange, send_batches};
use super::row_preparer::{PreparedBatch, PreparedRow, RowPreparer};
use super::row_results::{self, BatchMode};
use super::server_client::{ServerAccess, ServerClient, file_unread, temporary_file};
use super::server_credential::ServerCredential;
use super::server_fault::{Recovery, ServerFault};
use super::server_position::{Position, parts_of};
use super::server_requests::{list_urls, page_url};
use super::server_state::{ended, is_unfinished};
use super::servers::{service_of, submit, update};
use super::tally::ImportTally;
use crate::LibraryTransaction;
use articles::worker_tools::Tools;
use fetch::Bytes;
use jobs::{Claimed, JobOutcome, Submitted};
use kernel::clock::MINUTE;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of pages per job.
const JOB_PAGES: usize = 20;
/// Total size of pages after which a job requests no more pages, in bytes.
const JOB_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of pages per run. Protects against servers that never return a last page.
const RUN_PAGES: u64 = 50_000;
/// Maximum size of a document with the names of lists, in bytes.
const LISTS_BYTES: usize = 512 * 1024;
/// Delay between two pages of Pinboard, which allows one request in five minutes.
const PINBOARD_DELAY: Millis = 5 * MINUTE + 10_000;

/// Reason why a job stops reading pages.
#[derive(Debug, Clone, Copy)]
enum Stop {
    /// All pages were read.
    Complete,
    /// The job has read the maximum for one job, and more pages follow.
    More,
    /// The server allows the next request only after this delay.
    Delay(Millis),
    Fault(ServerFault),
    /// The import was cancelled or deleted, or the server was removed.
    Cancelled,
}

/// Part of a server's run that one job executes.
struct ServerRun<'a> {
    domain: &'a Domain,
    tools: &'a Tools,
    claimed: &'a Claimed,
    sandbox: Pool,
    server: library_server::Model,
    service: ImportService,
    position: Position,
    /// Serialized position, as stored in the row of the server. If the row contains another position, an undo
    /// has reset it.
    stored: String,
    import: library_import::Model,
    tally: ImportTally,
    report: ReportWriter,
    batch_size: BatchSize,
}

/// Reads the next pages of the server to which the job `claimed` belongs. Returns the next job, which the caller
/// pushes.
#[boxed]
pub async fn run_server(
    domain: &Domain,
    tools: &Tools,
    claimed: &Claimed,
) -> Result<(JobOutcome, Option<Submitted>)> {
    let id: ImportServerId =
        claimed.key.parse().map_err(|_| Error::internal("the job key is not an id of an import server"))?;
    let server = library_server::Entity::of_any_owner(id).one(domain.db().write()).await?;
    let Some(server) = server else {
        jobs::complete(domain, claimed).await?;
        return Ok((JobOutcome::Completed, None));
    };
    let import = match server.import_id {
        Some(id) => library_import::Entity::of_any_owner(id).one(domain.db().write()).await?,
        None => None,
    };
    let Some(import) = import.filter(|import| is_unfinished(&server) && !import.is_cancelled) else {
        return finish(domain, claimed, &server, (Stop::Cancelled, None)).await;
    };
    let mut run = ServerRun {
        domain,
        tools,
        claimed,
        sandbox: tools.sandbox.for_caller(Some(server.account_id.to_string())),
        service: service_of(&server)?,
        position: Position::parse(&server.position),
        stored: server.position.clone(),
        tally: ImportTally::of(&import),
        report: ReportWriter::open(domain, &import).await?,
        batch_size: BatchSize::of(domain.db().backend()),
        server,
        import,
    };
    let stop = Box::pin(run.read_pages()).await?;
    let progress = ServerRunProgress { position: &run.position, stored: &run.stored, import: &run.import };
    finish(domain, claimed, &run.server, (stop, Some(progress))).await
}

impl ServerRun<'_> {
    /// Returns the parts of the server that are imported. Includes the feeds only if the owner requested it.
    fn parts(&self) -> &'static [ServerPart] {
        match parts_of(self.service) {
            [parts @ .., ServerPart::Subscriptions] if !self.server.subscriptions => parts,
            parts => parts,
        }
    }

    fn part(&self) -> Option<ServerPart> {
        self.parts().get(self.position.part).copied()
    }

    async fn read_pages(&mut self) -> Result<Stop> {
        let credential = ServerCredential::open(self.domain, &self.server).await?;
        let fetcher = self.tools.fetcher.for_caller(Some(self.server.account_id.to_string()));
        let (sandbox, address) = (self.sandbox.clone(), self.server.address.clone());
        let access =
            ServerAccess { fetcher: &fetcher, sandbox: &sandbox, service: self.service, address: &address };
        let client = match ServerClient::open(access, &credential).await? {
            Ok(client) => client,
            Err(fault) => return Ok(Stop::Fault(fault)),
        };
        let lists = match self.read_lists(&client).await? {
            Ok(lists) => lists,
            Err(fault) => return Ok(Stop::Fault(fault)),
        };
        let mut bytes = 0;
        for _ in 0..JOB_PAGES {
            let Some(part) = self.part() else { return Ok(Stop::Complete) };
            if self.position.pages >= RUN_PAGES {
                let fault = ServerFault { code: Code::ContentTooLarge, recovery: Recovery::Restart };
                return Ok(Stop::Fault(fault));
            }
            let read = match part {
                ServerPart::Subscriptions => Box::pin(self.follow_feeds(&client)).await?,
                _ => Box::pin(self.read_page(&client, &lists, part)).await?,
            };
            match read {
                Ok(count) => bytes += count,
                Err(stop) => return Ok(stop),
            }
            if self.service == ImportService::Pinboard && self.part().is_some() {
                return Ok(Stop::Delay(PINBOARD_DELAY));
            }
            if bytes > JOB_BYTES {
                break;
            }
        }
        Ok(if self.part().is_some() { Stop::More } else { Stop::Complete })
    }

    /// Fetches the documents with the names of the lists.
    async fn read_lists(&self, client: &ServerClient<'_>) -> Result<Result<Vec<Bytes>, ServerFault>> {
        let mut lists = Vec::new();
        for url in list_urls(self.service, &self.server.address)? {
            match client.get(url).await {
                Ok(fetched) if fetched.body.len() <= LISTS_BYTES => lists.push(fetched.body),
                Ok(_) => {
                    let fault = ServerFault { code: Code::ContentTooLarge, recovery: Recovery::Restart };
                    return Ok(Err(fault));
                }
                Err(error) => return Ok(Err(ServerFault::of_fetch(&error))),
            }
        }
        Ok(Ok(lists))
    }

    /// Imports the next page. Returns its size in bytes.
    async fn read_page(
        &mut self,
        client: &ServerClient<'_>,
        lists: &[Bytes],
        part: ServerPart,
    ) -> Result<Result<usize, Stop>> {
        let url = page_url(self.service, &self.server.address, part, &self.position)?;
        let fetched = match client.get(url).await {
            Ok(fetched) => fetched,
            Err(error) => return Ok(Err(Stop::Fault(ServerFault::of_fetch(&error)))),
        };
        let size = fetched.body.len();
        let documents = lists.iter().cloned().chain(std::iter::once(fetched.body.clone())).collect();
        let file = temporary_file(documents).await?;
        // The body is in the file now, so its memory is released.
        drop(fetched);
        let request = ServerPageRequest {
            service: self.service,
            part,
            cursor: self.position.cursor.clone(),
            since: self.position.since,
            list: self.position.list.clone(),
        };
        let (rows, end) = match ImportRows::start_page(&self.sandbox, &file, &request).await? {
            Ok(page) => page,
            Err(error) => {
                let fault = ServerFault::of_page(error).ok_or_else(|| file_unread(error))?;
                return Ok(Err(Stop::Fault(fault)));
            }
        };
        Ok(Box::pin(self.write_page(rows, &end)).await?.map(|()| size))
    }

    /// Writes the rows of a page. The position of the next page is committed with the last rows.
    async fn write_page(&mut self, rows: ImportRows, end: &PageEnd) -> Result<Result<(), Stop>> {
        let next = self.position.after(self.parts(), end);
        let first = self.import.rows_done.max(0).unsigned_abs() + 1;
        let (sender, mut batches) = mpsc::channel(1);
        let mut receiving = JoinSet::new();
        let bounds = BatchBounds::of(self.batch_size.clone());
        receiving.spawn(send_batches(rows, RowRange { first, only: None }, bounds, sender));
        let (domain, account_id, sandbox) = (self.domain, self.server.account_id, self.sandbox.clone());
        let folders = FolderTags::parse(&self.server.folders).unwrap_or_default();
        let preparer = RowPreparer { domain, sandbox: Some(&sandbox), account_id, folders };
        let mut ready = preparer.next(&mut batches).await?.map(without_memory);
        loop {
            let following = match ready {
                Some(_) => preparer.next(&mut batches).await?.map(without_memory),
                None => None,
            };
            if following.is_none() {
                let received = receiving.join_next().await;
                let received = received.ok_or_else(|| Error::internal("no rows were read"))?;
                if let Err(error) = received.map_err(Error::internal)? {
                    let fault = ServerFault::of_page(error).ok_or_else(|| file_unread(error))?;
                    return Ok(Err(Stop::Fault(fault)));
                }
            }
            let position = if following.is_some() { self.position.clone() } else { next.clone() };
            if let Err(stop) = Box::pin(self.commit(ready.unwrap_or_default(), position)).await? {
                return Ok(Err(stop));
            }
            ready = following;
            if ready.is_none() {
                return Ok(Ok(()));
            }
        }
    }

    /// Writes rows, the counts of the import, and the position of the run in one transaction.
    async fn commit(&mut self, rows: Vec<PreparedRow>, position: Position) -> Result<Result<(), Stop>> {
        let last = rows.last().map_or(self.import.rows_done.max(0).unsigned_abs(), |row| row.number);
        let count = rows.len();
        let (mut records, batch) = row_results::split(rows);
        import_writer::compute_anchors(self.domain, self.server.account_id, &mut records).await?;
        let mut transaction = LibraryTransaction::begin(self.domain, self.server.account_id).await?;
        let opened_at = Instant::now();
        jobs::lock_claim_in(transaction.db(), self.claimed).await?;
        let import = library_import::Entity::of_any_owner(self.import.id).one(transaction.db()).await?;
        if import.is_none_or(|import| import.is_cancelled) {
            return Ok(Err(Stop::Cancelled));
        }
        let server = library_server::Entity::of_any_owner(self.server.id).one(transaction.db()).await?;
        if server.is_some_and(|server| server.position != self.stored) {
            // The next job starts at the position that an undo has set.
            return Ok(Err(Stop::More));
        }
        if transaction.require_capacity().is_err() {
            let fault = ServerFault { code: Code::StorageLimitReached, recovery: Recovery::Resume };
            return Ok(Err(Stop::Fault(fault)));
        }
        let scope = ImportScope { import_id: self.import.id, include_deleted: false };
        let written = import_writer::write_batch(&mut transaction, scope, records).await?;
        let (tally, results) = batch.finish(written, BatchMode::Committed);
        self.report.write(transaction.db(), results).await?;
        self.tally.add(tally);
        let progress = library_import::ActiveModel {
            state: Set(TransferState::Running),
            expires_at: Set(transaction.now + IMPORT_RETENTION),
            ..import_state::progress(&self.tally, last)?
        };
        import_state::write_in(transaction.db(), self.import.id, progress).await?;
        let stored = position.to_text()?;
        let change = library_server::ActiveModel {
            state: Set(ImportServerState::Running),
            position: Set(stored.clone()),
            error_code: Set(None),
            retry_at: Set(None),
            ..Default::default()
        };
        update(&transaction, self.server.id, change).await?;
        transaction.commit().await?;
        self.batch_size.record(count, opened_at.elapsed());
        self.stored = stored;
        self.import.rows_done = i64::try_from(last).unwrap_or(i64::MAX);
        self.position = position;
        Ok(Ok(()))
    }

    /// Follows the feeds of the server. A feed that cannot be followed is reported as a failed row. Returns
    /// the size of the list in bytes.
    async fn follow_feeds(&mut self, client: &ServerClient<'_>) -> Result<Result<usize, Stop>> {
        let url = page_url(self.service, &self.server.address, ServerPart::Subscriptions, &self.position)?;
        let fetched = match client.get(url.clone()).await {
            Ok(fetched) => fetched,
            Err(error) => return Ok(Err(Stop::Fault(ServerFault::of_fetch(&error)))),
        };
        let size = fetched.body.len();
        let failed = match feeds::read_list(&self.sandbox, fetched.body.to_vec()).await {
            Ok(outlines) => feeds::import_list(self.domain, self.server.account_id, &outlines).await?.failed,
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => vec![(url.path().to_owned(), error.code)],
        };
        let next = self.import.rows_done.max(0).unsigned_abs() + 1;
        let rows = (next..).zip(failed).map(|(number, (feed, code))| refused_feed(number, &feed, code));
        let position = self.position.after(self.parts(), &PageEnd::default());
        Ok(Box::pin(self.commit(rows.collect(), position)).await?.map(|()| size))
    }
}

/// Creates the failed row of a feed that cannot be followed. `feed` is its URL or title.
fn refused_feed(number: u64, feed: &str, code: Code) -> PreparedRow {
    let reason = format!("the feed cannot be followed: {}", code.as_str());
    let record = Err(RowError::of(code.as_str(), &reason));
    PreparedRow { number, label: RowLabel::of(Some(feed), None), record }
}

/// Returns the rows of a batch that is written after the next batch was received. Releases their memory
/// reservation, so that the next batch can be received.
fn without_memory(batch: PreparedBatch) -> Vec<PreparedRow> {
    batch.rows
}

/// Records the result of a job, and completes, postpones, or resubmits the job.
async fn finish(
    domain: &Domain,
    claimed: &Claimed,
    server: &library_server::Model,
    (stop, progress): (Stop, Option<ServerRunProgress<'_>>),
) -> Result<(JobOutcome, Option<Submitted>)> {
    let transaction = match LibraryTransaction::begin(domain, server.account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted, and its servers with it.
        Err(error) if error.code == Code::NotFound => {
            jobs::complete(domain, claimed).await?;
            return Ok((JobOutcome::Completed, None));
        }
        Err(error) => return Err(error),
    };
    let ending = JobEnd { domain, claimed, transaction: &transaction, server_id: server.id };
    let row = library_server::Entity::of_any_owner(server.id).one(transaction.db()).await?;
    let outcome = match (row.filter(is_unfinished), stop, progress) {
        // The server was deleted, or its run was cancelled.
        (None, ..) => ending.complete_job().await?,
        // The run was cancelled, and a new run was requested. No second job was created for it, because this
        // job was live.
        (Some(row), ..) if row.import_id != server.import_id => ending.repeat().await?,
        (Some(_), Stop::Cancelled, _) | (Some(_), _, None) => ending.cancel().await?,
        // An import of the service was undone meanwhile: the run starts again.
        (Some(row), _, Some(progress)) if row.position != progress.stored => ending.repeat().await?,
        (Some(_), Stop::Complete, Some(progress)) => ending.complete(progress).await?,
        (Some(_), Stop::More, Some(_)) => ending.repeat().await?,
        (Some(_), Stop::Delay(delay), Some(progress)) => ending.postpone(delay, None, progress).await?,
        (Some(_), Stop::Fault(fault), Some(progress)) => match fault.delay(progress.position.failures) {
            Some(delay) => ending.postpone(delay, Some(fault.code), progress).await?,
            None => ending.fail(fault, progress).await?,
        },
    };
    transaction.commit().await?;
    Ok(outcome)
}

/// Progress of a run.
#[derive(Clone, Copy)]
struct ServerRunProgress<'a> {
    position: &'a Position,
    /// Serialized position in the row of the server, as known to the job.
    stored: &'a str,
    import: &'a library_import::Model,
}

/// Records a job's result in an open transaction.
struct JobEnd<'a> {
    domain: &'a Domain,
    claimed: &'a Claimed,
    transaction: &'a LibraryTransaction,
    server_id: ImportServerId,
}

impl JobEnd<'_> {
    async fn cancel(&self) -> Result<(JobOutcome, Option<Submitted>)> {
        let change = ended(ImportServerState::Failed, Some(CANCELLED), self.transaction.now);
        update(self.transaction, self.server_id, change).await?;
        self.complete_job().await
    }

    async fn complete(&self, progress: ServerRunProgress<'_>) -> Result<(JobOutcome, Option<Submitted>)> {
        let change = library_server::ActiveModel {
            position: Set(progress.position.after_run().to_text()?),
            ..ended(ImportServerState::Complete, None, self.transaction.now)
        };
        update(self.transaction, self.server_id, change).await?;
        end_import(self.transaction, progress.import, None).await?;
        self.complete_job().await
    }

    async fn fail(
        &self,
        fault: ServerFault,
        progress: ServerRunProgress<'_>,
    ) -> Result<(JobOutcome, Option<Submitted>)> {
        let position = match fault.recovery {
            Recovery::Restart => progress.position.restarted(),
            Recovery::Pause(_) | Recovery::Retry | Recovery::Resume => progress.position.clone(),
        };
        let code = fault.code.as_str();
        let change = library_server::ActiveModel {
            position: Set(position.to_text()?),
            ..ended(ImportServerState::Failed, Some(code), self.transaction.now)
        };
        update(self.transaction, self.server_id, change).await?;
        end_import(self.transaction, progress.import, Some(code)).await?;
        self.complete_job().await
    }

    /// Records that the run continues after `delay`. `code` is set if the cause is a fault.
    async fn postpone(
        &self,
        delay: Millis,
        code: Option<Code>,
        progress: ServerRunProgress<'_>,
    ) -> Result<(JobOutcome, Option<Submitted>)> {
        let failures = progress.position.failures + u32::from(code.is_some());
        let change = library_server::ActiveModel {
            state: Set(ImportServerState::Waiting),
            position: Set(Position { failures, ..progress.position.clone() }.to_text()?),
            error_code: Set(code.map(|code| code.as_str().to_owned())),
            retry_at: Set(Some(self.transaction.now + delay)),
            ..Default::default()
        };
        update(self.transaction, self.server_id, change).await?;
        let outcome = jobs::snooze_in(self.transaction.db(), self.domain, self.claimed, delay).await?;
        Ok((outcome, None))
    }

    /// Completes this job and submits the next job of the run, which waits for the jobs of other accounts.
    async fn repeat(&self) -> Result<(JobOutcome, Option<Submitted>)> {
        let (outcome, _) = self.complete_job().await?;
        Ok((outcome, Some(submit(self.transaction, self.domain, self.server_id).await?)))
    }

    async fn complete_job(&self) -> Result<(JobOutcome, Option<Submitted>)> {
        jobs::complete_in(self.transaction.db(), self.domain, self.claimed).await?;
        Ok((JobOutcome::Completed, None))
    }
}

/// Records the end of the import of a run.
async fn end_import(
    transaction: &LibraryTransaction,
    import: &library_import::Model,
    error_code: Option<&str>,
) -> Result<()> {
    let change = library_import::ActiveModel {
        state: Set(if error_code.is_some() { TransferState::Failed } else { TransferState::Complete }),
        total: Set(Some(import.rows_done)),
        error_code: Set(error_code.map(str::to_owned)),
        finished_at: Set(Some(transaction.now)),
        ..Default::default()
    };
    import_state::write_in(transaction.db(), import.id, change).await
}

/// Marks the run of a server as failed because its job failed or is dead. The next run continues at the same
/// position.
#[boxed]
pub async fn give_up_server(domain: &Domain, key: &str) -> Result<()> {
    let Ok(id) = key.parse::<ImportServerId>() else { return Ok(()) };
    let server = library_server::Entity::of_any_owner(id).one(domain.db().write()).await?;
    let Some(server) = server.filter(is_unfinished) else { return Ok(()) };
    let transaction = match LibraryTransaction::begin(domain, server.account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted, and its servers with it.
        Err(error) if error.code == Code::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let code = Code::ServiceUnavailable.as_str();
    update(&transaction, id, ended(ImportServerState::Failed, Some(code), transaction.now)).await?;
    if let Some(import_id) = server.import_id {
        let import = library_import::Entity::of_any_owner(import_id).one(transaction.db()).await?;
        if let Some(import) = import {
            end_import(&transaction, &import, Some(code)).await?;
        }
    }
    transaction.commit().await
}

//! Job that creates an export: it reads a library page by page, and stores each part when it is full.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ExportId, ItemId};
use entities::library_words::{ExportFormat, TransferState};
use entities::{library_blob, library_export, library_item};
use futures_util::TryStreamExt;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use zip::CompressionMethod;

use super::account_export;
use super::archive::{Archive, PART_BYTES, Spooled};
use super::export::{EXPORT_RETENTION, ExportPart};
use super::export_pages;
use super::line::{
    ACCOUNT_FOLDER, FORMAT, FileLine, Manifest, NativeLine, PageCopyLine, VERSION, page_copy_of,
};
use super::markdown_pages::{annotated, markdown_file};
use super::{anki, bookmarks, table};
use kernel::clock::DAY;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};

use crate::files::begin_unassigned;
use crate::item;
use crate::page_copies;
use crate::sync::{self, TextInclusion};
use crate::transaction::LibraryTransaction;

/// Size from which buffered rows are written, in bytes.
const CHUNK_BYTES: usize = 1024 * 1024;
/// Maximum number of starred entries per page.
const STARRED_PAGE: u32 = 200;
/// Minimum time between two updates of the recorded progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// Creates the export of the job `claimed`. If the export was deleted in the meantime, only completes the
/// job. The files that it stored until then are scheduled for deletion.
#[boxed]
pub async fn run_export(domain: &Domain, claimed: &jobs::Claimed) -> Result<()> {
    let id: ExportId = claimed.key.parse().map_err(|_| Error::internal("the job key is not an export id"))?;
    let row = library_export::Entity::of_any_owner(id).one(domain.db().write()).await?;
    let Some(row) = row else { return jobs::complete(domain, claimed).await };
    match create(domain, claimed, row).await {
        Err(error) if error.code == Code::NotFound => jobs::complete(domain, claimed).await,
        result => result,
    }
}

async fn create(domain: &Domain, claimed: &jobs::Claimed, row: library_export::Model) -> Result<()> {
    let id = row.id;
    let total = export_pages::count(domain, row.account_id).await?;
    let mut run = ExportRun {
        domain,
        account_id: row.account_id,
        id,
        done: 0,
        recorded_at: Instant::now(),
        parts: Vec::new(),
        blobs: Vec::new(),
    };
    if let Err(error) = Box::pin(run.write_parts(row.format, total)).await {
        run.release_blobs().await?;
        return Err(error);
    }
    run.finish_or_release(claimed).await
}

/// Items of an export as Markdown files.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkdownItems {
    /// Items with notes or highlights.
    Annotated,
    All,
}

struct ExportRun<'a> {
    domain: &'a Domain,
    account_id: AccountId,
    id: ExportId,
    done: i64,
    /// Time at which the progress was last recorded.
    recorded_at: Instant,
    parts: Vec<ExportPart>,
    /// Keys of the blobs that this run has begun to write.
    blobs: Vec<String>,
}

impl ExportRun<'_> {
    async fn write_parts(&mut self, format: ExportFormat, total: i64) -> Result<()> {
        self.record_start(total).await?;
        match format {
            ExportFormat::SvcJsonl => Box::pin(self.write_native()).await,
            ExportFormat::Netscape => Box::pin(self.write_bookmarks()).await,
            ExportFormat::Csv => Box::pin(self.write_table()).await,
            ExportFormat::Anki => Box::pin(self.write_cards()).await,
            ExportFormat::Markdown => {
                Box::pin(self.write_markdown(MarkdownItems::Annotated, TextInclusion::Omitted)).await
            }
            ExportFormat::MarkdownItems => {
                Box::pin(self.write_markdown(MarkdownItems::All, TextInclusion::Omitted)).await
            }
            ExportFormat::MarkdownTexts => {
                Box::pin(self.write_markdown(MarkdownItems::All, TextInclusion::Included)).await
            }
        }
    }

    /// Schedules the blobs of this run for deletion.
    async fn release_blobs(&self) -> Result<()> {
        self.set_deletion(self.domain.db().write(), self.domain.now()).await
    }

    /// Sets the time from which the blobs of this run are deleted.
    async fn set_deletion(&self, connection: &impl ConnectionTrait, time: Millis) -> Result<()> {
        library_blob::Entity::update_many()
            .set(library_blob::ActiveModel { delete_at: Set(Some(time)), ..Default::default() })
            .filter(library_blob::Column::AccountId.eq(self.account_id))
            .filter(library_blob::Column::Blob.is_in(self.blobs.iter().map(String::as_str)))
            .exec(connection)
            .await?;
        Ok(())
    }

    /// Records that the export is running, and the number of objects to write.
    async fn record_start(&self, total: i64) -> Result<()> {
        let change = library_export::ActiveModel {
            state: Set(TransferState::Running),
            total: Set(total),
            done: Set(self.done),
            ..Default::default()
        };
        self.write(change).await
    }

    /// Updates the row of the export.
    ///
    /// # Errors
    /// `not_found` if the export was deleted.
    async fn write(&self, change: library_export::ActiveModel) -> Result<()> {
        self.update(self.domain.db().write(), change).await
    }

    async fn update(
        &self,
        connection: &impl ConnectionTrait,
        change: library_export::ActiveModel,
    ) -> Result<()> {
        let updated = library_export::Entity::update_many()
            .set(change)
            .filter(library_export::Column::Id.eq(self.id))
            .filter(library_export::Column::State.is_in([TransferState::Queued, TransferState::Running]))
            .exec(connection)
            .await?;
        if updated.rows_affected == 0 { Err(not_found("export")) } else { Ok(()) }
    }

    /// Counts written objects. Records their number only once per interval, because each update waits for the
    /// writer of an embedded database.
    async fn progress(&mut self, more: usize) -> Result<()> {
        self.done += i64::try_from(more).unwrap_or(0);
        if self.recorded_at.elapsed() < PROGRESS_INTERVAL {
            return Ok(());
        }
        self.write(library_export::ActiveModel { done: Set(self.done), ..Default::default() }).await?;
        self.recorded_at = Instant::now();
        Ok(())
    }

    /// Writes all items, without their texts, as a table.
    async fn write_table(&mut self) -> Result<()> {
        let mut file = TextFile::create(table::HEAD).await?;
        let mut after = None;
        loop {
            let rows = export_pages::items(self.domain, self.account_id, after).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.id);
            let line = |row: &library_item::Model, tags: &[String], notes: &[String]| {
                Some(table::line(row, tags, notes))
            };
            self.write_rows(&mut file, &rows, line).await?;
        }
        self.store_part(file.finish("").await?).await
    }

    /// Writes the cards of highlights as tab-separated text.
    async fn write_cards(&mut self) -> Result<()> {
        let mut file = TextFile::create(anki::HEAD).await?;
        let mut after = None;
        loop {
            let highlights = export_pages::cards(self.domain, self.account_id, after).await?;
            let Some(last) = highlights.last() else { break };
            after = Some(last.row.id);
            for highlight in &highlights {
                file.push(&anki::line(highlight).unwrap_or_default()).await?;
            }
            self.progress(highlights.len()).await?;
        }
        self.store_part(file.finish("").await?).await
    }

    /// Writes a Markdown file for each of the items, in as many archives as necessary.
    async fn write_markdown(&mut self, selection: MarkdownItems, texts: TextInclusion) -> Result<()> {
        let mut archive = Box::pin(Archive::create()).await?;
        let mut after = None;
        loop {
            let mut rows = export_pages::items(self.domain, self.account_id, after).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.id);
            let count = rows.len();
            if selection == MarkdownItems::Annotated {
                let ids: Vec<ItemId> = rows.iter().map(|row| row.id).collect();
                let annotated = annotated(self.domain, self.account_id, &ids).await?;
                rows.retain(|row| annotated.contains(&row.id));
            }
            for item in item::with_tags(self.domain.db().read(), self.account_id, rows).await? {
                if archive.written() > PART_BYTES {
                    self.store_part(Box::pin(archive.finish()).await?).await?;
                    archive = Box::pin(Archive::create()).await?;
                }
                let file = Box::pin(markdown_file(self.domain, item, texts)).await?;
                archive.start(file.name, CompressionMethod::Deflated).await?;
                archive.bytes(file.markdown.into_bytes().into()).await?;
            }
            self.progress(count).await?;
        }
        self.store_part(Box::pin(archive.finish()).await?).await
    }

    /// Writes all items with a web address as bookmarks: first items without a folder, then items folder by
    /// folder.
    async fn write_bookmarks(&mut self) -> Result<()> {
        let folders = export_pages::folders(self.domain, self.account_id).await?;
        let in_folders: HashSet<ItemId> = folders.values().flatten().copied().collect();
        let mut file = TextFile::create(bookmarks::HEAD).await?;
        let mut after = None;
        loop {
            let mut rows = export_pages::items(self.domain, self.account_id, after).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.id);
            rows.retain(|row| !in_folders.contains(&row.id));
            self.write_rows(&mut file, &rows, bookmarks::line).await?;
        }
        let mut open = bookmarks::OpenFolders::default();
        for (path, ids) in &folders {
            file.push(&open.enter(path)).await?;
            for ids in ids.chunks(export_pages::PAGE) {
                let rows = export_pages::items_of(self.domain, self.account_id, ids).await?;
                self.write_rows(&mut file, &rows, bookmarks::line).await?;
            }
        }
        file.push(&open.enter(&[])).await?;
        self.store_part(file.finish(bookmarks::TAIL).await?).await
    }

    async fn write_rows(
        &mut self,
        file: &mut TextFile,
        rows: &[library_item::Model],
        line: impl Fn(&library_item::Model, &[String], &[String]) -> Option<String>,
    ) -> Result<()> {
        let context = export_pages::page_context(self.domain, self.account_id, rows).await?;
        let notes = export_pages::notes_of(self.domain, self.account_id, rows).await?;
        for row in rows {
            let notes = notes.get(&row.id).map(Vec::as_slice).unwrap_or_default();
            file.push(&line(row, context.tags(row.id), notes).unwrap_or_default()).await?;
        }
        self.progress(rows.len()).await
    }

    /// Writes all data in the native format, in as many archives as necessary.
    async fn write_native(&mut self) -> Result<()> {
        let cursor = sync::current_cursor(self.domain, self.account_id).await?;
        let mut archive = Box::pin(self.start_part(&cursor)).await?;
        archive.start("README".to_owned(), CompressionMethod::Deflated).await?;
        archive.bytes(account_export::README.into()).await?;
        for (name, text) in account_export::entries(self.domain, self.account_id).await? {
            archive.start(name.to_owned(), CompressionMethod::Deflated).await?;
            archive.bytes(text.into_bytes().into()).await?;
        }
        let (mut entry, mut after) = (0_u32, None);
        loop {
            let rows = export_pages::items(self.domain, self.account_id, after).await?;
            let Some(last) = rows.last() else { break };
            after = Some(last.id);
            if archive.written() > PART_BYTES {
                self.store_part(Box::pin(archive.finish()).await?).await?;
                archive = Box::pin(self.start_part(&cursor)).await?;
            }
            entry += 1;
            archive.start(format!("items/{entry:06}.jsonl"), CompressionMethod::Deflated).await?;
            let context = export_pages::page_context(self.domain, self.account_id, &rows).await?;
            for row in &rows {
                let line = context.line(self.domain, row).await?;
                archive.line(&NativeLine::Item(Box::new(line))).await?;
            }
            for row in &rows {
                self.write_item_file(&mut archive, row).await?;
            }
            self.write_page_copies(&mut archive, entry, &rows).await?;
            self.progress(rows.len()).await?;
        }
        self.write_annotations(&mut archive).await?;
        self.write_starred(&mut archive).await?;
        let archive = Box::pin(self.write_changes(archive, &cursor)).await?;
        self.store_part(Box::pin(archive.finish()).await?).await
    }

    async fn write_starred(&mut self, archive: &mut Archive) -> Result<()> {
        archive.start(format!("{ACCOUNT_FOLDER}starred.jsonl"), CompressionMethod::Deflated).await?;
        let mut after = None;
        loop {
            let page = feeds::list_starred(self.domain, self.account_id, after, STARRED_PAGE).await?;
            for entry in &page.entries {
                archive.line(entry).await?;
            }
            self.progress(0).await?;
            match page.next_after {
                Some(next) => after = Some(next),
                None => return Ok(()),
            }
        }
    }

    /// Writes the changes of each monitor that has changes. Returns the archive, or the next archive if it is
    /// full.
    async fn write_changes(&mut self, mut archive: Archive, cursor: &str) -> Result<Archive> {
        let (domain, account_id) = (self.domain, self.account_id);
        for (id, name) in monitors::monitor_names(domain, account_id).await? {
            if archive.written() > PART_BYTES {
                self.store_part(Box::pin(archive.finish()).await?).await?;
                archive = Box::pin(self.start_part(cursor)).await?;
            }
            let (mut after, mut is_started) = (None, false);
            loop {
                let page = match monitors::export_changes(domain, account_id, id, &name, after).await {
                    Err(error) if error.code == Code::NotFound => break,
                    page => page?,
                };
                if !is_started && !page.changes.is_empty() {
                    let entry = format!("{ACCOUNT_FOLDER}changes/{id}.jsonl");
                    archive.start(entry, CompressionMethod::Deflated).await?;
                    is_started = true;
                }
                for change in &page.changes {
                    archive.line(change).await?;
                }
                self.progress(0).await?;
                match page.next_after {
                    Some(next) => after = Some(next),
                    None => break,
                }
            }
        }
        Ok(archive)
    }

    /// Starts a part. Its first entry is the manifest.
    async fn start_part(&self, cursor: &str) -> Result<Archive> {
        let mut archive = Archive::create().await?;
        archive.start("manifest.json".to_owned(), CompressionMethod::Stored).await?;
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            exported_at: self.domain.now(),
            cursor: cursor.to_owned(),
            part: u32::try_from(self.parts.len() + 1).unwrap_or(u32::MAX),
        };
        archive.line(&NativeLine::Manifest(manifest)).await?;
        Ok(archive)
    }

    async fn write_item_file(&self, archive: &mut Archive, row: &library_item::Model) -> Result<()> {
        let Some((blob, file)) = row.asset_blob.as_ref().zip(super::line::file_of(row)) else {
            return Ok(());
        };
        self.write_file(archive, blob, file).await
    }

    /// Writes the page copies of some items, and their files.
    async fn write_page_copies(
        &self,
        archive: &mut Archive,
        entry: u32,
        rows: &[library_item::Model],
    ) -> Result<()> {
        let ids: Vec<ItemId> = rows.iter().map(|row| row.id).collect();
        let copies = page_copies::rows_of(self.domain.db().read(), self.account_id, &ids).await?;
        let copies: Vec<(String, PageCopyLine)> = copies.into_iter().filter_map(page_copy_of).collect();
        if copies.is_empty() {
            return Ok(());
        }
        archive.start(format!("page_copies/{entry:06}.jsonl"), CompressionMethod::Deflated).await?;
        for (_, copy) in &copies {
            archive.line(&NativeLine::PageCopy(Box::new(copy.clone()))).await?;
        }
        for (blob, copy) in copies {
            self.write_file(archive, &blob, copy.file).await?;
        }
        Ok(())
    }

    /// Writes a stored file as a separate entry.
    async fn write_file(&self, archive: &mut Archive, blob: &str, file: FileLine) -> Result<()> {
        archive.start(file.path, CompressionMethod::Stored).await?;
        let mut bytes = self.domain.blobs().read(blob, 0..file.size).await?;
        while let Some(piece) = bytes.try_next().await.map_err(Error::internal)? {
            archive.bytes(piece).await?;
        }
        Ok(())
    }

    async fn write_annotations(&mut self, archive: &mut Archive) -> Result<()> {
        archive.start("notes.jsonl".to_owned(), CompressionMethod::Deflated).await?;
        let mut after = None;
        loop {
            let notes = export_pages::notes(self.domain, self.account_id, after).await?;
            let Some(last) = notes.last() else { break };
            after = Some(last.id);
            let count = notes.len();
            for note in notes {
                archive.line(&NativeLine::Note(note)).await?;
            }
            self.progress(count).await?;
        }
        archive.start("highlights.jsonl".to_owned(), CompressionMethod::Deflated).await?;
        let mut after = None;
        loop {
            let highlights = export_pages::highlights(self.domain, self.account_id, after).await?;
            let Some(last) = highlights.last() else { break };
            after = Some(last.id);
            let count = highlights.len();
            for highlight in highlights {
                archive.line(&NativeLine::Highlight(Box::new(highlight))).await?;
            }
            self.progress(count).await?;
        }
        Ok(())
    }

    /// Stores a part. The part is deleted after a day unless the export is completed by then.
    async fn store_part(&mut self, mut file: Spooled) -> Result<()> {
        let (blob, mut upload) = begin_unassigned(self.domain, self.account_id, DAY).await?;
        self.blobs.push(blob.clone());
        loop {
            let bytes = file.next().await?;
            if bytes.is_empty() {
                break;
            }
            upload.push(&bytes).await?;
        }
        let stored = upload.finish().await?;
        let number = u32::try_from(self.parts.len() + 1).unwrap_or(u32::MAX);
        let part = ExportPart { number, size: stored.size, checksum: stored.checksum(), blob };
        self.parts.push(part);
        Ok(())
    }

    /// Completes the export. If it was deleted in the meantime, schedules its blobs for deletion. After any
    /// other error the commit may have succeeded without an answer, so the blobs are retained for a day.
    async fn finish_or_release(&self, claimed: &jobs::Claimed) -> Result<()> {
        let result = self.finish(claimed).await;
        if result.as_ref().is_err_and(|error| error.code == Code::NotFound) {
            self.release_blobs().await?;
        }
        result
    }

    /// Completes the export. It can be downloaded for a day from now.
    async fn finish(&self, claimed: &jobs::Claimed) -> Result<()> {
        let transaction = match LibraryTransaction::begin(self.domain, self.account_id).await {
            Ok(transaction) => transaction,
            // The account was deleted. A job deletes its files.
            Err(error) if error.code == Code::NotFound => return jobs::complete(self.domain, claimed).await,
            Err(error) => return Err(error),
        };
        let expires_at = transaction.now + EXPORT_RETENTION;
        self.set_deletion(transaction.db(), expires_at).await?;
        let change = library_export::ActiveModel {
            state: Set(TransferState::Complete),
            total: Set(self.done),
            done: Set(self.done),
            parts: Set(serde_json::to_string(&self.parts).map_err(Error::internal)?),
            expires_at: Set(expires_at),
            ..Default::default()
        };
        self.update(transaction.db(), change).await?;
        jobs::complete_in(transaction.db(), self.domain, claimed).await?;
        transaction.commit().await
    }
}

/// Part of an export that is a text file.
struct TextFile {
    file: Spooled,
    /// Text that has not been written to `file` yet.
    buffer: String,
}

impl TextFile {
    async fn create(head: &str) -> Result<Self> {
        Ok(Self { file: Spooled::create().await?, buffer: head.to_owned() })
    }

    async fn push(&mut self, text: &str) -> Result<()> {
        self.buffer.push_str(text);
        if self.buffer.len() > CHUNK_BYTES {
            self.file.write(std::mem::take(&mut self.buffer).into_bytes()).await?;
        }
        Ok(())
    }

    async fn finish(mut self, tail: &str) -> Result<Spooled> {
        self.buffer.push_str(tail);
        self.file.write(self.buffer.into_bytes()).await?;
        self.file.rewind().await?;
        Ok(self.file)
    }
}

/// Marks an export as failed because its job failed or is dead.
#[boxed]
pub async fn give_up_export(domain: &Domain, key: &str) -> Result<()> {
    let Ok(id) = key.parse::<ExportId>() else { return Ok(()) };
    let change = library_export::ActiveModel {
        state: Set(TransferState::Failed),
        error_code: Set(Some(Code::ServiceUnavailable.as_str().to_owned())),
        ..Default::default()
    };
    library_export::Entity::update_many()
        .set(change)
        .filter(library_export::Column::Id.eq(id))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::export::{create_export, delete_export};
    use super::*;
    use kernel::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    async fn files_of_an_export_that_is_deleted_during_its_run_are_deleted(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let account_id = person(domain, Tier::Free).await;
        let (export, job) = create_export(domain, account_id, ExportFormat::Csv).await.unwrap();
        let claimed = jobs::claim(domain, job.unwrap().id, "worker", 30_000).await.unwrap().unwrap();
        let mut run = ExportRun {
            domain,
            account_id,
            id: export.id,
            done: 0,
            recorded_at: Instant::now(),
            parts: Vec::new(),
            blobs: Vec::new(),
        };
        Box::pin(run.write_parts(ExportFormat::Csv, 0)).await.unwrap();
        delete_export(domain, account_id, export.id).await.unwrap();
        assert_eq!(crate::files::delete_released(domain).await.unwrap(), 0, "the part is not listed yet");
        assert_eq!(run.finish_or_release(&claimed).await.unwrap_err().code, Code::NotFound);
        assert_eq!(crate::files::delete_released(domain).await.unwrap(), 1);
    }

    on_both! {
        files_of_an_export_that_is_deleted_during_its_run_are_deleted,
    }
}

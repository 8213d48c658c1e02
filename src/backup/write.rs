//! Writes a backup.

use std::fs::File;
use std::io::Write as _;

use anyhow::{anyhow, ensure};
use indicatif::ProgressBar;
use kernel::blobs::Blobs;
use kernel::{Domain, rfc3339};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::archive::ArchiveWriter;
use super::archive_location::{ArchiveSink, open_blob};
use super::database_copy::{DatabaseCopy, FileRow};
use super::deletion_hold::DeletionHold;
use super::{About, ArchiveLocation, BackupSummary, DATABASE, DatabaseKind, FILES, FORMAT};

/// Error message if the person stopped the backup.
const STOPPED: &str = "stopped: no backup was written";

/// Progress display and stop signal of a backup.
pub(crate) struct BackupControl {
    /// Counter of copied files.
    pub(crate) progress: ProgressBar,
    /// Token that cancels the backup.
    pub(crate) stop: CancellationToken,
}

/// Writes a backup of `domain`, whose database is at `database_url`, to `location`. The service may be
/// running.
///
/// # Errors
/// If the database or a file cannot be read, or the archive cannot be written: no archive remains then. Also if files
/// may have been deleted before they were copied: the archive remains, but may be incomplete.
pub(crate) async fn write(
    domain: &Domain,
    database_url: &str,
    location: &ArchiveLocation,
    control: BackupControl,
) -> anyhow::Result<BackupSummary> {
    let hold = DeletionHold::start(domain).await?;
    let written = write_during_hold(domain, database_url, location, control).await;
    let released = hold.release().await;
    let summary = written?;
    released?;
    Ok(summary)
}

async fn write_during_hold(
    domain: &Domain,
    database_url: &str,
    location: &ArchiveLocation,
    control: BackupControl,
) -> anyhow::Result<BackupSummary> {
    let BackupControl { progress, stop } = control;
    let sink = location.create().await?;
    let about = About {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: rfc3339(domain.now()),
        database: DatabaseKind::of(database_url),
    };
    let created_at = u64::try_from(domain.now() / 1000).unwrap_or(0);
    let folder = location.temporary_folder();
    let copy = tokio::select! {
        copy = DatabaseCopy::create(database_url, domain, &folder) => copy,
        () = stop.cancelled() => Err(anyhow!(STOPPED)),
    };
    match copy {
        Ok(copy) => {
            progress.set_length(copy.files.len() as u64);
            let runtime = Handle::current();
            let blobs = domain.blobs().clone();
            let work = Packing { about, created_at, copy, blobs, runtime, progress, stop };
            tokio::task::spawn_blocking(move || work.pack(sink)).await?
        }
        Err(error) => {
            tokio::task::spawn_blocking(move || sink.abort()).await?;
            Err(error)
        }
    }
}

/// Work of the blocking thread that writes an archive.
struct Packing {
    about: About,
    /// Creation time, in seconds since 1970.
    created_at: u64,
    copy: DatabaseCopy,
    blobs: Blobs,
    runtime: Handle,
    progress: ProgressBar,
    stop: CancellationToken,
}

impl Packing {
    fn pack(self, sink: ArchiveSink) -> anyhow::Result<BackupSummary> {
        let mut sink = std::io::BufWriter::with_capacity(1024 * 1024, sink);
        let written = self.write_entries(&mut sink);
        let flushed = sink.flush();
        let (sink, _) = sink.into_parts();
        match written.and_then(|summary| flushed.map(|()| summary).map_err(anyhow::Error::from)) {
            Ok(summary) => sink.finish().map(|()| summary),
            Err(error) => {
                sink.abort();
                Err(error)
            }
        }
    }

    fn write_entries(self, sink: &mut impl std::io::Write) -> anyhow::Result<BackupSummary> {
        let mut archive = ArchiveWriter::start(sink, &self.about, self.created_at)?;
        let database = File::open(&self.copy.path)?;
        let database_bytes = database.metadata()?.len();
        archive.add(DATABASE, database_bytes, database)?;
        let mut summary = BackupSummary {
            about: self.about.clone(),
            files: 0,
            database_bytes,
            file_bytes: 0,
            missing: Vec::new(),
        };
        for FileRow { key, is_used } in &self.copy.files {
            ensure!(!self.stop.is_cancelled(), STOPPED);
            let size = self.runtime.block_on(self.blobs.size(key))?;
            self.progress.inc(1);
            let Some(size) = size else {
                summary.missing.extend(is_used.then(|| key.clone()));
                continue;
            };
            let content = self.runtime.block_on(open_blob(&self.blobs, key, size))?;
            archive.add(&format!("{FILES}{key}"), size, content)?;
            summary.files += 1;
            summary.file_bytes += size;
        }
        archive.finish()?;
        Ok(summary)
    }
}

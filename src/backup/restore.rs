//! Restores a backup into an empty database and the file store.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use http_kit::config::Settings;
use kernel::blobs::{ACCOUNTS, Blobs, MONITORS};
use kernel::{Database, DatabaseSettings};
use tempfile::NamedTempFile;
use tokio::runtime::Handle;

use super::archive::{self, ArchiveEntry};
use super::archive_location::folder_of;
use super::{About, ArchiveLocation, BackupSummary, DATABASE, DatabaseKind, FILES, database_copy};

/// Bytes per read of an entry.
const PIECE_BYTES: usize = 256 * 1024;

/// Restores a backup: files into `CARREL_FILES`, and the database to `DATABASE_URL` after everything was
/// verified. If the restore fails, no database is created; files without a row are deleted after a day.
///
/// # Errors
/// If the database exists or is of a different kind than the copy, or the archive is incomplete or damaged.
pub(crate) async fn restore(
    settings: &Settings,
    location: &ArchiveLocation,
) -> anyhow::Result<BackupSummary> {
    let kind = DatabaseKind::of(&settings.database_url);
    let folder = require_empty(settings, kind).await?;
    let blobs = Blobs::open(&settings.files).with_context(|| format!("CARREL_FILES ({})", settings.files))?;
    let database = NamedTempFile::new_in(&folder)
        .with_context(|| format!("no file can be created in {}", folder.display()))?;
    let source = location.open().await?;
    let unpacking = Unpacking { kind, blobs, database, runtime: Handle::current() };
    let (summary, database) = tokio::task::spawn_blocking(move || unpacking.unpack(source)).await??;
    match kind {
        DatabaseKind::Sqlite => {
            let path = database_copy::sqlite_path(&settings.database_url)?;
            database.as_file().sync_all()?;
            database
                .persist_noclobber(&path)
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        DatabaseKind::Postgres => {
            database_copy::load_postgres(&settings.database_url, database.path()).await?;
        }
    }
    Ok(summary)
}

/// Fails if the database is not empty. Returns the folder for the temporary copy: the folder of the SQLite
/// file, or the system's temporary folder.
async fn require_empty(settings: &Settings, kind: DatabaseKind) -> anyhow::Result<PathBuf> {
    if kind == DatabaseKind::Postgres {
        let connections = DatabaseSettings::without_timeouts(2);
        let database = Database::connect(&settings.database_url, &connections).await?;
        let is_empty = database_copy::require_empty_postgres(&database).await;
        database.close().await;
        is_empty?;
        return Ok(std::env::temp_dir());
    }
    let path = database_copy::sqlite_path(&settings.database_url)?;
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        let file = PathBuf::from(name);
        if file.exists() {
            bail!("{} exists: move it away, or choose another DATABASE_URL", file.display());
        }
    }
    let folder = folder_of(&path);
    kernel::private_folder::create(folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    Ok(folder.to_owned())
}

/// Work of the blocking thread that reads an archive.
struct Unpacking {
    kind: DatabaseKind,
    blobs: Blobs,
    database: NamedTempFile,
    runtime: Handle,
}

impl Unpacking {
    fn unpack(mut self, source: impl std::io::Read) -> anyhow::Result<(BackupSummary, NamedTempFile)> {
        let (mut files, mut file_bytes, mut database_bytes) = (0, 0, 0);
        let kind = self.kind;
        let about = archive::read(
            source,
            |about| require_kind(about, kind),
            |mut entry| {
                if entry.name == DATABASE {
                    database_bytes = std::io::copy(entry.content, &mut self.database)?;
                } else if entry.name.starts_with(FILES) {
                    (files, file_bytes) = (files + 1, file_bytes + entry.size);
                    store_file(&self.blobs, &self.runtime, &mut entry)?;
                }
                Ok(())
            },
        )?;
        ensure!(database_bytes > 0, "the backup contains no database");
        let summary = BackupSummary { about, files, database_bytes, file_bytes, missing: Vec::new() };
        Ok((summary, self.database))
    }
}

fn require_kind(about: &About, kind: DatabaseKind) -> anyhow::Result<()> {
    ensure!(
        about.database == kind,
        "the backup is of a {} database, but DATABASE_URL names a {} database",
        about.database.name(),
        kind.name()
    );
    Ok(())
}

fn store_file(blobs: &Blobs, runtime: &Handle, entry: &mut ArchiveEntry<'_>) -> anyhow::Result<()> {
    let key = entry.name.strip_prefix(FILES).unwrap_or_default();
    let is_segment = |segment: &str| {
        !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    ensure!(
        key.split('/').next().is_some_and(|top| [ACCOUNTS, MONITORS].contains(&top))
            && key.split('/').all(is_segment),
        "the backup contains a file with an invalid name"
    );
    let mut upload = runtime.block_on(blobs.begin(key))?;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match entry.content.read(&mut piece)? {
            0 => break,
            count => runtime.block_on(upload.push(&piece[..count]))?,
        }
    }
    runtime.block_on(upload.finish())?;
    Ok(())
}

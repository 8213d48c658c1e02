//! Verifies a backup.

use anyhow::Context;
use tempfile::NamedTempFile;

use super::{ArchiveLocation, BackupSummary, DATABASE, FILES, archive, database_copy};

/// Reads a whole backup, compares every entry with its checksum, and checks the copy of the database.
///
/// # Errors
/// If the archive is incomplete or damaged.
pub(crate) async fn verify(location: &ArchiveLocation) -> anyhow::Result<BackupSummary> {
    let source = location.open().await?;
    let mut database = NamedTempFile::new_in(location.temporary_folder())
        .context("no temporary file can be created for the database")?;
    let (summary, database) = tokio::task::spawn_blocking(move || {
        let (mut files, mut file_bytes, mut database_bytes) = (0, 0, 0);
        let about = archive::read(
            source,
            |_| Ok(()),
            |entry| {
                if entry.name == DATABASE {
                    database_bytes = std::io::copy(entry.content, &mut database)?;
                } else if entry.name.starts_with(FILES) {
                    files += 1;
                    file_bytes += entry.size;
                }
                Ok(())
            },
        )?;
        let summary = BackupSummary { about, files, database_bytes, file_bytes, missing: Vec::new() };
        anyhow::Ok((summary, database.into_temp_path()))
    })
    .await??;
    database_copy::check(summary.about.database, &database).await?;
    Ok(summary)
}

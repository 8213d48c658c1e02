//! Backups of a running service: an archive with a consistent copy of the database and the files to which the
//! copy refers.
//!
//! The archive is a tar file with `backup.json` ([`About`]), `database`, one entry per file under `files/`,
//! and `checksums.sha256`, in the format of `sha256sum --check`. The database is copied first: files are
//! never changed, and no file is deleted while a backup runs, so every file to which the copy refers exists.

mod archive;
mod archive_location;
mod database_copy;
mod deletion_hold;
mod restore;
mod verify;
mod write;

use serde::{Deserialize, Serialize};

pub(crate) use self::archive_location::ArchiveLocation;
pub(crate) use self::restore::restore;
pub(crate) use self::verify::verify;
pub(crate) use self::write::{BackupControl, write};

/// Version of the archive's layout.
const FORMAT: u32 = 1;
/// Entries of the archive.
const ABOUT: &str = "backup.json";
const DATABASE: &str = "database";
const FILES: &str = "files/";
const CHECKSUMS: &str = "checksums.sha256";

/// First entry of an archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct About {
    /// Version of the layout, which is [`FORMAT`].
    format: u32,
    /// Version of the program that wrote the archive.
    pub(crate) version: String,
    /// Creation time, RFC 3339.
    pub(crate) created_at: String,
    pub(crate) database: DatabaseKind,
}

/// Format of the database copy: a SQLite file, or the custom format of `pg_dump`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    /// Returns the kind of the database at `url`.
    fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Self::Sqlite } else { Self::Postgres }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// Content of a complete archive.
#[derive(Clone, Debug)]
pub(crate) struct BackupSummary {
    pub(crate) about: About,
    /// Number of files.
    pub(crate) files: u64,
    /// Size of the database copy, in bytes.
    pub(crate) database_bytes: u64,
    /// Size of all files, in bytes.
    pub(crate) file_bytes: u64,
    /// Keys of files that the database contains but the store lacks.
    pub(crate) missing: Vec<String>,
}

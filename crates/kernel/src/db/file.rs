//! File of an embedded database, and its folder.

use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Returns the path of an embedded database from its URL. `None` for PostgreSQL and for a database in memory.
pub fn embedded_file(url: &str) -> Option<&Path> {
    let path = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    let path = path.split('?').next().unwrap_or(path);
    (!path.contains(":memory:")).then(|| Path::new(path))
}

/// Creates the folder and the SQLite file if they are missing, accessible only to the current user: they contain
/// password hashes, tokens and the signing secret. Files that SQLite creates next to the database get the mode of the
/// database file. The mode of existing files is not changed.
///
/// # Errors
/// Returns the folder, and the error of the operating system.
pub(super) fn prepare(url: &str) -> Result<(), (PathBuf, io::Error)> {
    let Some(path) = embedded_file(url) else { return Ok(()) };
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    let failed = |error| (folder.to_owned(), error);
    crate::private_folder::create(folder).map_err(failed)?;
    if !parameters.split('&').any(|parameter| parameter == "mode=rwc") {
        return Ok(());
    }
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error)),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use sea_orm::{ConnectionTrait, DbBackend, Statement};

    use super::super::READ_IDLE;
    use super::*;
    use crate::{Database, DatabaseSettings};

    #[test]
    fn embedded_file_is_the_path_of_the_url() {
        assert_eq!(embedded_file("sqlite://data/carrel.db?mode=rwc"), Some(Path::new("data/carrel.db")));
        assert_eq!(embedded_file("sqlite:///var/lib/c.db"), Some(Path::new("/var/lib/c.db")));
        assert_eq!(embedded_file("sqlite:c.db"), Some(Path::new("c.db")));
        assert_eq!(embedded_file("sqlite::memory:"), None);
        assert_eq!(embedded_file("postgres://carrel@db/carrel"), None);
    }

    #[tokio::test]
    async fn read_connections_have_a_small_cache_and_close_when_idle() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/carrel.db?mode=rwc", folder.path().display());
        let db = Database::connect(&url, &DatabaseSettings::default()).await.unwrap();
        for (connection, expected) in [(db.read(), -4000), (db.write(), -16_000)] {
            let cache = Statement::from_string(DbBackend::Sqlite, "PRAGMA cache_size");
            let row = connection.query_one_raw(cache).await.unwrap().unwrap();
            assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), expected);
        }
        let pool = db.read().get_sqlite_connection_pool();
        assert_eq!(pool.options().get_idle_timeout(), Some(READ_IDLE));
        db.close().await;
    }

    #[tokio::test]
    async fn database_files_are_private_to_their_owner() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("data");
        let url = format!("sqlite://{}/carrel.db?mode=rwc", folder.display());
        let db = Database::connect(&url, &DatabaseSettings::default()).await.unwrap();
        db.write().execute_unprepared("CREATE TABLE t (x)").await.unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 2, "the database file and its log exist: {files:?}");
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
        db.close().await;
    }
}

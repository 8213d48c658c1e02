//! Consistent copy of the database while it is in use, and the files to which the copy refers.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, bail};
use kernel::{Database, Domain};
use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, ConnectOptions, Connection};
use sea_orm::{AccessMode, ConnectionTrait, IsolationLevel, Statement, TransactionTrait};
use tempfile::{NamedTempFile, TempPath};
use tokio::process::Command;
use url::Url;

use super::DatabaseKind;

/// Query for the files to which the copy refers: files of libraries, and screenshots of monitors. Files without
/// a deletion time are in use. Files with a deletion time are uploads that are not assigned yet, exports, and
/// files of imports.
const FILES: &str = "SELECT blob, delete_at IS NULL AS is_used FROM library_blob \
                     WHERE delete_at IS NULL OR delete_at > $1 \
                     UNION ALL SELECT blob, TRUE AS is_used FROM monitor_picture ORDER BY blob";

/// Copy of a database in a temporary file.
pub(super) struct DatabaseCopy {
    pub(super) path: TempPath,
    pub(super) files: Vec<FileRow>,
}

/// File to which a copy refers.
pub(super) struct FileRow {
    /// Key in the store.
    pub(super) key: String,
    /// False if the file may be missing, because it is being uploaded or expires soon.
    pub(super) is_used: bool,
}

impl DatabaseCopy {
    /// Copies the database at `url`, which is open in `domain`, to a temporary file in `folder`.
    pub(super) async fn create(url: &str, domain: &Domain, folder: &Path) -> anyhow::Result<Self> {
        // The file is accessible only to the current user.
        let file = NamedTempFile::new_in(folder)
            .with_context(|| format!("no file can be created in {}", folder.display()))?;
        let path = file.into_temp_path();
        let files = match DatabaseKind::of(url) {
            DatabaseKind::Sqlite => copy_sqlite(domain, &path).await?,
            DatabaseKind::Postgres => dump_postgres(url, domain, &path).await?,
        };
        Ok(Self { path, files })
    }
}

/// Copies the state of a SQLite database at one moment. Writers are not blocked.
async fn copy_sqlite(domain: &Domain, path: &Path) -> anyhow::Result<Vec<FileRow>> {
    let connection = domain.db().read();
    let target = path.to_str().context("the path of the temporary folder is not UTF-8")?;
    let backend = connection.get_database_backend();
    let copy = Statement::from_sql_and_values(backend, "VACUUM INTO $1", [target.into()]);
    connection.execute_raw(copy).await.context("the database cannot be copied")?;
    files_of_sqlite(path, domain.now()).await
}

/// Opens a SQLite file that no other process uses, without changing it.
pub(super) async fn open_sqlite(path: &Path) -> anyhow::Result<sqlx::SqliteConnection> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).immutable(true);
    Ok(options.connect().await?)
}

async fn files_of_sqlite(path: &Path, now: i64) -> anyhow::Result<Vec<FileRow>> {
    let mut connection = open_sqlite(path).await?;
    let rows: Vec<(String, bool)> = sqlx::query_as(FILES).bind(now).fetch_all(&mut connection).await?;
    connection.close().await?;
    Ok(rows.into_iter().map(|(key, is_used)| FileRow { key, is_used }).collect())
}

/// Dumps a PostgreSQL database, and lists its files in the same snapshot.
async fn dump_postgres(url: &str, domain: &Domain, path: &Path) -> anyhow::Result<Vec<FileRow>> {
    let isolation = Some(IsolationLevel::RepeatableRead);
    let transaction = domain.db().write().begin_with_config(isolation, Some(AccessMode::ReadOnly)).await?;
    let backend = transaction.get_database_backend();
    let snapshot = Statement::from_string(backend, "SELECT pg_export_snapshot()");
    let snapshot = transaction.query_one_raw(snapshot).await?.context("PostgreSQL exported no snapshot")?;
    let snapshot: String = snapshot.try_get_by_index(0)?;
    let list = Statement::from_sql_and_values(backend, FILES, [domain.now().into()]);
    let mut files = Vec::new();
    for row in transaction.query_all_raw(list).await? {
        files.push(FileRow { key: row.try_get("", "blob")?, is_used: row.try_get("", "is_used")? });
    }
    let snapshot = format!("--snapshot={snapshot}");
    let arguments = ["--format=custom", "--no-owner", "--no-privileges", &snapshot, "--file"];
    let arguments = arguments.iter().map(OsStr::new).chain([path.as_os_str()]);
    run_postgres_tool("pg_dump", Some(url), arguments).await?;
    // The snapshot is valid as long as its transaction is open.
    transaction.rollback().await?;
    Ok(files)
}

/// Returns the path of the SQLite file at `url`.
pub(super) fn sqlite_path(url: &str) -> anyhow::Result<PathBuf> {
    let options: SqliteConnectOptions = url.parse().context("DATABASE_URL")?;
    Ok(options.get_filename().to_owned())
}

/// Restores a dump into the new PostgreSQL database at `url`, in one transaction.
pub(super) async fn load_postgres(url: &str, path: &Path) -> anyhow::Result<()> {
    let arguments = ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction"];
    let arguments = arguments.iter().map(OsStr::new).chain([path.as_os_str()]);
    run_postgres_tool("pg_restore", Some(url), arguments).await
}

/// Checks that a SQLite copy is an intact database, or that `pg_restore` can read a dump.
pub(super) async fn check(kind: DatabaseKind, path: &Path) -> anyhow::Result<()> {
    match kind {
        DatabaseKind::Sqlite => {
            let mut connection = open_sqlite(path).await?;
            let result: String =
                sqlx::query_scalar("PRAGMA quick_check(1)").fetch_one(&mut connection).await?;
            connection.close().await?;
            if result != "ok" {
                bail!("the database in the backup is damaged: {result}");
            }
            Ok(())
        }
        DatabaseKind::Postgres => {
            let arguments = [OsStr::new("--list"), path.as_os_str()];
            run_postgres_tool("pg_restore", None, arguments.into_iter()).await
        }
    }
}

/// Fails if the database already has tables.
pub(super) async fn require_empty_postgres(database: &Database) -> anyhow::Result<()> {
    let connection = database.write();
    let sql = "SELECT count(*) FROM information_schema.tables \
               WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'";
    let count = Statement::from_string(connection.get_database_backend(), sql);
    let count = connection.query_one_raw(count).await?.context("PostgreSQL returned no count")?;
    if count.try_get_by_index::<i64>(0)? > 0 {
        bail!("the database at DATABASE_URL has tables: restore into an empty database");
    }
    Ok(())
}

/// Runs `pg_dump` or `pg_restore`. The password is passed in the environment, where other users of the
/// machine cannot see it.
async fn run_postgres_tool<'a>(
    program: &str,
    url: Option<&str>,
    arguments: impl Iterator<Item = &'a OsStr>,
) -> anyhow::Result<()> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    if let Some(url) = url {
        let (url, password) = connection_string(url)?;
        command.arg(format!("--dbname={url}"));
        command.envs(password.map(|password| ("PGPASSWORD", password)));
    }
    let output = match command.kill_on_drop(true).output().await {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "{program} is not installed; it is part of PostgreSQL's client programs (Debian: postgresql-client)"
        ),
        output => output.with_context(|| format!("{program} cannot be started"))?,
    };
    if !output.status.success() {
        bail!("{program} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// Returns the connection string for PostgreSQL's own programs without the password, and the password.
/// Parameters that only sqlx supports are removed.
fn connection_string(url: &str) -> anyhow::Result<(String, Option<String>)> {
    const KNOWN: [&str; 8] =
        ["host", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey"];
    let mut url = Url::parse(url).context("DATABASE_URL")?;
    let mut password = url
        .password()
        .map(|password| percent_encoding::percent_decode_str(password).decode_utf8_lossy().into_owned());
    let parameters: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    url.set_query(None);
    let _ = url.set_password(None);
    for (name, value) in parameters {
        if name == "password" {
            password = Some(value);
        } else if KNOWN.contains(&name.as_str()) {
            url.query_pairs_mut().append_pair(&name, &value);
        }
    }
    Ok((url.into(), password))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_string_has_no_password_and_no_unknown_parameter() {
        let url =
            "postgres://reader:hu%2Fsh@db.example:6000/carrel?sslmode=require&statement-cache-capacity=9";
        let (url, password) = connection_string(url).unwrap();
        assert_eq!(url, "postgres://reader@db.example:6000/carrel?sslmode=require");
        assert_eq!(password.as_deref(), Some("hu/sh"));
        let socket = "postgres:///carrel?host=/run/postgresql&user=reader&password=hush";
        let (url, password) = connection_string(socket).unwrap();
        assert_eq!(url, "postgres:///carrel?host=%2Frun%2Fpostgresql&user=reader");
        assert_eq!(password.as_deref(), Some("hush"));
    }

    #[test]
    fn sqlite_path_is_read_from_the_url() {
        let path = sqlite_path("sqlite://data/carrel.db?mode=rwc").unwrap();
        assert_eq!(path, Path::new("data/carrel.db"));
    }
}

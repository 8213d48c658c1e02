//! Installation that the settings name: a database and a store of files. `carrel serve`, `migrate`, and `restore`
//! create it. This module opens an existing installation for a command. If there is none, the command fails and
//! creates nothing.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use http_kit::app::App;
use http_kit::config::Settings;
use kernel::blobs::Location;
use kernel::db::embedded_file;
use kernel::{Database, DatabaseSettings, Domain};
use sea_orm::sqlx::postgres::PgConnectOptions;

use crate::schema::Schema;

/// Remedy if the settings of a command refer to no installation.
const REMEDY: &str = "run the command in the folder of the service, or set DATABASE_URL to its database; \
     `carrel serve` creates a new installation";

/// Opens the database of an existing installation for one command.
///
/// # Errors
/// If there is no installation, or migrations are pending.
pub(crate) async fn open_domain(settings: &Settings) -> anyhow::Result<Domain> {
    require_database(settings)?;
    let connections = DatabaseSettings { max_connections: 2, ..settings.database.clone() };
    let database = Database::connect(&settings.database_url, &connections).await?;
    let domain = Domain::new(database).with_policy(http_kit::app::policy_of(settings));
    let domain = application::compose(domain);
    require_migrated(&domain, settings).await?;
    // Creates the key now, as at the start of a service: a transaction of the embedded database's only writer cannot
    // create it.
    domain.cursor_key().await?;
    Ok(domain)
}

/// Opens the app of an existing installation for one command, which may read and write files.
///
/// # Errors
/// If there is no installation, migrations are pending, or the folder for files does not exist.
pub(crate) async fn open_app(settings: Settings) -> anyhow::Result<Arc<App>> {
    require_database(&settings)?;
    require_files(&settings)?;
    let app = Box::pin(App::open(settings)).await?;
    require_migrated(&app.domain, &app.settings).await?;
    Ok(app)
}

/// Fails if the file of an embedded database does not exist.
pub(crate) fn require_database(settings: &Settings) -> anyhow::Result<()> {
    match embedded_file(&settings.database_url) {
        Some(file) if !file.exists() => bail!(
            "there is no installation here: the database {} (DATABASE_URL) does not exist; {REMEDY}",
            absolute_text(file)
        ),
        _ => Ok(()),
    }
}

/// Fails if the folder for files does not exist. A command does not create it: if it is missing, `CARREL_FILES` or the
/// working directory is wrong, and the service uses another folder.
fn require_files(settings: &Settings) -> anyhow::Result<()> {
    match &settings.files {
        Location::Folder(folder) if !folder.exists() => bail!(
            "the folder for files {} (CARREL_FILES) does not exist; run the command in the folder of the service, \
             or set CARREL_FILES to its folder; `carrel serve` creates the folder",
            absolute_text(folder)
        ),
        _ => Ok(()),
    }
}

/// Fails if there is no installation in the database, migrations are pending, or a newer version upgraded the
/// schema too long ago.
pub(crate) async fn require_migrated(domain: &Domain, settings: &Settings) -> anyhow::Result<()> {
    let schema = Schema::read(domain.db().write()).await?;
    schema.require_window(domain.now())?;
    require_tables(&schema, &settings.database_url)?;
    if schema.pending > 0 {
        bail!("the database is not up to date: run `carrel migrate` first");
    }
    Ok(())
}

/// Fails if the database at `url`, whose schema is `schema`, is empty.
pub(crate) fn require_tables(schema: &Schema, url: &str) -> anyhow::Result<()> {
    if schema.is_empty() {
        bail!(
            "there is no installation here: the database {} (DATABASE_URL) is empty; {REMEDY}",
            database_text(url)
        );
    }
    Ok(())
}

/// Describes the database at `url` without its user and password.
pub(crate) fn database_text(url: &str) -> String {
    if let Some(file) = embedded_file(url) {
        return absolute_text(file);
    }
    let Ok(options) = url.parse::<PgConnectOptions>() else { return String::new() };
    let name = options.get_database().unwrap_or_else(|| options.get_username());
    format!("{name} at {}:{}", options.get_host(), options.get_port())
}

/// Returns the absolute path as text.
pub(crate) fn absolute_text(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_is_described_without_its_credentials() {
        let text = database_text("postgres://carrel:hush@db.example.org:5433/reading");
        assert_eq!(text, "reading at db.example.org:5433");
        assert_eq!(database_text("sqlite:///var/lib/c.db?mode=rwc"), "/var/lib/c.db");
    }
}

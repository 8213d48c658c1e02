//! `carrel backup` and `carrel restore`.

use std::io::{IsTerminal, Write};

use anyhow::{Context, bail};
use clap::Args;
use indicatif::{HumanBytes, ProgressBar, ProgressStyle};
use kernel::blobs::Blobs;
use kernel::{Database, DatabaseSettings, Domain};

use crate::backup::{self, ArchiveLocation, BackupControl, BackupSummary};
use crate::installation;
use http_kit::config::Settings;

/// Arguments of `carrel backup`.
#[derive(Debug, Args)]
#[expect(clippy::doc_markdown, reason = "these comments are help texts, where backticks would be printed")]
pub(super) struct BackupArgs {
    /// File, or s3://bucket/path/name?endpoint=https://…&region=… with the credentials in
    /// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
    #[arg(value_name = "FILE|s3://…")]
    archive: ArchiveLocation,
    /// Verify an existing backup instead of writing one.
    #[arg(long)]
    verify: bool,
}

/// Arguments of `carrel restore`.
#[derive(Debug, Args)]
pub(super) struct RestoreArgs {
    /// Backup: a file, or an object as for `carrel backup`.
    #[arg(value_name = "FILE|s3://…")]
    archive: ArchiveLocation,
}

/// Writes or verifies a backup.
///
/// # Errors
/// If it fails, or if the store lacks files to which the database refers; the backup is otherwise complete.
pub(super) async fn write(settings: &Settings, arguments: &BackupArgs) -> anyhow::Result<()> {
    let archive = &arguments.archive;
    if arguments.verify {
        let summary = backup::verify(archive).await?;
        return print(&summary, "verified");
    }
    installation::require_database(settings)?;
    let blobs = Blobs::open_existing(&settings.files)
        .with_context(|| format!("CARREL_FILES ({})", settings.files))?;
    let database = Database::connect(&settings.database_url, &DatabaseSettings::without_timeouts(2)).await?;
    let domain = Domain::new(database).with_blobs(blobs);
    installation::require_migrated(&domain, settings).await?;
    let control = BackupControl { progress: progress()?, stop: super::interrupt::stop_on_interrupt() };
    let summary = backup::write(&domain, &settings.database_url, archive, control).await?;
    print(&summary, "written")?;
    if summary.missing.is_empty() {
        return Ok(());
    }
    for key in summary.missing.iter().take(20) {
        eprintln!("missing: {key}");
    }
    bail!(
        "the backup lacks {} files that were missing in CARREL_FILES; `carrel doctor` lists their items",
        summary.missing.len()
    )
}

/// Restores a backup, applies pending migrations, and starts new sync histories.
///
/// # Errors
/// If the database exists already, or the backup is damaged.
pub(super) async fn restore(settings: &Settings, arguments: &RestoreArgs) -> anyhow::Result<()> {
    let summary = backup::restore(settings, &arguments.archive).await?;
    crate::process::migrate(settings).await?;
    super::after_restore::run(settings).await?;
    print(&summary, "restored")
}

fn print(summary: &BackupSummary, action: &str) -> anyhow::Result<()> {
    let BackupSummary { about, files, database_bytes, file_bytes, .. } = summary;
    writeln!(
        std::io::stdout(),
        "{action}: backup of {} by Carrel {}, a database of {} and {files} files of {}",
        about.created_at,
        about.version,
        HumanBytes(*database_bytes),
        HumanBytes(*file_bytes)
    )?;
    Ok(())
}

fn progress() -> anyhow::Result<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return Ok(ProgressBar::hidden());
    }
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} files, {eta} left")?;
    Ok(ProgressBar::new(0).with_style(style))
}

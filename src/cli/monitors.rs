//! `carrel monitors`: imports monitors of other programs into an account, and exports the account's monitors.

use std::io::Write;

use ::monitors::{ImportOutcome, ImportReport};
use anyhow::Context;
use clap::Subcommand;
use identity::accounts;
use tokio::io::AsyncReadExt;

use http_kit::config::Settings;

/// Maximum size of a file, in bytes. Backups of changedetection.io contain stored pages.
const MAX_FILE_BYTES: u64 = 200 * 1024 * 1024;

/// Monitors command.
#[derive(Debug, Subcommand)]
pub(super) enum MonitorsCommand {
    /// Import a backup of changedetection.io, a list of urlwatch, or an export, and print what was not
    /// imported.
    Import {
        /// File, or `-` for standard input.
        #[arg(value_name = "FILE|-")]
        file: String,
        /// E-mail address of the account.
        #[arg(long, value_name = "ADDRESS")]
        account: String,
    },
    /// Print the monitors of an account as JSON.
    Export {
        /// E-mail address of the account.
        #[arg(long, value_name = "ADDRESS")]
        account: String,
    },
}

/// Runs the command on the database in `settings`.
pub(super) async fn run(settings: Settings, command: MonitorsCommand) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let mut out = std::io::stdout();
    match command {
        MonitorsCommand::Import { file, account } => {
            let account_id = accounts::find(&app.domain, &account).await?.id;
            let bytes = read(&file).await?;
            let report = ::monitors::import_list(&app.domain, &app.sandbox, account_id, bytes).await;
            app.sandbox.shutdown().await;
            print(&mut out, &report?)?;
        }
        MonitorsCommand::Export { account } => {
            let account_id = accounts::find(&app.domain, &account).await?.id;
            writeln!(out, "{}", ::monitors::export_definitions(&app.domain, account_id).await?)?;
        }
    }
    Ok(())
}

async fn read(name: &str) -> anyhow::Result<Vec<u8>> {
    let path = if name == "-" { "/dev/stdin" } else { name };
    let file = tokio::fs::File::open(path).await.with_context(|| format!("{name} cannot be opened"))?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).await;
    let count = read.with_context(|| format!("{name} cannot be read"))?;
    anyhow::ensure!(u64::try_from(count)? <= MAX_FILE_BYTES, "{name} is larger than 200 MiB");
    Ok(bytes)
}

fn print(out: &mut impl Write, report: &ImportReport) -> std::io::Result<()> {
    for monitor in &report.monitors {
        match &monitor.outcome {
            ImportOutcome::Created(id) => writeln!(out, "created   {id}  {}", monitor.name)?,
            ImportOutcome::Existing(id) => writeln!(out, "existing  {id}  {}", monitor.name)?,
            ImportOutcome::Refused { code, message } => {
                writeln!(out, "refused   {code}  {}: {message}", monitor.name)?;
            }
        }
        for setting in &monitor.not_imported {
            writeln!(out, "          without: {setting}")?;
        }
    }
    let (created, existing) = (report.created(), report.existing());
    let refused = report.monitors.len() - created - existing;
    let dropped = report.dropped;
    writeln!(out, "created {created}, existing {existing}, refused {refused}, not read {dropped}")
}

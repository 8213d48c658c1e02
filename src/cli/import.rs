//! `carrel import`: imports a file into an account's library with the same rules as an import through the
//! API. The job runs in this process unless a worker of a running service claims it first.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

use ::extract::imports::{ColumnMap, Format};
use ::jobs::Handlers;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use identity::accounts;
use indicatif::{ProgressBar, ProgressStyle};
use kernel::{AccountId, Domain, ImportId};
use library::transfer::{self, FolderTags, Import, ImportedPart, NewImport};
use library::{AccountExportPart, ImportedPartKind, TransferState};
use tokio::io::AsyncReadExt;
use tokio_util::sync::CancellationToken;

use http_kit::app::App;
use http_kit::config::Settings;

/// Read size, in bytes.
const PIECE_BYTES: usize = 256 * 1024;
/// Interval at which the command reads the progress of the import.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// Arguments of `carrel import`.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// File, or `-` for standard input.
    #[arg(value_name = "FILE|-")]
    file: String,
    /// E-mail address of the account that owns the library.
    #[arg(long, value_name = "ADDRESS")]
    account: String,
    /// Format of the file. Detected from the content by default.
    #[arg(long, value_parser = formats())]
    format: Option<Format>,
    /// Count what would happen to each row and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Restore items, notes, and highlights that were deleted from the library.
    #[arg(long)]
    include_deleted: bool,
    /// Parts of a Carrel export to import in addition to the library: subscriptions, monitors, settings,
    /// positions, separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = parts())]
    include: Vec<AccountExportPart>,
    /// How folders and lists are imported: as one tag with the path, as a tag for each folder, or without
    /// tags.
    #[arg(long, default_value = "path-tags", value_parser = folders())]
    folders: FolderTags,
    /// Fields of the columns of a table, or of the members of JSON objects: `url=Link,title=Name`. Other
    /// columns are detected by their names and values.
    #[arg(long, value_name = "FIELD=COLUMN,…", value_parser = ColumnMap::parse)]
    map: Option<ColumnMap>,
}

pub(super) fn folders() -> impl TypedValueParser<Value = FolderTags> {
    let words = PossibleValuesParser::new(FolderTags::ALL.iter().map(|choice| choice.as_str()));
    words.try_map(|word| FolderTags::parse(&word).ok_or("is not a choice"))
}

fn parts() -> impl TypedValueParser<Value = AccountExportPart> {
    let words = PossibleValuesParser::new(AccountExportPart::ALL.iter().map(|part| part.as_str()));
    words.try_map(|word| AccountExportPart::parse(&word).ok_or("is not a part of an export"))
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let words = PossibleValuesParser::new(Format::ALL.iter().map(|format| format.as_str()));
    words.try_map(|word| Format::parse(&word).ok_or("is not a known format"))
}

/// Uploads the file, runs the import to its end, and reports the results of its rows.
pub(super) async fn run(settings: Settings, arguments: &ImportArgs) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let account_id = accounts::find(&app.domain, &arguments.account).await?.id;
    let id = upload_file(&app.domain, account_id, arguments).await?;
    let tools = app.tools()?;
    let running = SubmittedImport {
        app: Arc::clone(&app),
        handlers: application::job_kinds::handlers(&tools),
        account_id,
        id,
        stop: super::interrupt::stop_on_interrupt(),
    };
    let import = tokio::select! {
        ended = running.run_to_end() => ended?,
        never = running.show() => return never,
    };
    tools.sandbox.shutdown().await;
    report(&import)?;
    match import.state {
        TransferState::Complete => Ok(()),
        TransferState::Failed => bail!("the import failed: {}", import.error_code.unwrap_or_default()),
        TransferState::Queued | TransferState::Running => {
            bail!("stopped: imported rows stay, and a running service continues with the rest")
        }
    }
}

/// Uploads the file to the blob store and submits its import job.
async fn upload_file(
    domain: &Domain,
    account_id: AccountId,
    arguments: &ImportArgs,
) -> anyhow::Result<ImportId> {
    let name = arguments.file.as_str();
    let path = if name == "-" { "/dev/stdin" } else { name };
    let mut file = tokio::fs::File::open(path).await.with_context(|| format!("{name} cannot be opened"))?;
    let mut upload = transfer::begin_import(domain, account_id).await?;
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece).await.with_context(|| format!("{name} cannot be read"))? {
            0 => break,
            count => upload.push(&piece[..count]).await?,
        }
    }
    let new = NewImport {
        format: arguments.format,
        is_dry: arguments.dry_run,
        include_deleted: arguments.include_deleted,
        include: arguments.include.clone(),
        folders: arguments.folders,
        columns: arguments.map.clone().unwrap_or_default(),
    };
    // The job is not pushed: if this process exits before it starts the job, a worker's sweep finds it.
    let (import, _job) = upload.finish(new).await?;
    Ok(import.id)
}

/// Import whose job was submitted.
struct SubmittedImport {
    app: Arc<App>,
    handlers: Handlers,
    account_id: AccountId,
    id: ImportId,
    stop: CancellationToken,
}

impl SubmittedImport {
    /// Waits until the import ends, in this process or in a worker of a running service.
    async fn run_to_end(&self) -> anyhow::Result<Import> {
        loop {
            // The job is loaded before the import. An import that is unfinished after that had a job when the
            // job was loaded, unless the job is dead.
            let job = transfer::import_job(&self.app.domain, self.account_id).await?;
            let import = self.load().await?;
            let is_over = matches!(import.state, TransferState::Complete | TransferState::Failed);
            if is_over || self.stop.is_cancelled() {
                return Ok(import);
            }
            let Some(job) = job else {
                bail!("the import job is dead: see `carrel jobs list --kind library_import`")
            };
            Box::pin(self.app.engine.run_inline(&self.handlers, (job.kind, job.id), &self.stop)).await?;
        }
    }

    async fn load(&self) -> anyhow::Result<Import> {
        Ok(transfer::get_import(&self.app.domain, self.account_id, self.id).await?)
    }

    /// Shows the progress, as a bar on a terminal and as lines otherwise, until the future is dropped. Returns only
    /// if an error occurs.
    async fn show(&self) -> anyhow::Result<()> {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal { bar()? } else { ProgressBar::hidden() };
        let (mut interval, mut tenth) = (tokio::time::interval(PROGRESS_INTERVAL), 0);
        loop {
            interval.tick().await;
            let import = self.load().await?;
            let Some(total) = import.total.and_then(|total| u64::try_from(total).ok()) else { continue };
            let done = import.created + import.existing + import.skipped + import.failed;
            let done = u64::try_from(done).unwrap_or(0).min(total);
            bar.set_length(total);
            bar.set_position(done);
            let reached = (done * 10).checked_div(total).unwrap_or(0);
            if !is_terminal && reached > tenth {
                eprintln!("{done} of {total} rows");
                tenth = reached;
            }
        }
    }
}

fn bar() -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} rows, {eta} left")?;
    Ok(ProgressBar::new(0).with_style(style))
}

/// Prints the result counts and the first row errors.
pub(super) fn report(import: &Import) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let format = import.format.map_or("unknown format", Format::label);
    let mode = if import.is_dry { "would be " } else { "" };
    writeln!(
        out,
        "{format}, {} rows: {mode}created {}, there already {}, left out {}, failed {}; notes and highlights {}",
        import.total.unwrap_or(0),
        import.created,
        import.existing,
        import.skipped,
        import.failed,
        import.highlights
    )?;
    if !import.parts.is_empty() {
        let parts: Vec<String> = import.parts.iter().map(part_text).collect();
        writeln!(out, "also imported: {}", parts.join(", "))?;
    } else if import.is_dry && import.includes_parts {
        writeln!(out, "other parts of the export are not counted in a dry run")?;
    }
    for problem in &import.problems {
        writeln!(out, "row {}  {}  {}", problem.row, problem.code, problem.reason)?;
    }
    if !import.columns.is_empty() {
        writeln!(out, "columns: {}", import.columns)?;
    }
    Ok(())
}

/// Describes the objects of one kind: their number, and the number in the export if some of them failed.
fn part_text(part: &ImportedPart) -> String {
    let kind = match part.kind {
        ImportedPartKind::Feeds => "feeds",
        ImportedPartKind::Monitors => "monitors",
        ImportedPartKind::FeedSettings => "settings of feeds",
        ImportedPartKind::Rules => "rules",
        ImportedPartKind::Searches => "saved searches",
        ImportedPartKind::Templates => "templates of messages",
        ImportedPartKind::AccountSettings => "settings of the account",
        ImportedPartKind::Positions => "positions",
    };
    match part.failed {
        0 => format!("{kind} {}", part.imported),
        failed => format!("{kind} {} of {}", part.imported, part.imported + failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imported_part_is_described_with_its_failures() {
        let part = |kind, imported, failed| part_text(&ImportedPart { kind, imported, failed });
        assert_eq!(part(ImportedPartKind::Feeds, 12, 0), "feeds 12");
        assert_eq!(part(ImportedPartKind::Searches, 2, 1), "saved searches 2 of 3");
    }
}

//! `carrel export`: exports an account with the same job as an export through the API. The job runs in this
//! process unless a worker of a running service claims it first.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use futures_util::TryStreamExt;
use identity::accounts;
use kernel::{AccountId, Domain};
use library::transfer::{self, Export};
use library::{ExportFormat, TransferState};

use http_kit::config::Settings;

/// Arguments of `carrel export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// E-mail address of the account.
    #[arg(long, value_name = "ADDRESS")]
    account: String,
    /// Format: everything (the default), or bookmarks, a table, the cards, or Markdown files of the library.
    #[arg(long, default_value = "svc_jsonl", value_parser = formats())]
    format: ExportFormat,
    /// Folder for the files. Existing files are not overwritten.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    let words = PossibleValuesParser::new(ExportFormat::ALL.iter().map(|format| format.as_str()));
    words.try_map(|word| ExportFormat::parse(&word).ok_or("is not a format of exports"))
}

/// Creates the export, writes its files, and deletes it.
pub(super) async fn run(settings: Settings, arguments: &ExportArgs) -> anyhow::Result<()> {
    let app = crate::installation::open_app(settings).await?;
    let account_id = accounts::find(&app.domain, &arguments.account).await?.id;
    require_free_names(&arguments.out, arguments.format)?;
    let (export, job) = transfer::create_export(&app.domain, account_id, arguments.format).await?;
    let Some(job) = job else {
        bail!(
            "an export of {} is in progress: wait until it is complete, or stop it on the page Library › Export",
            arguments.account
        )
    };
    let tools = app.tools()?;
    let handlers = application::job_kinds::handlers(&tools);
    let stop = super::interrupt::stop_on_interrupt();
    Box::pin(app.engine.run_inline(&handlers, (job.kind, job.id), &stop)).await?;
    tools.sandbox.shutdown().await;
    let export = transfer::get_export(&app.domain, account_id, export.id).await?;
    match export.state {
        TransferState::Complete => {}
        TransferState::Failed => bail!(
            "the export failed ({}) and does not count towards the four of a day: see \
             `carrel jobs list --kind library_export`, then repeat the command",
            export.error_code.unwrap_or_default()
        ),
        TransferState::Queued | TransferState::Running => {
            transfer::delete_export(&app.domain, account_id, export.id).await?;
            bail!("stopped: the export was deleted, and does not count towards the four of a day")
        }
    }
    let mut created = Vec::new();
    match write_parts(&app.domain, (account_id, &export), &arguments.out, &mut created).await {
        Ok(lines) => {
            transfer::delete_export(&app.domain, account_id, export.id).await?;
            Ok(std::io::stdout().write_all(lines.as_bytes())?)
        }
        Err(error) => {
            for path in created {
                let _ = std::fs::remove_file(path);
            }
            transfer::withdraw_export(&app.domain, account_id, export.id).await?;
            Err(error)
        }
    }
}

/// Fails before anything is exported if the files of the export could not be created.
fn require_free_names(folder: &Path, format: ExportFormat) -> anyhow::Result<()> {
    let name = folder.display();
    if !folder.is_dir() {
        bail!("{name} is not a folder: create it, or choose another one with --out");
    }
    for count in [1, 2] {
        let path = folder.join(transfer::export_file_name(format, 1, count));
        if path.exists() {
            return Err(occupied(&path));
        }
    }
    Ok(())
}

fn occupied(path: &Path) -> anyhow::Error {
    anyhow!("{} exists: move it away, or choose another folder with --out", path.display())
}

/// Writes the files, and adds the path of each new file to `created`. Returns a line for each file.
async fn write_parts(
    domain: &Domain,
    (account_id, export): (AccountId, &Export),
    folder: &Path,
    created: &mut Vec<PathBuf>,
) -> anyhow::Result<String> {
    let mut lines = String::new();
    for part in &export.parts {
        let file = transfer::open_export(domain, account_id, export.id, part.number).await?;
        let path = folder.join(&file.name);
        let name = path.display();
        // The file contains private data.
        let opened = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let mut output = opened.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => occupied(&path),
            _ => {
                anyhow!(error).context(format!("{name} cannot be created: choose another folder with --out"))
            }
        })?;
        created.push(path.clone());
        let mut bytes = file.read(domain, 0..file.size).await?;
        while let Some(piece) = bytes.try_next().await? {
            output.write_all(&piece).with_context(|| {
                format!("{name} cannot be written: free space, or choose another folder with --out")
            })?;
        }
        lines.push_str(&format!("{name}  {} bytes  {}\n", file.size, file.checksum));
    }
    Ok(lines)
}

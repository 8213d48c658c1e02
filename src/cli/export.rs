//! `carrel export`: exports an account with the same job as an export through the API. The job runs in this
//! process unless a worker of a running service claims it first.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
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
    /// Format: everything (the default), or bookmarks, a table, or the cards of the library.
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
    let (export, job) = transfer::create_export(&app.domain, account_id, arguments.format).await?;
    let Some(job) = job else {
        bail!("an export of {} is in progress: wait until it is complete", arguments.account)
    };
    let tools = app.tools()?;
    let handlers = application::job_kinds::handlers(&tools);
    let stop = super::interrupt::stop_on_interrupt();
    Box::pin(app.engine.run_inline(&handlers, (job.kind, job.id), &stop)).await?;
    tools.sandbox.shutdown().await;
    let export = transfer::get_export(&app.domain, account_id, export.id).await?;
    let written = match export.state {
        TransferState::Complete => write_parts(&app.domain, account_id, &export, &arguments.out).await,
        TransferState::Failed => bail!("the export failed: {}", export.error_code.unwrap_or_default()),
        TransferState::Queued | TransferState::Running => {
            bail!("stopped: a running service continues, and the page Library › Export has the files")
        }
    };
    transfer::delete_export(&app.domain, account_id, export.id).await?;
    written
}

async fn write_parts(
    domain: &Domain,
    account_id: AccountId,
    export: &Export,
    folder: &Path,
) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    for part in &export.parts {
        let file = transfer::open_export(domain, account_id, export.id, part.number).await?;
        let path = folder.join(&file.name);
        let name = path.display();
        // The file contains private data.
        let opened = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let mut output = opened.with_context(|| format!("{name} cannot be created"))?;
        let mut bytes = file.read(domain, 0..file.size).await?;
        while let Some(piece) = bytes.try_next().await? {
            output.write_all(&piece).with_context(|| format!("{name} cannot be written"))?;
        }
        writeln!(out, "{name}  {} bytes  {}", file.size, file.checksum)?;
    }
    Ok(())
}

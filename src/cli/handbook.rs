//! `carrel handbook`: writes the handbook as the source of an mdBook. The service displays the same pages.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;

use http_kit::config::{Settings, Variables};

/// Arguments of `carrel handbook`.
#[derive(Debug, Args)]
pub(super) struct HandbookArgs {
    /// Folder for the files. If it exists, it must be empty.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes the files. The limits are those of this machine's settings, and `commands` creates the page about the
/// commands.
pub(super) fn run(arguments: &HandbookArgs, commands: fn() -> String) -> anyhow::Result<()> {
    let settings = Settings::read(&mut Variables::of_process(&[])?)?;
    let name = arguments.folder.display();
    std::fs::create_dir_all(&arguments.folder).with_context(|| format!("{name} cannot be created"))?;
    let mut existing =
        std::fs::read_dir(&arguments.folder).with_context(|| format!("{name} cannot be read"))?;
    if existing.next().is_some() {
        bail!("{name} is not empty: choose another folder");
    }
    let tables = web::CodeTables { commands, metrics: crate::ops::metric_page };
    let files = web::handbook_files(tables, &settings.accounts.tiers);
    let pictures = arguments.folder.join("pictures");
    std::fs::create_dir(&pictures).with_context(|| format!("{} cannot be created", pictures.display()))?;
    for (file, content) in &files {
        let path = arguments.folder.join(file);
        std::fs::write(&path, content).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    let mut out = std::io::stdout();
    writeln!(out, "{} files in {name}; `mdbook build {name}` makes a static folder of them", files.len())
        .context("standard output is closed")
}

//! `carrel openapi`: an API description on standard output, the same that the service serves.

use std::io::Write;

use anyhow::Context;
use clap::{Args, ValueEnum};

use http_kit::config::{Settings, Variables};

/// Which description.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The surface to describe.
    #[arg(value_enum)]
    surface: Surface,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Surface {
    /// The public reader.
    Reader,
    /// The Developer API.
    Developer,
}

/// Prints it, with the addresses of this machine's settings.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings::read(&mut Variables::of_process(&[])?)?;
    let document = match arguments.surface {
        Surface::Developer => api::document::document(&settings.origins)?,
        Surface::Reader => reader::document::document(settings.origins.reader.as_str())?,
    };
    let text = serde_json::to_string_pretty(&document)?;
    writeln!(std::io::stdout(), "{text}").context("standard output is closed")
}

//! `carrel openapi`: prints the same API description that the service returns.

use std::io::Write;

use anyhow::Context;
use clap::{Args, ValueEnum};

use http_kit::config::{Settings, Variables};

/// Arguments of `carrel openapi`.
#[derive(Debug, Args)]
pub(super) struct OpenapiArgs {
    /// Surface to describe.
    #[arg(value_enum)]
    surface: ApiSurface,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ApiSurface {
    /// Public reader.
    Reader,
    /// Developer API.
    Developer,
}

/// Prints the description, with the origins from this machine's settings.
pub(super) fn run(arguments: &OpenapiArgs) -> anyhow::Result<()> {
    let settings = Settings::read(&mut Variables::of_process(&[])?)?;
    let document = match arguments.surface {
        ApiSurface::Developer => api::document::document(&settings.origins)?,
        ApiSurface::Reader => reader::document::document(settings.origins.reader.as_str())?,
    };
    let text = serde_json::to_string_pretty(&document)?;
    writeln!(std::io::stdout(), "{text}").context("standard output is closed")
}

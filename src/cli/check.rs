//! `carrel check`: verifies the settings and the services that they name. Changes nothing, and works before
//! the first start and while the service runs.

mod probes;
mod readiness;
mod report;

use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;

use http_kit::config::Settings;
use report::CheckState;

/// Arguments of `carrel check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
    /// Only ask the running service whether it is ready, as health checks of containers do.
    #[arg(long, conflicts_with = "json")]
    ready: bool,
}

/// Runs the checks and prints one line for each.
///
/// # Errors
/// If a check has a fault, or the running service is not ready.
pub(super) fn run(arguments: &CheckArgs) -> anyhow::Result<()> {
    let read = Settings::from_environment(&[]);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if arguments.ready {
        return runtime.block_on(readiness::ask(&read?));
    }
    let findings = match read {
        Ok(settings) => runtime.block_on(probes::all(&settings)),
        Err(faults) => faults.0.into_iter().map(report::invalid_setting).collect(),
    };
    let mut out = std::io::stdout();
    let text = if arguments.json { report::json(&findings) } else { report::lines(&findings) };
    out.write_all(text.as_bytes()).context("standard output is closed")?;
    let faults = findings.iter().filter(|finding| finding.state == CheckState::Fault).count();
    if faults > 0 {
        bail!("{faults} of {} checks failed", findings.len());
    }
    Ok(())
}

//! `carrel doctor`: whether the database holds what must always hold, and whether what stands beside it answers.

use std::io::Write;

use anyhow::bail;
use application::doctor::{self, Finding};
use kernel::{Database, DatabaseSettings, Domain};

use http_kit::config::Settings;

/// Makes every check and tells what does not hold and what to do. Nothing is changed, and the service may run.
///
/// # Errors
/// When something does not hold, or nothing can be asked.
pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let connections = DatabaseSettings { max_connections: 2, ..settings.database.clone() };
    let domain = Domain::new(Database::connect(&settings.database_url, &connections).await?);
    let steps = migrations::pending(domain.db().write()).await?;
    if steps > 0 {
        bail!("the database is {steps} steps behind this version: run `carrel migrate`, then this again");
    }
    let mut broken = 0;
    let engine = http_kit::app::engine_of(settings, domain.clone())?;
    if let Err(error) = engine.ping().await {
        broken += 1;
        let remedy = match settings.redis_url {
            Some(_) => "see whether Redis runs, and REDIS_URL",
            None => {
                "LISTEN needs a session of its own: lead DATABASE_URL past a pooler of transactions, or set REDIS_URL"
            }
        };
        writeln!(out, "queue: it cannot be reached ({})\n  to do: {remedy}", error.message)?;
    }
    let findings = doctor::examine(&domain).await?;
    for finding in &findings {
        broken += 1;
        show(&mut out, finding)?;
    }
    let checks = doctor::checks().count();
    if broken > 0 {
        bail!("{broken} of {} things do not hold", checks + 1);
    }
    writeln!(out, "all {checks} checks hold, and the queue answers")?;
    Ok(())
}

fn show(out: &mut impl Write, finding: &Finding) -> std::io::Result<()> {
    let Finding { check, count, examples } = finding;
    writeln!(out, "{}: {count} {}", check.name, if *count == 1 { "row breaks it" } else { "rows break it" })?;
    writeln!(out, "  what holds: {}", check.holds)?;
    writeln!(
        out,
        "  rows: {}{}",
        examples.join(", "),
        if examples.len() < examples_of(*count) { ", …" } else { "" }
    )?;
    writeln!(out, "  to do: {}", check.remedy)
}

fn examples_of(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

//! `carrel doctor`: checks the invariants of the database and whether the queue responds.

use std::io::Write;

use anyhow::{Context, bail};
use application::doctor::{self, Finding};
use kernel::blobs::Blobs;
use kernel::{Database, DatabaseSettings, Domain};

use crate::installation;
use crate::schema::Schema;
use http_kit::config::Settings;

/// Remedy if Redis does not answer.
pub(super) const REDIS_REMEDY: &str = "check that Redis is running and that REDIS_URL is correct";
/// Remedy if the queue does not answer without Redis.
pub(super) const LISTEN_REMEDY: &str =
    "LISTEN needs a session of its own: point DATABASE_URL past a transaction pooler, or set REDIS_URL";

/// Runs every check and prints each violation with its remedy. Changes nothing; the service may be running.
///
/// # Errors
/// If a check fails or the database cannot be reached.
pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    let connections = DatabaseSettings { max_connections: 2, ..settings.database.clone() };
    installation::require_database(settings)?;
    let blobs = Blobs::open_existing(&settings.files)
        .with_context(|| format!("CARREL_FILES ({})", settings.files))?;
    let database = Database::connect(&settings.database_url, &connections).await?;
    let domain = Domain::new(database).with_blobs(blobs);
    let schema = Schema::read(domain.db().write()).await?;
    if schema.pending > 0 {
        schema.require_window(domain.now())?;
        installation::require_tables(&schema, &settings.database_url)?;
        bail!("{} migrations are pending: run `carrel migrate`, then `carrel doctor` again", schema.pending);
    }
    let mut broken = 0;
    if let Some(text) = schema.newer_text() {
        broken += 1;
        writeln!(out, "schema: {text}\n  to do: start the newer version")?;
    }
    let engine = http_kit::app::engine_of(settings, domain.clone())?;
    if let Err(error) = engine.ping().await {
        broken += 1;
        let remedy = if settings.redis_url.is_some() { REDIS_REMEDY } else { LISTEN_REMEDY };
        writeln!(out, "queue: unreachable ({})\n  to do: {remedy}", error.message)?;
    }
    let findings = doctor::examine(&domain).await?;
    for finding in &findings {
        broken += 1;
        show(&mut out, finding)?;
    }
    let checks = doctor::checks().count();
    if broken > 0 {
        bail!("{broken} of {} checks failed", checks + 2);
    }
    writeln!(out, "all {checks} checks hold, and the queue answers")?;
    writeln!(out, "renderer: {}", settings.renderer.state())?;
    Ok(())
}

fn show(out: &mut impl Write, finding: &Finding) -> std::io::Result<()> {
    let Finding { check, count, examples } = finding;
    writeln!(out, "{}: {count} {}", check.name, if *count == 1 { "row breaks it" } else { "rows break it" })?;
    writeln!(out, "  invariant: {}", check.invariant)?;
    writeln!(
        out,
        "  rows: {}{}",
        examples.join(", "),
        if examples.len() < saturating_usize(*count) { ", …" } else { "" }
    )?;
    writeln!(out, "  to do: {}", check.remedy)
}

fn saturating_usize(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

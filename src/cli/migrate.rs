//! `carrel migrate`: migrates the database, or shows the plan.

use std::io::Write;

use kernel::db::embedded_file;
use kernel::{Backend, Database, DatabaseSettings};
use migrations::plan::{PlannedChange, PlannedStep, RowWork, TableSize, plan};
use sea_orm::DbBackend;

use crate::schema::Schema;
use crate::{process, telemetry};
use http_kit::config::Settings;

/// Arguments of `carrel migrate`.
#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    /// Print the pending steps with their tables, locks, and an estimate of the time. Change nothing.
    #[arg(long)]
    plan: bool,
}

/// Migrates the database, or prints the plan.
///
/// # Errors
/// If the database cannot be opened or a migration fails.
pub(super) async fn run(settings: &Settings, arguments: &MigrateArgs) -> anyhow::Result<()> {
    if !arguments.plan {
        telemetry::start_log(&settings.log)?;
        return process::migrate(settings).await;
    }
    let mut out = std::io::stdout();
    if let Some(file) = embedded_file(&settings.database_url).filter(|file| !file.exists()) {
        writeln!(out, "{} does not exist: the first start creates it with all steps", file.display())?;
        return Ok(());
    }
    let connections = DatabaseSettings::without_timeouts(1);
    let db = Database::connect(&settings.database_url, &connections).await?;
    let schema = Schema::read(db.read()).await?;
    if let Some(text) = schema.newer_text() {
        writeln!(out, "{text}")?;
    }
    let steps = plan(db.read()).await?;
    let backend = match db.backend() {
        Backend::Sqlite => DbBackend::Sqlite,
        Backend::Postgres => DbBackend::Postgres,
    };
    write!(out, "{}", plan_text(&steps, backend))?;
    db.close().await;
    Ok(())
}

/// Returns the rows per second that were measured on one core of a small virtual machine with an ordinary
/// disk. The table had a million rows of 650 bytes on SQLite, and half a million on PostgreSQL 15.
fn measured_rate(backend: DbBackend, work: RowWork) -> u64 {
    match (backend, work) {
        (DbBackend::Sqlite, RowWork::Index) => 450_000,
        (DbBackend::Sqlite, RowWork::Write) => 19_000,
        (_, RowWork::Index) => 110_000,
        (_, RowWork::Write) => 11_000,
    }
}

fn plan_text(steps: &[PlannedStep], backend: DbBackend) -> String {
    if steps.is_empty() {
        return "no step is pending\n".to_owned();
    }
    let mut text = match steps.len() {
        1 => "one step is pending:\n".to_owned(),
        number => format!("{number} steps are pending, in this order:\n"),
    };
    let mut total = 0;
    for step in steps {
        text.push_str(&format!("\n{}{}\n", step.name, transaction_text(step, backend)));
        for change in &step.changes {
            let seconds = seconds_of(change, backend);
            total += seconds.unwrap_or_default();
            text.push_str(&change_text(change, seconds, backend));
        }
    }
    let (index, write) = (measured_rate(backend, RowWork::Index), measured_rate(backend, RowWork::Write));
    text.push_str(&format!(
        "\nestimate: {}, at measured rates of {index} rows per second for an index and {write} for writing rows\n\
         (one core of a small virtual machine, rows of 650 bytes, no other load; yours may differ several times)\n",
        duration_text(total)
    ));
    text.push_str(match backend {
        DbBackend::Sqlite => {
            "locks: each step holds the write lock of the file until it is done; reads go on, writes wait\n"
        }
        _ => "locks: a step waits at most 1 second for a lock, then lets others pass and retries\n",
    });
    text
}

fn transaction_text(step: &PlannedStep, backend: DbBackend) -> &'static str {
    match (backend, step.is_transaction) {
        (DbBackend::Postgres, true) => " (one transaction: its locks last until it is done)",
        (DbBackend::Postgres, false) => " (online: each part on its own)",
        _ => "",
    }
}

fn change_text(change: &PlannedChange, seconds: Option<u64>, backend: DbBackend) -> String {
    let rows = match change.rows {
        TableSize::NoTable => "new".to_owned(),
        TableSize::Counted(0) => "empty".to_owned(),
        TableSize::Counted(rows) => format!("{rows} rows"),
        TableSize::Estimated(rows) => format!("about {rows} rows"),
    };
    let time = seconds.map_or_else(String::new, |seconds| format!(", {}", duration_text(seconds)));
    let mut text = format!("  {} ({rows}): {}{time}\n", change.table, change.action.words());
    if backend == DbBackend::Postgres && change.rows != TableSize::NoTable {
        text.push_str(&format!("    lock: {}\n", change.action.postgres_lock()));
    }
    text
}

/// Returns the estimated seconds. `None` if the time does not depend on rows, or there are none.
fn seconds_of(change: &PlannedChange, backend: DbBackend) -> Option<u64> {
    let work = change.action.work_of_rows(backend)?;
    let rows = change.rows.count();
    (rows > 0).then(|| rows.div_ceil(measured_rate(backend, work)))
}

fn duration_text(seconds: u64) -> String {
    match seconds {
        0 | 1 => "at most a second".to_owned(),
        2..120 => format!("about {seconds} seconds"),
        _ => format!("about {} minutes", seconds.saturating_add(30) / 60),
    }
}

#[cfg(test)]
mod tests {
    use migrations::plan::Action;

    use super::*;

    fn step(action: Action, rows: TableSize) -> PlannedStep {
        let changes = vec![PlannedChange { table: "feed_entry".to_owned(), action, rows }];
        PlannedStep { name: "m1".to_owned(), is_transaction: false, changes }
    }

    #[test]
    fn plan_reports_rows_locks_and_measured_time() {
        let steps = [step(
            Action::WriteRowsInBatches,
            TableSize::Estimated(100 * measured_rate(DbBackend::Postgres, RowWork::Write)),
        )];
        let text = plan_text(&steps, DbBackend::Postgres);
        for part in [
            "one step is", "m1 (online", "feed_entry (about ", "about 100 seconds", "ROW EXCLUSIVE",
            "measured",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let text = plan_text(&[step(Action::DropColumn, TableSize::Counted(2_400_000))], DbBackend::Sqlite);
        assert!(text.contains("about 2 minutes") && text.contains("write lock of the file"), "{text}");
        let text = plan_text(&[step(Action::Create, TableSize::NoTable)], DbBackend::Postgres);
        assert!(
            text.contains("feed_entry (new): creates the table\n") && !text.contains("lock: none"),
            "{text}"
        );
        assert_eq!(plan_text(&[], DbBackend::Sqlite), "no step is pending\n");
    }
}

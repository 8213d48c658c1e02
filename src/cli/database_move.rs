//! `carrel move`: copies the embedded database to PostgreSQL, and explains which settings to change.

use std::io::{IsTerminal, Write};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::database_move::{self, MoveProgress, MoveSummary};
use crate::installation;
use http_kit::config::Settings;
use kernel::blobs::Location;

/// Arguments of `carrel move`.
#[derive(Debug, Args)]
#[expect(clippy::doc_markdown, reason = "these comments are help texts, where backticks would be printed")]
pub(super) struct MoveArgs {
    /// Empty PostgreSQL database: postgres://USER@HOST/NAME. Its password may also be in PGPASSWORD or in
    /// ~/.pgpass, where other users of this machine do not see it.
    #[arg(long, value_name = "URL")]
    to: String,
}

/// Moves the database and prints the remaining steps.
pub(super) async fn run(settings: &Settings, arguments: &MoveArgs) -> anyhow::Result<()> {
    installation::require_database(settings)?;
    let mut display = ProgressDisplay::new()?;
    let mut show = |progress: MoveProgress<'_>| display.show(progress);
    let moved = database_move::run(&settings.database_url, &arguments.to, &mut show).await;
    display.bar.finish_and_clear();
    Ok(report(&moved?, settings)?)
}

/// Display of the progress on standard error: a bar on a terminal, one line per table otherwise.
struct ProgressDisplay {
    bar: ProgressBar,
    is_terminal: bool,
    /// Table in the line that was printed last.
    table: String,
}

impl ProgressDisplay {
    fn new() -> anyhow::Result<Self> {
        let is_terminal = std::io::stderr().is_terminal();
        let bar = if is_terminal {
            let style = ProgressStyle::with_template("{bar:40} {pos} of {len} rows, {eta} left: {msg}")?;
            ProgressBar::new(0).with_style(style)
        } else {
            ProgressBar::hidden()
        };
        Ok(Self { bar, is_terminal, table: String::new() })
    }

    fn show(&mut self, progress: MoveProgress<'_>) {
        let MoveProgress { table, done, total } = progress;
        self.bar.set_length(total);
        self.bar.set_position(done);
        if self.table != table {
            table.clone_into(&mut self.table);
            self.bar.set_message(self.table.clone());
            if !self.is_terminal {
                eprintln!("{table}: {done} of {total} rows");
            }
        }
    }
}

/// Prints the result and the remaining steps.
fn report(summary: &MoveSummary, settings: &Settings) -> std::io::Result<()> {
    let mut out = std::io::stdout();
    let MoveSummary { tables, rows, removed_characters, other_tables } = summary;
    writeln!(out, "{rows} rows of {tables} tables were copied; the counts of both databases agree")?;
    if *removed_characters > 0 {
        writeln!(out, "{removed_characters} characters U+0000 were removed, which PostgreSQL cannot store")?;
    }
    if !other_tables.is_empty() {
        writeln!(out, "not part of Carrel and not copied: {}", other_tables.join(", "))?;
    }
    writeln!(out, "Before the service starts again:")?;
    writeln!(out, "  1. Set DATABASE_URL to the URL of the PostgreSQL database.")?;
    match &settings.files {
        Location::Folder(folder) => {
            let folder = folder.display();
            writeln!(
                out,
                "  2. Set CARREL_FILES to {folder}: files stay there, but the default may change."
            )?;
        }
        Location::Bucket(_) => writeln!(out, "  2. Leave CARREL_FILES as it is: files stay in the bucket.")?,
    }
    writeln!(out, "  3. Run `carrel doctor` with these settings, which verifies the result.")?;
    writeln!(out, "The embedded database was not changed. Changes that a service writes to it are not moved.")
}

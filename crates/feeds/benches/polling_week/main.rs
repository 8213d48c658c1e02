//! Simulates a week of polling: the production code (claim, fetcher, ingestion, and store) polls five hundred
//! feeds with 23 behaviours over loopback. The clock advances from one due time to the next. For one hour in
//! the middle of the week nothing runs, as in an outage. The result is deterministic.
//!
//! `cargo bench -p carrel-feeds --bench polling_week` prints the result as a Markdown table. With
//! `-- postgres` (under `bin/with-servers`) it uses PostgreSQL. `-- only WORDS` simulates only the feeds whose
//! behaviour name contains these words.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first fault")]
#![expect(clippy::cast_precision_loss, reason = "counts of a benchmark are small")]

mod behaviour;
mod report;
mod simulation;
mod site;

use kernel::Backend;

use crate::simulation::Simulation;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.first().map(String::as_str) {
        Some("extract-child") => {
            extract::sandbox::child_main();
        }
        Some("postgres") => run(Backend::Postgres),
        Some("only") => {
            behaviour::NAME_FILTER.get_or_init(|| words[1..].join(" "));
            run(Backend::Sqlite);
        }
        _ => run(Backend::Sqlite),
    }
}

fn run(backend: Backend) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut world = Simulation::start(backend).await;
        world.run().await;
        report::print(&world).await;
    });
}

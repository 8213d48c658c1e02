//! Benchmark of polling. Measures the claim of fifty due feeds among a million, and the number of feeds that
//! one worker polls per second, both without new entries and with one new entry per feed.
//!
//! `bin/with-servers cargo bench -p carrel-application --bench polling -- [claim|polls|slow]` prints the
//! results as tables. The polls run the real engine, worker, and scheduler. A separate process serves a site
//! with many hosts on loopback addresses: each feed has its own host in 127.0.0.0/8.

#![expect(clippy::print_stdout, reason = "a benchmark prints its tables")]
#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first error")]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts of a benchmark are small"
)]

mod claim;
mod polls;
mod rows;
mod site;

use kernel::Backend;

const BACKENDS: [(&str, Backend); 2] = [("SQLite", Backend::Sqlite), ("PostgreSQL", Backend::Postgres)];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    match words.first().map(String::as_str) {
        Some("extract-child") => {
            extract::sandbox::child_main();
        }
        Some("site") => run(site::serve()),
        Some("claim") => run(claim::measure()),
        Some("polls") => run(polls::measure()),
        Some("slow") => run(polls::measure_with_unresponsive_servers()),
        _ => {
            run(claim::measure());
            run(polls::measure());
            run(polls::measure_with_unresponsive_servers());
        }
    }
}

fn run(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work);
}

//! Benchmark of polling: the claim of fifty due feeds among a million, and feeds polled per second by one
//! worker, with no new entries and with one new entry each.
//!
//! `bin/with-servers cargo bench -p carrel-application --bench polling -- [claim|polls|slow]`
//! prints tables. The polls run the real engine, worker, and scheduler against a site with many hosts on
//! loopback, which is a separate process. Every feed has its own host, as 127.0.0.0/8 permits.

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

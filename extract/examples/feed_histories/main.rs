//! Simulates a month of feeds whose entries change one mark at a time. Counts the entries that are lost,
//! duplicated, or confused with another entry, and fails if there are any.
//!
//! `cargo run --release -p carrel-extract --example feed_histories [FEEDS] [SEED]`; 1,000 feeds by default.

#![expect(clippy::print_stdout, reason = "an example prints its result")]

mod history;

use std::process::ExitCode;

use extract::feed::{EntryState, FeedInput, KnownEntry, Marks, ParsedEntry, Trust, parse};

use crate::history::{FeedFaults, FeedHistory};

const FEEDS: u64 = 1_000;
const POLLS: u64 = 30 * 4;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let (feeds, seed) = (arguments.next().unwrap_or(FEEDS), arguments.next().unwrap_or(1));
    let (mut entries, mut all) = (0, FeedFaults::default());
    for feed in 0..feeds {
        let mut history = FeedHistory::new(seed * 1_000_003 + feed);
        for _ in 0..POLLS {
            history.poll();
        }
        let faults = history.faults();
        if faults != FeedFaults::default() {
            println!("feed {feed}: {faults:?}");
        }
        entries += history.entry_count();
        all.lost += faults.lost;
        all.doubled += faults.doubled;
        all.confused += faults.confused;
    }
    println!(
        "{feeds} feeds, {} polls, {entries} entries: {} lost, {} doubled, {} confused",
        feeds * POLLS,
        all.lost,
        all.doubled,
        all.confused
    );
    ExitCode::from(u8::from(all != FeedFaults::default()))
}

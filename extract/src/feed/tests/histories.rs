//! Random histories of feeds: no entry is lost or stored twice.

#[path = "../../../examples/feed_histories/history.rs"]
mod history;

use history::{FeedFaults, FeedHistory};

use super::super::{EntryState, FeedInput, KnownEntry, Marks, ParsedEntry, Trust, parse};

#[test]
fn entry_that_changes_one_mark_at_a_time_is_neither_lost_nor_duplicated() {
    for seed in 0..150 {
        let mut history = FeedHistory::new(seed);
        for _ in 0..30 {
            history.poll();
        }
        assert_eq!(history.faults(), FeedFaults::default(), "seed {seed}, {} entries", history.entry_count());
    }
}

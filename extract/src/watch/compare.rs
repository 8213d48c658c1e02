//! What differs between two snapshots, as a person would tell it: added, removed, changed, moved.

use std::time::Instant;

use super::{
    compare_blocks, compare_items, compare_urls,
    comparison::{Comparison, whole},
    normalize::{Lens, Rules},
    snapshot::Snapshot,
};

/// Compares two snapshots under the same rules. Snapshots of different kinds differ as a whole.
///
/// When `deadline` passes, the answer is one operation that says that the change is too large to be lined up, with
/// true counts; a second from now is a good deadline. Costs processor time: call it off the async threads.
pub fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules, deadline: Instant) -> Comparison {
    let lens = Lens::new(rules);
    match (before, after) {
        (Snapshot::Blocks(before), Snapshot::Blocks(after)) => {
            compare_blocks::compare(before, after, lens, deadline)
        }
        (Snapshot::Urls(before), Snapshot::Urls(after)) => compare_urls::compare(before, after, &lens),
        (Snapshot::Items(before), Snapshot::Items(after)) => {
            compare_items::compare(before, after, &lens, deadline)
        }
        _ => whole(before.len(), after.len()),
    }
}

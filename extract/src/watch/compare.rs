//! Differences between two snapshots: added, removed, changed, moved.

use std::time::Instant;

use super::{
    compare_blocks, compare_items, compare_urls,
    comparison::{Comparison, whole_change},
    image,
    normalize::{CompiledRules, Rules},
    snapshot::Snapshot,
    visual,
};

/// Compares two snapshots under the same rules. Snapshots of different kinds differ as a whole.
///
/// If `deadline` passes, the result is one operation for a change that is too large to align, with correct
/// counts. A deadline of one second is recommended. The comparison is CPU-bound: do not call it on async
/// threads.
pub fn compare(before: &Snapshot, after: &Snapshot, rules: &Rules, deadline: Instant) -> Comparison {
    let rules = CompiledRules::new(rules);
    match (before, after) {
        (Snapshot::Blocks(before), Snapshot::Blocks(after)) => {
            compare_blocks::compare(before, after, rules, deadline)
        }
        (Snapshot::Urls(before), Snapshot::Urls(after)) => compare_urls::compare(before, after, &rules),
        (Snapshot::Items(before), Snapshot::Items(after)) => {
            if let Some(min_share) = rules.visible_share() {
                return visual::compare(before, after, min_share);
            }
            let comparison = compare_items::compare(before, after, &rules, deadline);
            match rules.picture_bits() {
                Some(least_bits) => image::with_picture_share(comparison, (before, after), least_bits),
                None => comparison,
            }
        }
        _ => whole_change(before.len(), after.len()),
    }
}

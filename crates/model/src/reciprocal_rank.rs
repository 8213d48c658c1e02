//! Fusion of rankings by reciprocal rank: a text that is high in several rankings precedes a text that is high in one.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

/// Constant `k` of the fusion: 60, as in the paper that introduced it. The greater it is, the less the first ranks
/// differ in score.
const RANK_OFFSET: u64 = 60;
/// Score of rank 0, so that scores are whole numbers.
const SCALE: u64 = 1_000_000_000;

/// Merges rankings, best first. Returns at most `limit` ids.
pub(crate) fn merge<Id: Copy + Ord + Hash>(rankings: &[Vec<Id>], limit: usize) -> Vec<Id> {
    let mut scores: HashMap<Id, u64> = HashMap::new();
    for ranking in rankings {
        for (rank, id) in (RANK_OFFSET + 1..).zip(ranking) {
            *scores.entry(*id).or_default() += SCALE / rank;
        }
    }
    let mut merged: Vec<(Id, u64)> = scores.into_iter().collect();
    merged.sort_unstable_by_key(|(id, score)| (Reverse(*score), Reverse(*id)));
    merged.into_iter().map(|(id, _)| id).take(limit).collect()
}

#[cfg(test)]
mod tests {
    use entities::ids::ItemId;

    use super::*;

    #[test]
    fn item_in_both_rankings_precedes_the_first_item_of_one_ranking() {
        let [first, second, both, last] = [1, 2, 3, 4].map(ItemId::from_u128);
        let rankings = [vec![first, both], vec![second, both, last]];
        assert_eq!(merge(&rankings, 10), [both, second, first, last]);
        assert_eq!(merge(&rankings, 1), [both]);
        assert!(merge::<ItemId>(&[Vec::new()], 10).is_empty());
    }
}

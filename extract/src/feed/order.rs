//! Order of the entries of a document. Entries are ordered by time. Entries without a time are ordered by
//! their position in the document. The direction of the document is derived from the times of the other
//! entries, or from the position of new entries before or after the known entries.

use std::cmp::Reverse;

use super::identity::EntryMatch;

/// Positions of all entries, the newest first. `matches` may be empty.
pub(super) fn newest_first(times: &[Option<i64>], matches: &[EntryMatch]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..times.len()).collect();
    if is_oldest_first(times, matches) {
        positions.reverse();
    }
    // An entry without a time is treated as being as old as the next older entry with a time.
    let mut times_or_older = vec![i64::MIN; times.len()];
    let mut older = i64::MIN;
    for &at in positions.iter().rev() {
        older = times[at].unwrap_or(older);
        times_or_older[at] = older;
    }
    positions.sort_by_key(|&at| Reverse(times_or_older[at]));
    positions
}

fn is_oldest_first(times: &[Option<i64>], matches: &[EntryMatch]) -> bool {
    let dated: Vec<i64> = times.iter().copied().flatten().collect();
    let rising = dated.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let falling = dated.windows(2).filter(|pair| pair[0] > pair[1]).count();
    if rising != falling {
        return rising > falling;
    }
    let is_known = |verdict: &EntryMatch| matches!(verdict, EntryMatch::Known(_));
    let is_new = |verdict: &&EntryMatch| **verdict == EntryMatch::New;
    let (first, last) = (matches.iter().position(is_known), matches.iter().rposition(is_known));
    let (Some(first), Some(last)) = (first, last) else { return false };
    matches[last..].iter().filter(is_new).count() > matches[..first].iter().filter(is_new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: EntryMatch = EntryMatch::New;
    const KNOWN: EntryMatch = EntryMatch::Known(0);

    #[test]
    fn times_determine_the_order_in_either_direction_even_if_some_are_missing() {
        assert_eq!(newest_first(&[Some(3), Some(2), Some(1)], &[]), [0, 1, 2]);
        assert_eq!(newest_first(&[Some(1), Some(2), Some(3)], &[]), [2, 1, 0]);
        assert_eq!(newest_first(&[Some(1), None, Some(2), Some(3), None], &[]), [4, 3, 2, 1, 0]);
        assert_eq!(newest_first(&[None, Some(3), Some(2), None], &[]), [0, 1, 2, 3]);
        assert_eq!(newest_first(&[Some(2), Some(5), Some(1), Some(4)], &[]), [1, 3, 0, 2]);
    }

    #[test]
    fn positions_of_new_entries_determine_the_order_without_times() {
        let none = [None; 4];
        assert_eq!(newest_first(&none, &[]), [0, 1, 2, 3]);
        assert_eq!(newest_first(&none, &[NEW, NEW, NEW, NEW]), [0, 1, 2, 3]);
        assert_eq!(newest_first(&none, &[NEW, KNOWN, KNOWN, KNOWN]), [0, 1, 2, 3]);
        assert_eq!(newest_first(&none, &[KNOWN, KNOWN, KNOWN, NEW]), [3, 2, 1, 0]);
        assert_eq!(newest_first(&[Some(1); 4], &[KNOWN, KNOWN, NEW, NEW]), [3, 2, 1, 0]);
    }

    #[test]
    fn single_wrong_time_does_not_change_the_direction() {
        assert_eq!(newest_first(&[Some(1), Some(2), Some(99), Some(3), Some(4)], &[]), [2, 4, 3, 1, 0]);
    }
}

//! Similarity of two texts: the share of pairs of neighbouring characters that they have in common
//! (Sørensen–Dice coefficient). Linear in the length of the texts, and independent of the script.

use std::collections::HashMap;

/// Similarity in whole percent, rounded down. Two empty texts are equal.
pub(super) fn percent(before: &[String], after: &[String]) -> usize {
    let (mut counts, mut total) = (HashMap::new(), 0_usize);
    for pair in before.iter().flat_map(|text| pairs(text)) {
        *counts.entry(pair).or_insert(0_usize) += 1;
        total += 1;
    }
    let mut common = 0_usize;
    for pair in after.iter().flat_map(|text| pairs(text)) {
        total += 1;
        if let Some(count) = counts.get_mut(&pair).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    (200 * common).checked_div(total).unwrap_or(100)
}

/// Pairs of neighbouring characters, white space left out. A single character is paired with a space.
fn pairs(text: &str) -> impl Iterator<Item = (char, char)> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let following: Vec<char> = chars.iter().copied().skip(1).chain([' ']).collect();
    let is_single = chars.len() == 1;
    chars.into_iter().zip(following).filter(move |(_, next)| is_single || *next != ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_the_share_of_common_pairs() {
        let of = |before: &str, after: &str| percent(&[before.to_owned()], &[after.to_owned()]);
        assert_eq!(of("night", "nacht"), 25);
        assert_eq!(of("the same", "the same"), 100);
        assert_eq!(of("abc", "xyz"), 0);
        assert_eq!((of("", ""), of("", "abc"), of("a", "a"), of("a", "b")), (100, 0, 100, 0));
        assert_eq!(of("aaaa", "aa"), 50, "each pair counts once");
        assert_eq!(of("在庫あり", "在庫なし"), 33);
        assert_eq!(percent(&[], &[]), 100);
    }
}

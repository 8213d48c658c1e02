//! Similarity of two texts: the share of common words, or in short texts, of common pairs of adjacent
//! characters (Sørensen–Dice coefficient). Takes linear time.

use std::collections::HashMap;
use std::hash::Hash;

use super::masks;

/// Number of words below which texts are compared by pairs of characters. In longer texts of the same
/// language, most pairs are equal.
const MIN_WORDS: usize = 8;

/// Similarity in whole percent, rounded down. Two empty texts are 100 % similar.
pub(super) fn percent(before: &[String], after: &[String]) -> usize {
    let words = |texts: &[String]| -> usize { texts.iter().map(|text| masks::words(text).len()).sum() };
    if words(before).min(words(after)) < MIN_WORDS {
        return share(
            before.iter().flat_map(|text| pairs(text)),
            after.iter().flat_map(|text| pairs(text)),
            |_| 1,
        );
    }
    let (before, after) = (before.iter(), after.iter());
    share(before.flat_map(|text| masks::words(text)), after.flat_map(|text| masks::words(text)), |word| {
        word.chars().count()
    })
}

/// Share of the common parts in whole percent. Parts are weighted by their length.
fn share<T: Eq + Hash>(
    before: impl Iterator<Item = T>,
    after: impl Iterator<Item = T>,
    weight: impl Fn(&T) -> usize,
) -> usize {
    let (mut counts, mut total) = (HashMap::new(), 0_usize);
    for part in before {
        total += weight(&part);
        *counts.entry(part).or_insert(0_usize) += 1;
    }
    let mut common = 0_usize;
    for part in after {
        total += weight(&part);
        if let Some(count) = counts.get_mut(&part).filter(|count| **count > 0) {
            *count -= 1;
            common += weight(&part);
        }
    }
    (200 * common).checked_div(total).unwrap_or(100)
}

/// Pairs of adjacent characters without white space. A single character is paired with a space.
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
    fn similarity_of_short_texts_is_the_share_of_common_character_pairs() {
        let of = |before: &str, after: &str| percent(&[before.to_owned()], &[after.to_owned()]);
        assert_eq!(of("night", "nacht"), 25);
        assert_eq!(of("the same", "the same"), 100);
        assert_eq!(of("abc", "xyz"), 0);
        assert_eq!((of("", ""), of("", "abc"), of("a", "a"), of("a", "b")), (100, 0, 100, 0));
        assert_eq!(of("aaaa", "aa"), 50, "each pair counts once");
        assert_eq!(of("在庫あり", "在庫なし"), 33);
        assert_eq!(percent(&[], &[]), 100);
    }

    #[test]
    fn similarity_of_long_texts_is_the_share_of_common_words() {
        let of = |before: &str, after: &str| percent(&[before.to_owned()], &[after.to_owned()]);
        let old = "Parcels leave the house in the afternoon and are with most customers two days after";
        let new = "Our van drives along the coast road every week and stops at each school on its way";
        assert_eq!(of(old, new), 8);
        assert_eq!(of(old, &old.replace("two", "three")), 94);
        assert_eq!(of(&format!("{old} {old}"), &format!("{old} {new}")), 54);
    }
}

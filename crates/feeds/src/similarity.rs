//! Signatures of texts (`MinHash`). The share of equal values in two signatures estimates the share of words
//! that the two texts have in common. A signature is computed once, when an entry is written.

use std::collections::HashSet;

use kernel::hash::hash64;
use kernel::search::words::fold;

/// Number of values in a signature.
const VALUES: usize = 32;
/// Size of a value in bytes. The lowest bits of a minimum hash are sufficient.
const VALUE_BYTES: usize = 2;
/// Maximum length of the examined text in bytes.
const MAX_TEXT_BYTES: usize = 4_000;
/// Maximum number of examined words.
const MAX_WORDS: usize = 120;
/// Minimum number of letters of an examined word. Shorter words occur in every text.
const MIN_LETTERS: usize = 4;
/// Minimum number of different words. A text with fewer words has no signature, because a few words may be
/// equal by chance.
const MIN_WORDS: usize = 12;
/// Minimum number of equal values in the signatures of similar texts.
const MIN_EQUAL: usize = VALUES / 2;

/// Computes the signature of an entry from its title and summary. `None` if they have too few words.
pub(super) fn signature(title: Option<&str>, summary: Option<&str>) -> Option<Vec<u8>> {
    let text = format!("{}\n{}", title.unwrap_or_default(), summary.unwrap_or_default());
    let folded = fold(&text[..text.floor_char_boundary(MAX_TEXT_BYTES)]);
    let words: HashSet<&str> = folded
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.chars().count() >= MIN_LETTERS)
        .take(MAX_WORDS)
        .collect();
    if words.len() < MIN_WORDS {
        return None;
    }
    let hashes: Vec<u64> = words.iter().map(|word| hash64(word.as_bytes()).cast_unsigned()).collect();
    let mut signature = Vec::with_capacity(VALUES * VALUE_BYTES);
    for seed in 1..=VALUES as u64 {
        let least = hashes.iter().map(|hash| mixed(*hash, seed)).min().unwrap_or_default();
        signature.extend_from_slice(&least.to_le_bytes()[..VALUE_BYTES]);
    }
    Some(signature)
}

/// Applies the hash function with the number `seed` (the finaliser of `SplitMix64`).
fn mixed(hash: u64, seed: u64) -> u64 {
    let mut value = hash.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Returns true if at least about half of the words of two texts are the same.
pub(super) fn is_similar(one: &[u8], other: &[u8]) -> bool {
    let values = |signature: &[u8]| signature.len() == VALUES * VALUE_BYTES;
    let pairs = one.chunks_exact(VALUE_BYTES).zip(other.chunks_exact(VALUE_BYTES));
    values(one) && values(other) && pairs.filter(|(one, other)| one == other).count() >= MIN_EQUAL
}

#[cfg(test)]
mod tests {
    use super::*;

    const FERRY: &str = "The harbour council decided on Monday that the northern ferry will leave every morning \
        before seven, because fishermen and market traders complained about missing trains during winter";

    #[test]
    fn texts_with_most_words_in_common_are_similar() {
        let one = signature(Some("Ferry leaves earlier"), Some(FERRY)).unwrap();
        let edited = FERRY.replace("Monday", "Tuesday").replace("complained", "protested");
        let other = signature(Some("Northern ferry leaves earlier"), Some(&edited)).unwrap();
        assert!(is_similar(&one, &one) && is_similar(&one, &other));
        let unrelated = "Researchers described seventeen unknown beetles from mountain forests after comparing museum \
            collections, photographs, letters and drawings that travellers brought home two centuries before";
        let unrelated = signature(Some("New beetles"), Some(unrelated)).unwrap();
        assert!(!is_similar(&one, &unrelated));
    }

    #[test]
    fn short_text_has_no_signature_and_long_text_is_truncated() {
        assert_eq!(signature(Some("Ferry leaves earlier"), None), None);
        assert_eq!(signature(None, None), None);
        let words: Vec<String> = (0..10_000).map(|number| format!("größer{number}")).collect();
        assert_eq!(signature(None, Some(&words.join(" "))).unwrap().len(), 64);
        assert!(!is_similar(&[], &[]));
    }
}

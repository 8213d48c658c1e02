//! Hashes of texts without their masked ranges. A text has the same hash in every process and version,
//! because fingerprints are stored.

use std::ops::Range;

/// Byte range of a text that is ignored.
pub(crate) type Mask = Range<usize>;

/// Sorts ranges, and joins ranges that overlap or are adjacent.
pub(crate) fn merge(masks: &mut Vec<Mask>) {
    if masks.len() < 2 {
        return;
    }
    masks.sort_unstable_by_key(|mask| mask.start);
    masks.dedup_by(|next, last| {
        let touches = next.start <= last.end;
        if touches {
            last.end = last.end.max(next.end);
        }
        touches
    });
}

/// Constant that distinguishes a text with a link from the same text without a link.
pub(crate) const LINK: u64 = 0xe703_7ed1_a0b4_28db;

const TEXT: u64 = 0xa076_1d64_78bd_642f;

/// Constant that distinguishes an entry of an unordered list from the same text outside of such a list.
pub(crate) const LISTED: u64 = 0x5897_89e6_b6e3_a1d1;

const SEED: u64 = 0x8ebc_6af0_9c88_c6e3;

/// Combines two hashes.
pub(crate) fn mix(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are folded together")]
    {
        (product as u64) ^ ((product >> 64) as u64)
    }
}

fn absorb(mut state: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        state = mix(state ^ u64::from_le_bytes(*word), TEXT) ^ state.rotate_left(23);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    mix(state ^ u64::from_le_bytes(last), TEXT) ^ state.rotate_left(23) ^ mix(length ^ LINK, TEXT)
}

/// Hash of a text. The result must not change between versions, because fingerprints are stored.
pub(crate) fn hash(text: &str) -> u64 {
    mix(absorb(SEED, text.as_bytes()), LINK)
}

/// Hash of a text without its masked ranges.
pub(crate) fn masked_hash(text: &str, masks: &[Mask]) -> u64 {
    if masks.is_empty() {
        return hash(text);
    }
    let mut state = SEED;
    let mut from = 0;
    for mask in masks {
        state = absorb(state, &text.as_bytes()[from..mask.start]);
        from = mask.end;
    }
    mix(absorb(state, &text.as_bytes()[from..]), LINK)
}

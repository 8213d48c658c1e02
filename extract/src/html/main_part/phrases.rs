//! Three-word phrases of a page's description, and the share of a text that they cover.

use std::collections::HashSet;

/// Maximum number of phrases per page.
const MAX_PHRASES: usize = 20_000;

/// Set of phrases, stored as hashes.
#[derive(Default)]
pub(crate) struct Phrases {
    hashes: HashSet<u64>,
}

impl Phrases {
    pub(super) fn add(&mut self, text: &str) {
        let capacity = MAX_PHRASES.saturating_sub(self.hashes.len());
        self.hashes.extend(hashes(text).take(capacity));
    }

    /// Share of the phrases of a text that are in the set; 0 if the text has fewer than three words.
    pub(super) fn share(&self, text: &str) -> f32 {
        if self.hashes.is_empty() {
            return 0.0;
        }
        let (mut known, mut all) = (0.0, 0.0);
        for hash in hashes(text) {
            all += 1.0;
            known += f32::from(u8::from(self.hashes.contains(&hash)));
        }
        if all > 0.0 { known / all } else { 0.0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }
}

fn hashes(text: &str) -> impl Iterator<Item = u64> + '_ {
    let mut last = [0_u64; 3];
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).enumerate().filter_map(
        move |(index, word)| {
            last = [last[1], last[2], hash(word)];
            (index >= 2).then(|| last[0].rotate_left(20) ^ last[1].rotate_left(10) ^ last[2])
        },
    )
}

/// FNV-1a over the lower-case characters. A collision that a page constructs affects only that page.
fn hash(word: &str) -> u64 {
    let step = |hash: u64, c: char| (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3);
    word.chars().fold(0xcbf2_9ce4_8422_2325, |hash, c| match c {
        'A'..='Z' => step(hash, c.to_ascii_lowercase()),
        _ if c.is_ascii() => step(hash, c),
        _ => c.to_lowercase().fold(hash, step),
    })
}

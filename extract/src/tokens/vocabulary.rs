//! Vocabulary of `o200k_base`, and the tokenizer. Its pattern splits a text into pieces. Within a piece, the
//! two adjacent parts whose combination is the token with the lowest rank are merged repeatedly.

use std::{cell::RefCell, cmp::Reverse, collections::BinaryHeap, sync::LazyLock};

use regex::Regex;

/// Vocabulary in the format that `build.rs` writes.
static FILE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.bin"));
static VOCABULARY: LazyLock<TokenTable> = LazyLock::new(|| TokenTable::read(FILE));

/// Pattern of the tokenizer, without its lookahead. `next_piece` implements the lookahead.
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|",
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+",
);
static PIECES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PATTERN).ok());

thread_local! {
    static RECENT: RefCell<PieceCache> = const { RefCell::new(PieceCache { pieces: [0; CACHE_SLOTS], token_bits: [0; CACHE_SLOTS] }) };
}

/// Cache of the token boundaries of short pieces. It is useful because the words of a text repeat, and
/// because the vocabulary is too large for the caches of a processor.
struct PieceCache {
    /// Bytes of the piece in each slot.
    pieces: [u128; CACHE_SLOTS],
    /// For the piece in each slot, a bit set with one bit for the last byte of each token.
    token_bits: [u16; CACHE_SLOTS],
}
/// Number of slots. It is a power of two.
const CACHE_SLOTS: usize = 4096;

impl PieceCache {
    fn slot(number: u128) -> usize {
        let [low, high] =
            [number, number >> 64].map(|half| u64::try_from(half & u128::from(u64::MAX)).unwrap_or(0));
        let mixed = (low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ high).wrapping_mul(0x517c_c1b7_2722_0a95);
        usize::try_from(mixed >> 52).unwrap_or(0) % CACHE_SLOTS
    }

    fn get(&self, number: u128) -> Option<u16> {
        let slot = Self::slot(number);
        (self.pieces[slot] == number).then_some(self.token_bits[slot])
    }

    fn insert(&mut self, number: u128, token_bits: u16) {
        let slot = Self::slot(number);
        (self.pieces[slot], self.token_bits[slot]) = (number, token_bits);
    }
}

/// Number that represents a piece of up to 16 bytes. `None` if the last byte is zero, because the number
/// would equal the number of a shorter piece.
fn number(piece: &[u8]) -> Option<u128> {
    let mut bytes = [0; 16];
    bytes.get_mut(..piece.len())?.copy_from_slice(piece);
    Some(u128::from_le_bytes(bytes)).filter(|_| piece.last() != Some(&0))
}

/// Calls `visit` with the length in bytes of each token of a text, in order.
pub(super) fn each_token(text: &str, mut visit: impl FnMut(usize)) {
    RECENT.with_borrow_mut(|cache| {
        let mut at = 0;
        while at < text.len() {
            let end = next_piece(text, at);
            VOCABULARY.tokens_of(&text.as_bytes()[at..end], cache, &mut visit);
            at = end;
        }
    });
}

/// Offset after the piece that begins at `at`. If a word follows several spaces, the last space belongs to
/// the word.
fn next_piece(text: &str, at: usize) -> usize {
    if let Some(end) = ascii_word(text.as_bytes(), at).or_else(|| lone_punctuation(text.as_bytes(), at)) {
        return end;
    }
    let matched =
        PIECES.as_ref().and_then(|pattern| pattern.find_at(text, at)).filter(|matched| matched.start() == at);
    let Some(piece) = matched else { return text.len() };
    let mut backwards = piece.as_str().chars().rev();
    let last = backwards.next().filter(|last| last.is_whitespace() && !matches!(last, '\r' | '\n'));
    match last {
        Some(last) if piece.end() < text.len() && backwards.next().is_some() => piece.end() - last.len_utf8(),
        _ => piece.end(),
    }
}

/// Offset after the pattern's match at `at`, if the match is a word of ASCII letters, which is the most
/// frequent kind of piece. The word consists of one character that is not a letter, digit or line break,
/// followed by capitals, followed by small letters. The next byte must be ASCII and not an apostrophe.
/// Otherwise, only the pattern can determine which characters belong to the word.
fn ascii_word(text: &[u8], at: usize) -> Option<usize> {
    let first = *text.get(at)?;
    let begin = match first {
        b'\r' | b'\n' | b'0'..=b'9' | 0x80.. => return None,
        letter if letter.is_ascii_alphabetic() => at,
        _ => at + 1,
    };
    let run = |from: usize, belongs: fn(&u8) -> bool| {
        text.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| belongs(byte)).count())
    };
    let small = begin + run(begin, u8::is_ascii_uppercase);
    let end = small + run(small, u8::is_ascii_lowercase);
    let is_complete = text.get(end).is_none_or(|next| next.is_ascii() && *next != b'\'');
    (end > begin && is_complete).then_some(end)
}

/// Offset after the pattern's match at `at`, if the match is a single punctuation mark before a space, as
/// after a sentence.
fn lone_punctuation(text: &[u8], at: usize) -> Option<usize> {
    let is_lone = text.get(at)?.is_ascii_punctuation() && text.get(at + 1).is_none_or(|next| *next == b' ');
    is_lone.then_some(at + 1)
}

/// Bits of a slot that contain the rank of a token plus one.
const RANK_BITS: u32 = (1 << 18) - 1;

/// Tokens and their ranks, in a hash table with open addressing. The bytes of all tokens are stored
/// consecutively.
struct TokenTable {
    bytes: &'static [u8],
    /// Offset after each token. A token begins after the previous token.
    offsets: Vec<u32>,
    /// Rank of the token plus one in the lower bits, and a part of its hash in the upper bits, which saves the
    /// comparison with most other tokens. 0 for an empty slot. The number of slots is a power of two.
    slots: Vec<u32>,
}

impl TokenTable {
    fn read(file: &'static [u8]) -> Self {
        let (count, rest) =
            file.split_first_chunk().map_or((0, &[][..]), |(count, rest)| (u32::from_le_bytes(*count), rest));
        let count = usize::try_from(count).unwrap_or(0).min(rest.len()).min(RANK_BITS as usize);
        let (lengths, bytes) = rest.split_at(count);
        let mut vocabulary = Self {
            bytes,
            offsets: lengths
                .iter()
                .scan(0, |end, length| {
                    *end += u32::from(*length);
                    Some(*end)
                })
                .collect(),
            slots: vec![0; (count * 2).next_power_of_two()],
        };
        let mut rank = 0;
        for index in 0..count {
            rank += 1;
            let (mut slot, tag) = vocabulary.slot(vocabulary.token(index));
            while vocabulary.slots[slot] != 0 {
                slot = (slot + 1) % vocabulary.slots.len();
            }
            vocabulary.slots[slot] = rank | tag;
        }
        vocabulary
    }

    fn token(&self, rank: usize) -> &'static [u8] {
        let start = rank.checked_sub(1).map_or(0, |before| self.offsets[before]);
        self.bytes.get(start as usize..self.offsets[rank] as usize).unwrap_or_default()
    }

    /// First slot for a token, and the part of its hash that is stored in the slot.
    fn slot(&self, bytes: &[u8]) -> (usize, u32) {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        hash ^= bytes.len() as u64;
        let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let tag = u32::try_from(mixed).unwrap_or(0) & !RANK_BITS;
        (usize::try_from(mixed).unwrap_or(0) & (self.slots.len() - 1), tag)
    }

    fn rank(&self, bytes: &[u8]) -> Option<u32> {
        let (mut slot, tag) = self.slot(bytes);
        loop {
            let stored = self.slots[slot];
            let rank = (stored & RANK_BITS).checked_sub(1)?;
            if stored & !RANK_BITS == tag && self.token(rank as usize) == bytes {
                return Some(rank);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    /// Calls `visit` with the length of each token of a piece.
    fn tokens_of(&self, piece: &[u8], cache: &mut PieceCache, visit: &mut impl FnMut(usize)) {
        if piece.len() < 2 {
            return visit(piece.len());
        }
        let Some(number) = number(piece) else { return self.each_of(piece, visit) };
        let mut token_bits = cache.get(number).unwrap_or_else(|| {
            let (mut end, mut token_bits) = (0, 0);
            self.each_of(piece, &mut |length| {
                end += length;
                token_bits |= 1 << (end - 1);
            });
            cache.insert(number, token_bits);
            token_bits
        });
        while token_bits != 0 {
            let length = token_bits.trailing_zeros() + 1;
            visit(length as usize);
            token_bits = token_bits.unbounded_shr(length);
        }
    }

    fn each_of(&self, piece: &[u8], visit: &mut impl FnMut(usize)) {
        if self.rank(piece).is_some() {
            return visit(piece.len());
        }
        let next = self.merged(piece);
        let mut at = 0;
        while at < piece.len() {
            visit(next[at] - at);
            at = next[at];
        }
    }

    /// For each byte at which a token begins, the offset after the token.
    fn merged(&self, piece: &[u8]) -> Vec<usize> {
        // For each token: the offset of the next token (0 for a byte at which no token begins), and the
        // offset of the previous token.
        let mut next: Vec<usize> = (1..=piece.len()).collect();
        let mut before: Vec<usize> = (0..piece.len()).map(|at| at.saturating_sub(1)).collect();
        let mut pairs = BinaryHeap::with_capacity(piece.len());
        let pair =
            |start: usize, end: usize| self.rank(&piece[start..end]).map(|rank| Reverse((rank, start, end)));
        pairs.extend((0..piece.len() - 1).filter_map(|start| pair(start, start + 2)));
        while let Some(Reverse((_, start, end))) = pairs.pop() {
            let middle = next[start];
            // One of the two tokens was already merged with another token.
            if middle == 0 || middle >= end || next[middle] != end {
                continue;
            }
            next[middle] = 0;
            next[start] = end;
            if let Some(&after) = next.get(end) {
                before[end] = start;
                pairs.extend(pair(start, after));
            }
            if start > 0 {
                pairs.extend(pair(before[start], end));
            }
        }
        next
    }
}

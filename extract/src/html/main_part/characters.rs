//! Counts the characters of a text: letters, capitals, digits, and the punctuation that distinguishes
//! sentences from labels.

/// Character counts of a text, computed in one pass.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CharacterCounts {
    pub(super) letters: usize,
    pub(super) upper: usize,
    /// Words that begin with a capital letter.
    pub(super) capital: usize,
    pub(super) digits: usize,
    pub(super) commas: usize,
    pub(super) stops: usize,
    pub(super) currency: bool,
    pub(super) copyright: bool,
    pub(super) bar: bool,
}

/// Bytes of a chunk. A `u8` can count all of them without overflow.
const CHUNK_BYTES: usize = 128;

impl CharacterCounts {
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() { Self::of_ascii(text.as_bytes()) } else { Self::of_any(text) }
    }

    /// Counts one kind of character per pass over each chunk, so that the compiler can vectorise the loops.
    fn of_ascii(text: &[u8]) -> Self {
        let mut counts = Self::default();
        let mut behind_space = true;
        for piece in text.chunks(CHUNK_BYTES) {
            counts.letters += count(piece, |byte| byte.is_ascii_alphabetic());
            counts.upper += count(piece, |byte| byte.is_ascii_uppercase());
            counts.digits += count(piece, |byte| byte.is_ascii_digit());
            counts.commas += count(piece, |byte| matches!(byte, b',' | b';'));
            counts.stops += count(piece, |byte| matches!(byte, b'.' | b'!' | b'?'));
            counts.currency |= count(piece, |byte| byte == b'$') > 0;
            counts.bar |= count(piece, |byte| byte == b'|') > 0;
            counts.capital += usize::from(behind_space && piece[0].is_ascii_uppercase());
            let pairs = piece.iter().zip(&piece[1..]);
            counts.capital += usize::from(pairs.fold(0_u8, |sum, (before, byte)| {
                sum.wrapping_add(u8::from(is_space(*before) & byte.is_ascii_uppercase()))
            }));
            behind_space = piece.last().is_some_and(|last| is_space(*last));
        }
        counts
    }

    fn of_any(text: &str) -> Self {
        let mut counts = Self::default();
        let mut behind_space = true;
        for c in text.chars() {
            let (is_upper, begins) = (c.is_uppercase(), behind_space);
            counts.capital += usize::from(is_upper && begins);
            behind_space = c.is_whitespace();
            if c.is_alphabetic() {
                counts.letters += 1;
                counts.upper += usize::from(is_upper);
                continue;
            }
            match c {
                '0'..='9' => counts.digits += 1,
                ',' | '、' | '，' | '،' | ';' => counts.commas += 1,
                '.' | '!' | '?' | '。' | '！' | '？' | '؟' => counts.stops += 1,
                '$' | '€' | '£' | '¥' => counts.currency = true,
                '©' => counts.copyright = true,
                '|' => counts.bar = true,
                // Circled letters are not alphabetic but may be uppercase.
                _ => counts.upper += usize::from(is_upper),
            }
        }
        counts
    }
}

fn count(piece: &[u8], is: impl Fn(u8) -> bool) -> usize {
    usize::from(piece.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(u8::from(is(byte)))))
}

/// True for ASCII characters that separate words.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_and_unicode_paths_return_equal_counts() {
        let text = "  A Title, in 3 Words; it's $5.20! | Why?\x0bYes\x1fNo\tEnd\r\n. ".repeat(5);
        for (from, to) in (0..9).flat_map(|from| (from..text.len()).map(move |to| (from, to))) {
            let (one, other) =
                (CharacterCounts::of(&text[from..to]), CharacterCounts::of_any(&text[from..to]));
            assert_eq!(one, other, "{from}..{to}");
        }
    }
}

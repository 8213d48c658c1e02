//! Removes characters that do not belong in clean text: control characters, bidirectional overrides,
//! noncharacters and tag characters.
//!
//! Such characters can hide instructions or reverse file names, so callers report their removal.

/// Removes unwanted characters. Returns true if there were any.
pub fn strip_controls(text: &mut String) -> bool {
    if is_plain(text) || !text.chars().any(is_unwanted) {
        return false;
    }
    text.retain(|c| !is_unwanted(c));
    true
}

/// True if the text is ASCII without control characters, as most texts are. A chunk is tested without an
/// early exit, so that the compiler can vectorise the loop.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..0x7f | b'\t' | b'\n');
    text.as_bytes().chunks(PIECE).all(|piece| piece.iter().fold(true, |all, &byte| all & is_plain(byte)))
}

/// True for characters that are invisible or reorder visible text.
pub fn is_unwanted(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        '\u{0}'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Trims a text and folds white space, including line feeds, to single spaces. Drops soft hyphens, zero-width
/// spaces, word joiners and byte order marks.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    push_folded(&mut folded, text);
    folded.truncate(folded.trim_end().len());
    folded
}

/// Folds a text as `fold` does and appends it to `folded`. A trailing space is retained, because more text
/// may follow.
pub fn push_folded(folded: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let needs_no_space = folded.as_bytes().last().is_none_or(|last| matches!(last, b' ' | b'\n'));
        let (plain, beyond) = rest.split_at(folded_length(rest, needs_no_space));
        folded.push_str(plain);
        let odd = beyond.bytes().take_while(|byte| !byte.is_ascii_graphic()).count();
        let (odd, after) = beyond.split_at(odd);
        for c in odd.chars() {
            if c.is_whitespace() {
                if folded.as_bytes().last().is_some_and(|last| !matches!(last, b' ' | b'\n')) {
                    folded.push(' ');
                }
            } else if !is_invisible(c) {
                folded.push(c);
            }
        }
        rest = after;
    }
}

/// Number of leading bytes that are already folded: ASCII without control characters and with single spaces.
/// In most texts, all bytes are folded.
fn folded_length(text: &str, needs_no_space: bool) -> usize {
    let mut behind_space = needs_no_space;
    let (pieces, _) = text.as_bytes().as_chunks();
    let whole = pieces.iter().take_while(|piece| {
        let is_folded = is_folded(piece, behind_space);
        behind_space = piece[PIECE - 1] == b' ';
        is_folded
    });
    let length = whole.count() * PIECE;
    behind_space = length.checked_sub(1).map_or(needs_no_space, |last| text.as_bytes()[last] == b' ');
    let rest = text.as_bytes()[length..].iter().take_while(|&&byte| {
        let is_space = byte == b' ';
        let stays = (b' '..0x7f).contains(&byte) && !(is_space && behind_space);
        behind_space = is_space;
        stays
    });
    length + rest.count()
}

/// True if a chunk is already folded. Bytes are tested without an early exit, so that the compiler can
/// vectorise the loop.
fn is_folded(piece: &[u8; PIECE], behind_space: bool) -> bool {
    let is_plain = piece.iter().fold(true, |all, byte| all & (b' '..0x7f).contains(byte));
    let pairs = piece[..PIECE - 1].iter().zip(&piece[1..]);
    let is_double = |(before, byte): (&u8, &u8)| *before == b' ' && *byte == b' ';
    let has_double = pairs.fold(false, |any, pair| any | is_double(pair));
    is_plain && !has_double && !(behind_space && piece[0] == b' ')
}

/// Number of characters that are not white space.
pub fn visible_chars(text: &str) -> usize {
    if !text.is_ascii() {
        return text.chars().filter(|c| !c.is_whitespace()).count();
    }
    let is_visible = |byte: u8| u8::from(!matches!(byte, b'\t'..=b'\r' | b' '));
    let pieces = text.as_bytes().chunks(PIECE);
    pieces
        .map(|piece| usize::from(piece.iter().fold(0_u8, |all, &byte| all.wrapping_add(is_visible(byte)))))
        .sum()
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Number of words. In scripts without spaces, each ideograph or syllable is counted as half a word.
pub fn words(text: &str) -> usize {
    let mut dense = 0;
    let mut spaced = 0;
    let mut inside = false;
    let mut rest = text;
    while !rest.is_empty() {
        let (ascii, beyond) = rest.split_at(ascii_length(rest));
        let (pieces, last) = ascii.as_bytes().as_chunks();
        for piece in pieces {
            spaced += match words_begun(piece, inside) {
                Some(begun) => {
                    inside = piece[PIECE - 1].is_ascii_alphanumeric();
                    begun
                }
                None => words_begun_one_by_one(piece, &mut inside),
            };
        }
        spaced += words_begun_one_by_one(last, &mut inside);
        let (others, after) = beyond.split_at(beyond.bytes().take_while(|byte| !byte.is_ascii()).count());
        for c in others.chars() {
            if is_dense(c) {
                dense += 1;
                inside = false;
            } else if c.is_alphanumeric() {
                spaced += usize::from(!inside);
                inside = true;
            } else {
                inside = inside && c == '’';
            }
        }
        rest = after;
    }
    spaced + dense / 2
}

/// Number of leading ASCII bytes.
fn ascii_length(text: &str) -> usize {
    let (pieces, _) = text.as_bytes().as_chunks::<PIECE>();
    let ascii = |piece: &&[u8; PIECE]| piece.iter().fold(0, |all, byte| all | byte) < 0x80;
    let length = pieces.iter().take_while(ascii).count() * PIECE;
    length + text.as_bytes()[length..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Bytes of a chunk that is tested in one vectorized loop.
const PIECE: usize = 32;

/// Number of words that begin in an ASCII chunk. `None` if the chunk contains a joiner, which may continue a
/// word. `inside` is true if the character before the chunk belongs to a word. Bytes are tested without an
/// early exit, so that the compiler can vectorise the loop.
fn words_begun(piece: &[u8; PIECE], inside: bool) -> Option<usize> {
    let has_joiner = piece.iter().fold(false, |any, byte| any | is_joiner(*byte));
    if has_joiner {
        return None;
    }
    let parts = piece.map(|byte| u8::from(byte.is_ascii_alphanumeric()));
    // A chunk has fewer words than a `u8` can count. Checked addition would prevent vectorisation.
    let pairs = parts[..PIECE - 1].iter().zip(&parts[1..]);
    let behind = pairs.fold(0_u8, |sum, (before, part)| sum.wrapping_add(part & !before));
    Some(usize::from(behind) + usize::from(parts[0] == 1 && !inside))
}

/// Number of words that begin in an ASCII chunk, which may contain joiners.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "word boundaries are unpredictable, so the loop has no branches"
)]
fn words_begun_one_by_one(ascii: &[u8], inside: &mut bool) -> usize {
    let mut begun = 0;
    for byte in ascii {
        let is_part = byte.is_ascii_alphanumeric();
        begun += usize::from(is_part & !*inside);
        *inside = is_part | (*inside & is_joiner(*byte));
    }
    begun
}

/// True for characters that may join the parts of a word.
fn is_joiner(ascii: u8) -> bool {
    matches!(ascii, b'\'' | b'-')
}

/// Returns only the letters and digits, in lower case.
pub(crate) fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the words in lower case with single spaces, without punctuation.
pub(crate) fn lower_words(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .flat_map(char::to_lowercase)
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// True for characters of scripts that do not separate words with spaces.
pub fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// True for Chinese, Japanese and Korean characters.
pub(crate) fn is_eastern(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

#[cfg(test)]
mod tests;

//! Characters that have no place in clean text: controls, bidirectional overrides, non-characters, tag characters.
//!
//! They are what hidden instructions and reversed file names are made of; removing them is reported.

/// Removes them from a text; true when there were any.
pub fn strip_controls(text: &mut String) -> bool {
    if is_plain(text) || !text.chars().any(is_unwanted) {
        return false;
    }
    text.retain(|c| !is_unwanted(c));
    true
}

/// Whether a text is ASCII without controls, as most is. A piece at a time, whose bytes a processor looks at together.
fn is_plain(text: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..0x7f | b'\t' | b'\n');
    text.as_bytes().chunks(PIECE).all(|piece| piece.iter().fold(true, |all, &byte| all & is_plain(byte)))
}

/// True for characters that are never shown or that reorder what is shown.
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

/// White space of a line folded to single spaces, none at the ends; soft hyphens, templates without a script that
/// needs them and byte order marks dropped. Line feeds become spaces.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    push_folded(&mut folded, text);
    folded.truncate(folded.trim_end().len());
    folded
}

/// Appends a text to one that is already folded, as `fold` would; a trailing space is kept for what follows.
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

/// How many bytes of a text's beginning are folded already, as most text is: ASCII without controls whose spaces stand alone.
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

/// Whether a piece is folded already. Each byte by itself, which a processor does for many at once.
fn is_folded(piece: &[u8; PIECE], behind_space: bool) -> bool {
    let is_plain = piece.iter().fold(true, |all, byte| all & (b' '..0x7f).contains(byte));
    let pairs = piece[..PIECE - 1].iter().zip(&piece[1..]);
    let is_double = |(before, byte): (&u8, &u8)| *before == b' ' && *byte == b' ';
    let has_double = pairs.fold(false, |any, pair| any | is_double(pair));
    is_plain && !has_double && !(behind_space && piece[0] == b' ')
}

/// Characters of a text that are no white space.
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

/// Words of a text, counting each ideograph or syllable of scripts without spaces as half a word.
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

/// How many bytes of a text's beginning are ASCII.
fn ascii_length(text: &str) -> usize {
    let (pieces, _) = text.as_bytes().as_chunks::<PIECE>();
    let ascii = |piece: &&[u8; PIECE]| piece.iter().fold(0, |all, byte| all | byte) < 0x80;
    let length = pieces.iter().take_while(ascii).count() * PIECE;
    length + text.as_bytes()[length..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// So many bytes are looked at together.
const PIECE: usize = 32;

/// Words that begin in ASCII behind a character that is `inside` a word, or behind one that is not; `None` where a sign
/// may go on with one. Each byte by itself, which a processor does for many at once.
fn words_begun(piece: &[u8; PIECE], inside: bool) -> Option<usize> {
    let goes_on = piece.iter().fold(false, |any, byte| any | is_joiner(*byte));
    if goes_on {
        return None;
    }
    let parts = piece.map(|byte| u8::from(byte.is_ascii_alphanumeric()));
    // Fewer than a byte can count: a sum that is checked would be one of each byte after the other.
    let pairs = parts[..PIECE - 1].iter().zip(&parts[1..]);
    let behind = pairs.fold(0_u8, |sum, (before, part)| sum.wrapping_add(part & !before));
    Some(usize::from(behind) + usize::from(parts[0] == 1 && !inside))
}

/// The same where signs go on with words.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "where words end cannot be foreseen, so nothing branches on it"
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

/// Signs that stand within words.
fn is_joiner(ascii: u8) -> bool {
    matches!(ascii, b'\'' | b'-')
}

/// True for characters of scripts that part no words by spaces.
pub fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests;

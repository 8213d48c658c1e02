//! Splits a text into tokens: words, numbers, single ideographs and other single characters. White space is
//! omitted.

use std::ops::Range;

use crate::clean;

/// Word, number, ideograph or other single character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    /// Byte range in the text.
    pub(crate) range: Range<usize>,
    pub(crate) class: TokenClass,
}

/// Class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenClass {
    /// Letters, possibly followed by digits.
    Word,
    /// Run of characters that begins with a digit, such as `12`, `1,234.50`, `20th` or `12.05.2026`.
    Number,
    /// Any other single character.
    Symbol,
}

/// Splits a text into tokens.
pub(crate) fn split(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 5 + 1);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte == b' ' {
            at += 1;
            continue;
        }
        let (end, class) = if byte.is_ascii() { ascii(bytes, text, at) } else { wide(text, at) };
        tokens.push(Token { range: at..end, class });
        at = end;
    }
    // Spaces were skipped above. White space characters that folding does not replace are dropped below.
    tokens.retain(|token| !text[token.range.clone()].chars().all(char::is_whitespace));
    tokens
}

fn ascii(bytes: &[u8], text: &str, at: usize) -> (usize, TokenClass) {
    let class = match bytes[at] {
        b'0'..=b'9' => TokenClass::Number,
        b'a'..=b'z' | b'A'..=b'Z' => TokenClass::Word,
        _ => return (at + 1, TokenClass::Symbol),
    };
    (run_end(bytes, text, at + 1, class), class)
}

fn wide(text: &str, at: usize) -> (usize, TokenClass) {
    let Some(first) = text[at..].chars().next() else { return (text.len(), TokenClass::Symbol) };
    let after = at + first.len_utf8();
    if !first.is_alphanumeric() || clean::is_dense(first) {
        return (after, if first.is_alphanumeric() { TokenClass::Word } else { TokenClass::Symbol });
    }
    let class = if first.is_numeric() { TokenClass::Number } else { TokenClass::Word };
    (run_end(text.as_bytes(), text, after, class), class)
}

/// End of the word or number that contains `at`.
fn run_end(bytes: &[u8], text: &str, mut at: usize, class: TokenClass) -> usize {
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => at += 1,
            b'.' | b',' if class == TokenClass::Number && next.is_ascii_digit() => at += 1,
            b'\'' if class == TokenClass::Word && next.is_ascii_alphabetic() => at += 1,
            _ if byte.is_ascii() => break,
            _ => match text[at..].chars().next() {
                Some(c) if (c.is_alphanumeric() || is_combining(c)) && !clean::is_dense(c) => {
                    at += c.len_utf8();
                }
                Some('’') if next_is_letter(text, at + '’'.len_utf8()) => at += '’'.len_utf8(),
                _ => break,
            },
        }
    }
    at
}

fn next_is_letter(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_some_and(char::is_alphabetic)
}

/// True for combining marks. Such a mark belongs to the preceding letter if no composed character exists.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{200c}' | '\u{200d}')
}

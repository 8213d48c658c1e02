//! Splits a text into tokens for comparison: numbers as a whole, ideographs one by one, white space left out.

use std::ops::Range;

use super::hash::{Mask, hash};
use crate::clean;

/// Word, number, ideograph or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Byte range in the text.
    pub(super) range: Range<usize>,
    pub(super) class: Class,
}

/// Class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Letters, possibly followed by digits.
    Word,
    /// Begins with a digit: `12`, `1,234.50`, `20th`, `12.05.2026`.
    Number,
    /// Any other single character.
    Sign,
}

/// All tokens of a text.
pub(super) fn split(text: &str) -> Vec<Token> {
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
    // White space was folded before, except for characters that are white space but not folded. Drop those.
    tokens.retain(|token| !text[token.range.clone()].chars().all(char::is_whitespace));
    tokens
}

fn ascii(bytes: &[u8], text: &str, at: usize) -> (usize, Class) {
    let class = match bytes[at] {
        b'0'..=b'9' => Class::Number,
        b'a'..=b'z' | b'A'..=b'Z' => Class::Word,
        _ => return (at + 1, Class::Sign),
    };
    (run_end(bytes, text, at + 1, class), class)
}

fn wide(text: &str, at: usize) -> (usize, Class) {
    let Some(first) = text[at..].chars().next() else { return (text.len(), Class::Sign) };
    let after = at + first.len_utf8();
    if !first.is_alphanumeric() || clean::is_dense(first) {
        return (after, if first.is_alphanumeric() { Class::Word } else { Class::Sign });
    }
    let class = if first.is_numeric() { Class::Number } else { Class::Word };
    (run_end(text.as_bytes(), text, after, class), class)
}

/// End of a word or number.
fn run_end(bytes: &[u8], text: &str, mut at: usize, class: Class) -> usize {
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => at += 1,
            b'.' | b',' if class == Class::Number && next.is_ascii_digit() => at += 1,
            b'\'' if class == Class::Word && next.is_ascii_alphabetic() => at += 1,
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

/// True for combining marks that stay with the letter before them if there is no composed form.
fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{200c}' | '\u{200d}')
}

/// Key of masked tokens.
pub(super) const MASKED: u64 = 1;

/// Keys of the tokens, which are equal if and only if the tokens are. The text under one mask is one token,
/// and so is a value such as a time, a date or a version.
pub(super) fn keys(text: &str, masks: &[Mask]) -> (Vec<u64>, Vec<Range<usize>>) {
    let mut keys = Vec::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let all = masks;
    let mut masks = masks.iter().peekable();
    for range in values(text, &split(text), all) {
        while masks.next_if(|mask| mask.end <= range.start).is_some() {}
        match masks.peek() {
            Some(mask) if mask.start < range.end => {
                // A further token under the same mask extends the masked token.
                if let (Some(&MASKED), Some(last)) = (keys.last(), ranges.last_mut())
                    && last.end > mask.start
                {
                    last.end = range.end;
                    continue;
                }
                keys.push(MASKED);
            }
            _ => keys.push(hash(&text[range.clone()])),
        }
        ranges.push(range);
    }
    (keys, ranges)
}

/// Ranges of the tokens. Tokens that form one value are joined, unless a mask covers only a part of the
/// value.
fn values(text: &str, tokens: &[Token], masks: &[Mask]) -> Vec<Range<usize>> {
    let mut ranges = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let mut last = at;
        while let Some(next) = continuation(text, tokens, at, last) {
            last = next;
        }
        let range = tokens[at].range.start..tokens[last].range.end;
        let cut = |offset: usize| range.start < offset && offset < range.end;
        if last > at && !masks.iter().any(|mask| cut(mask.start) || cut(mask.end)) {
            ranges.push(range);
        } else {
            ranges.extend(tokens[at..=last].iter().map(|token| token.range.clone()));
        }
        at = last + 1;
    }
    ranges
}

/// Token that continues the value from `first` to `last`: `18:45`, `2026-11-22`, `22/11/2026`, `v1.2.3-rc1`.
fn continuation(text: &str, tokens: &[Token], first: usize, last: usize) -> Option<usize> {
    let (sign, next) = (tokens.get(last + 1)?, tokens.get(last + 2)?);
    let touch = tokens[last].range.end == sign.range.start && sign.range.end == next.range.start;
    if !touch || sign.class != Class::Sign {
        return None;
    }
    let begun = &text[tokens[first].range.start..tokens[last].range.end];
    let lettered = is_version_letter(begun);
    if tokens[first].class != Class::Number && !lettered {
        return None;
    }
    let is_version = lettered || begun.contains('.');
    let is_number = next.class == Class::Number;
    let continuation = match &text[sign.range.clone()] {
        ":" | "/" => is_number,
        "-" => is_number || is_version && has_digit(&text[next.range.clone()]),
        "." => is_version && is_number,
        _ => false,
    };
    continuation.then_some(last + 2)
}

/// `v1`, `V2.0`: the letter of a version, then digits.
fn is_version_letter(text: &str) -> bool {
    text.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;

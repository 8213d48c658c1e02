//! Keys of the tokens in a text, for the comparison of two texts. A value such as a time, date or version is
//! a single token.

use std::ops::Range;

use crate::{
    lexer::{Token, TokenClass, split},
    text_hash::{Mask, hash},
};

/// Key of a masked token.
pub(super) const MASKED: u64 = 1;

/// Keys and byte ranges of the tokens. Equal tokens have equal keys. The text under a mask is a single token,
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
                // Another token under the same mask extends the masked token.
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

/// Byte ranges of the tokens. The tokens of a value are joined, unless a mask covers only a part of the
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

/// Index of the token that continues the value in the tokens from `first` to `last`: `18:45`, `2026-11-22`,
/// `22/11/2026`, `v1.2.3-rc1`.
fn continuation(text: &str, tokens: &[Token], first: usize, last: usize) -> Option<usize> {
    let (symbol, next) = (tokens.get(last + 1)?, tokens.get(last + 2)?);
    let touch = tokens[last].range.end == symbol.range.start && symbol.range.end == next.range.start;
    if !touch || symbol.class != TokenClass::Symbol {
        return None;
    }
    let begun = &text[tokens[first].range.start..tokens[last].range.end];
    let lettered = is_version_letter(begun);
    if tokens[first].class != TokenClass::Number && !lettered {
        return None;
    }
    let is_version = lettered || begun.contains('.');
    let is_number = next.class == TokenClass::Number;
    let continuation = match &text[symbol.range.clone()] {
        ":" | "/" => is_number,
        "-" => is_number || is_version && has_digit(&text[next.range.clone()]),
        "." => is_version && is_number,
        _ => false,
    };
    continuation.then_some(last + 2)
}

/// True for the letter of a version before its digits: `v1`, `V2.0`.
fn is_version_letter(text: &str) -> bool {
    text.strip_prefix(['v', 'V']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;

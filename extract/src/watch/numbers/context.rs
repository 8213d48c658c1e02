//! Words and symbols next to a number: its currency, unit, multiplier and sign, and the product name before
//! it.

use super::number::Number;
use crate::clean::is_dense;
use crate::currencies::{currency, is_money_symbol};

/// Units of fuel, energy and call time, whose prices often have three decimals.
const METERED: [&str; 14] =
    ["l", "liter", "litre", "litro", "litr", "litra", "ltr", "л", "gal", "gallon", "kwh", "m³", "m3", "min"];
/// Prepositions between a price and its unit.
const PER: [&str; 9] = ["per", "je", "pro", "par", "por", "al", "für", "za", "na"];
/// Words for thousands and larger multipliers, with their powers of ten.
const MULTIPLES: &[(i32, &[&str])] = &[
    (3, &["thousand", "tausend", "tsd", "тыс", "tys", "tis", "ribu"]),
    (5, &["lakh", "lakhs", "lac", "lacs"]),
    (
        6,
        &[
            "million", "millions", "millionen", "millones", "millón", "milioni", "mio", "mln", "млн",
            "miljoen", "juta", "milyon", "triệu",
        ],
    ),
    (7, &["crore", "crores", "cr"]),
    (9, &["billion", "milliarden", "milliard", "milliards", "mrd", "mld", "млрд", "miljard"]),
];
/// Words before a price that buyers do not pay: a list price, a previous price, or a saving.
const LIST_PRICES: [&str; 16] = [
    "rrp", "srp", "msrp", "uvp", "was", "statt", "before", "avant", "antes", "prima", "save", "saved",
    "spare", "sparen", "ersparnis", "ahorra",
];
/// Maximum factor between the last known number and the interpretation that it confirms.
const MAX_LAST_FACTOR: i128 = 3;
/// Maximum number of characters in a word before a currency symbol: `Mex$`.
const MAX_PREFIX_CHARS: usize = 3;

/// Unit of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PriceUnit {
    None,
    /// Unit of fuel, energy or call time.
    Metered,
    Other,
}

/// True if the last word before a number, apart from its currency, indicates a price that buyers do not pay.
pub(super) fn is_list_price(left: &str) -> bool {
    let mut words = left.rsplit(|c: char| !c.is_alphanumeric());
    let word = words.find(|word| !word.is_empty() && currency(word).is_none());
    word.is_some_and(|word| LIST_PRICES.contains(&word.to_lowercase().as_str()))
}

/// Letters and digits directly before `at`.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    let start = text[..at].char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last();
    &text[start.map_or(at, |(start, _)| start)..at]
}

/// Currency and unit of the number between two texts. A currency directly before the number takes precedence
/// over a currency after it. A currency that a space separates from the following number has the lowest
/// precedence.
pub(super) fn of_number(left: &str, right: &str) -> (Option<&'static str>, PriceUnit) {
    let left = left.trim_end_matches(['-', '−']);
    let after = right.trim_start_matches(['.', ',']).trim_start_matches(['–', '-', '—', ':']);
    let is_spaced = left.ends_with(char::is_whitespace);
    let before = currency_before(left.trim_end());
    let follows = currency_after(after.trim_start());
    let length = follows.map_or(0, |(_, length)| length);
    let follows = follows.map(|(code, _)| code);
    let code = if is_spaced { follows.or(before) } else { before.or(follows) };
    let unit = if code.is_some() { unit(&after.trim_start()[length..]) } else { PriceUnit::None };
    (code, unit)
}

/// Currency at the end of `text`.
pub(super) fn currency_before(text: &str) -> Option<&'static str> {
    let text = text.trim_end_matches('.');
    let last = text.chars().next_back()?;
    if last.is_alphabetic() {
        let part = text.char_indices().rev().take_while(|(_, c)| c.is_alphabetic() || *c == '.').last();
        let dotted = &text[part.map_or(text.len(), |(start, _)| start)..];
        return currency(dotted.trim_matches('.')).or_else(|| currency(word_before(text, text.len())));
    }
    let start = text.len() - last.len_utf8();
    let prefixed = text[..start].chars().rev().take(MAX_PREFIX_CHARS).take_while(|c| c.is_alphabetic());
    let bytes: usize = prefixed.map(char::len_utf8).sum();
    currency(&text[start - bytes..]).or_else(|| currency(&text[start..]))
}

/// Currency at the start of `text`, and its length in bytes.
pub(super) fn currency_after(text: &str) -> Option<(&'static str, usize)> {
    let end_of = |is_part: &dyn Fn(char) -> bool| text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let with_signs = text[..end_of(&|c| c.is_alphabetic() || matches!(c, '.' | '$'))].trim_end_matches('.');
    let first = text.chars().next()?;
    let plain = if first.is_alphabetic() {
        &text[..end_of(&char::is_alphanumeric)]
    } else {
        &text[..first.len_utf8()]
    };
    // Text in a script without spaces, such as `12,800円税込`.
    let dense = |chars: usize| {
        let end = text.char_indices().nth(chars).map_or(text.len(), |(end, _)| end);
        if is_dense(first) { &text[..end] } else { "" }
    };
    let words = [with_signs, plain, dense(1), dense(3)];
    words.into_iter().find_map(|word| Some((currency(word)?, word.len())))
}

/// Unit of a price in the text after its currency.
fn unit(after: &str) -> PriceUnit {
    let after = after.trim_start();
    let rest = if let Some(rest) = after.strip_prefix('/') {
        rest.trim_start()
    } else {
        let word = &after[..after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len())];
        if !PER.contains(&word.to_lowercase().as_str()) {
            return PriceUnit::None;
        }
        after[word.len()..].trim_start()
    };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    let word = &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())];
    if word.is_empty() || currency(word).is_some() {
        PriceUnit::None
    } else if METERED.contains(&word.to_lowercase().as_str()) {
        PriceUnit::Metered
    } else {
        PriceUnit::Other
    }
}

/// Power of ten at the start of the text after a number, and its length in bytes. Letters that may also be a
/// unit are read as a multiplier only if the number has a currency symbol.
pub(super) fn power(after: &str, has_sign: bool) -> (i32, usize) {
    if after.trim_start().starts_with('¢') {
        return (-2, 0);
    }
    let touching = &after[..after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len())];
    let power = match (touching, has_sign) {
        ("k", _) | ("K", true) => Some(3),
        ("M" | "m" | "mn", true) => Some(6),
        ("B" | "b" | "bn", true) => Some(9),
        _ => None,
    };
    if let Some(power) = power {
        return (power, touching.len());
    }
    let next = after.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let word = &next[..next.find(|c: char| !c.is_alphabetic()).unwrap_or(next.len())];
    let lower = word.to_lowercase();
    let is_unit = lower == "cr" && !has_sign;
    let multiple = MULTIPLES.iter().find(|(_, words)| words.contains(&lower.as_str()) && !is_unit);
    multiple.map_or((0, 0), |(power, _)| {
        let dot = usize::from(next[word.len()..].starts_with('.'));
        (*power, after.len() - next.len() + word.len() + dot)
    })
}

/// True if the number between two texts has a minus sign: directly before the number or its currency symbol,
/// and without a word before it. A minus sign before a space requires a degree or percent sign after the
/// number.
pub(super) fn is_negative(before: &str, after: &str) -> bool {
    let touching = before.trim_end_matches(['$', '€', '£', '¥']);
    let sign = |text: &str| ['-', '−'].iter().find_map(|sign| text.strip_suffix(*sign).map(str::len));
    if let Some(length) = sign(touching) {
        return !touching[..length].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '-'));
    }
    let is_measure = after.trim_start().starts_with(['°', '%', '℃', '℉']);
    let spaced = before.trim_end();
    is_measure
        && spaced.len() < before.len()
        && sign(spaced).is_some_and(|length| {
            let above = spaced[..length].trim_end();
            above.is_empty() || above.ends_with([':', '('])
        })
}

/// True if the first group of digits belongs to a product name: `iPhone 15 899 €`.
pub(super) fn is_model(left: &str, first: &str, groups: &[(char, &str)], last: Option<Number>) -> bool {
    let [(separator, second)] = groups else { return false };
    if !separator.is_whitespace() || first.len() > 2 || !left.ends_with(char::is_whitespace) {
        return false;
    }
    let left = left.trim_end();
    let word = word_before(left, left.len());
    if word.is_empty() || is_money_symbol(word) || currency(word).is_some() {
        return false;
    }
    let mut pairs = word.chars().zip(word.chars().skip(1));
    if pairs.any(|(one, other)| one.is_lowercase() && other.is_uppercase()) {
        return true;
    }
    let is_near = |digits: &str| {
        let number = Number::from_parts(digits, "", false);
        number.zip(last).is_some_and(|(number, last)| number.is_near(last, MAX_LAST_FACTOR))
    };
    is_near(second) && !is_near(&format!("{first}{second}"))
}

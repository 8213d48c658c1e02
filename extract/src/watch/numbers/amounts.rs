//! Amounts in a text: numbers in the notation of any locale, each with its currency.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::super::target::NumberChoice;
use super::number::{MAX_DIGITS, Number};
use crate::currencies::{currency, is_money};

/// Maximum amounts read from one text.
const MAX_AMOUNTS: usize = 200;

/// Decimal separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum DecimalSign {
    Point,
    Comma,
}

impl DecimalSign {
    fn of(sign: char) -> Self {
        if sign == ',' { Self::Comma } else { Self::Point }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }

    /// Decimal separator of a language tag. `None` if unknown.
    pub(in super::super) fn of_language(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase().replace('_', "-");
        let primary = tag.split('-').next().unwrap_or_default();
        match (tag.as_str(), primary) {
            ("de-ch" | "it-ch" | "de-li" | "es-mx", _)
            | (_, "en" | "zh" | "ja" | "ko" | "th" | "he" | "hi" | "ms") => Some(Self::Point),
            (
                _,
                "de" | "fr" | "es" | "it" | "pt" | "nl" | "pl" | "ru" | "sv" | "da" | "nb" | "no" | "nn"
                | "fi" | "cs" | "sk" | "hu" | "tr" | "el" | "ro" | "bg" | "uk" | "hr" | "sr" | "sl" | "et"
                | "lv" | "lt" | "id" | "vi" | "ca",
            ) => Some(Self::Comma),
            _ => None,
        }
    }
}

/// Known facts about the notation of numbers in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct NumberFormat {
    /// Separator observed in the same field before.
    pub(in super::super) observed: Option<DecimalSign>,
    /// Separator of the page's language.
    pub(in super::super) language: Option<DecimalSign>,
    /// True if the numbers are prices, even without a currency sign.
    pub(in super::super) is_money: bool,
}

/// Number with its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Amount {
    pub(in super::super) number: Number,
    pub(in super::super) currency: Option<&'static str>,
    /// Decimal separator, if the notation of the number is unambiguous.
    pub(in super::super) decimal_sign: Option<DecimalSign>,
}

/// Number as written: groups of digits with the separators before them.
struct RawNumber<'t> {
    range: Range<usize>,
    first: &'t str,
    groups: Vec<(char, &'t str)>,
    is_negative: bool,
    currency: Option<&'static str>,
}

/// Amount selected by `choice`. Amounts with a currency take precedence over those without.
pub(in super::super) fn chosen(amounts: &[Amount], choice: NumberChoice) -> Option<Amount> {
    let priced = amounts.iter().any(|amount| amount.currency.is_some());
    let mut candidates = amounts.iter().copied().filter(|amount| amount.currency.is_some() || !priced);
    match choice {
        NumberChoice::First => candidates.next(),
        NumberChoice::Last => candidates.next_back(),
        NumberChoice::Least => candidates.min_by_key(|amount| amount.number),
        NumberChoice::Greatest => candidates.max_by_key(|amount| amount.number),
    }
}

/// Reads a text with exactly one number. `None` if there are none or several.
pub(in super::super) fn only(text: &str, number_format: NumberFormat) -> Option<Number> {
    match amounts(text, number_format).as_slice() {
        [only] => Some(only.number),
        _ => None,
    }
}

/// Amounts of a text, in order.
pub(in super::super) fn amounts(text: &str, number_format: NumberFormat) -> Vec<Amount> {
    let mut numbers = scan(text);
    share_currencies(text, &mut numbers);
    let is_money = number_format.is_money || is_money(text);
    let read = |number: &RawNumber<'_>| {
        let is_money = is_money || number.currency.is_some();
        number.read(NumberFormat { is_money, ..number_format })
    };
    numbers.iter().filter_map(read).collect()
}

/// Finds the runs of digits that may be a number.
fn scan(text: &str) -> Vec<RawNumber<'_>> {
    let mut numbers: Vec<RawNumber<'_>> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let (end, groups) = groups(text, start);
        // Letters right after the number may be a unit. If they contain digits, the whole is a name.
        let tail = text[end..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |stop| end + stop);
        let is_name = text[end..tail].chars().any(char::is_numeric);
        let head = word_before(text, start);
        if !is_name && (head.is_empty() || currency(head).is_some()) && numbers.len() < MAX_AMOUNTS {
            let before = numbers.last().map_or(0, |last| last.range.end);
            let first = &text[start..start + digits(&text[start..])];
            let is_negative = is_negative(text, start);
            let currency = currency_of(text, before, start..end);
            numbers.push(RawNumber { range: start..end, first, groups, is_negative, currency });
        }
        at = tail.max(end);
    }
    numbers
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Letters and digits directly before a position.
fn word_before(text: &str, at: usize) -> &str {
    let start = text[..at].char_indices().rev().take_while(|(_, c)| c.is_alphanumeric()).last();
    &text[start.map_or(at, |(start, _)| start)..at]
}

/// A minus sign counts if it touches the number or its currency sign, and no word is before it.
fn is_negative(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches(['$', '€', '£', '¥']);
    let sign = ['-', '−'].iter().find_map(|sign| before.strip_suffix(*sign));
    sign.is_some_and(|before| {
        !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '-'))
    })
}

/// End of a number, and its groups after the first.
fn groups(text: &str, start: usize) -> (usize, Vec<(char, &str)>) {
    let first = digits(&text[start..]);
    let mut end = start + first;
    let mut groups = Vec::new();
    while let Some(sign) = text[end..].chars().next() {
        let from = end + sign.len_utf8();
        let length = digits(&text[from..]);
        let is_part = match sign {
            '.' | ',' => length > 0,
            // Spaces and apostrophes only separate thousands.
            ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’' => {
                let is_whole = groups.iter().all(|(sign, _)| !matches!(sign, '.' | ','));
                let is_name = text[from + length..].starts_with(|c: char| c.is_alphabetic() && c.is_ascii());
                length == 3 && first <= 3 && is_whole && !is_name
            }
            _ => false,
        };
        if !is_part {
            break;
        }
        groups.push((sign, &text[from..from + length]));
        end = from + length;
    }
    (end, groups)
}

/// Currency of a number: the word or sign that touches it on the left, else the one after it, else the one
/// before it.
fn currency_of(text: &str, before: usize, range: Range<usize>) -> Option<&'static str> {
    let left = text[before..range.start].trim_end_matches(['-', '−']);
    let after = text[range.end..].trim_start_matches(['.', ',']).trim_start_matches(['–', '-', '—']);
    let follows = || currency(first_word(after.trim_start()));
    if left.ends_with(char::is_whitespace) {
        follows().or_else(|| currency(last_word(left.trim_end().trim_end_matches('.'))))
    } else {
        currency(last_word(left)).or_else(follows)
    }
}

fn last_word(text: &str) -> &str {
    match text.chars().next_back() {
        Some(c) if c.is_alphabetic() => word_before(text, text.len()),
        Some(c) => &text[text.len() - c.len_utf8()..],
        None => "",
    }
}

fn first_word(text: &str) -> &str {
    match text.chars().next() {
        Some(c) if c.is_alphabetic() => {
            &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
        }
        Some(c) => &text[..c.len_utf8()],
        None => "",
    }
}

/// `89 to 129 €`: both bounds of a range have the same currency.
fn share_currencies(text: &str, numbers: &mut [RawNumber<'_>]) {
    for at in 1..numbers.len() {
        let (one, other) = (&numbers[at - 1], &numbers[at]);
        let between = text[one.range.end..other.range.start].trim();
        let is_range =
            matches!(between, "-" | "–" | "—" | "/" | "to" | "bis" | "à" | "a" | "till" | "tot" | "until");
        if is_range {
            let currency = one.currency.or(other.currency);
            numbers[at - 1].currency = currency;
            numbers[at].currency = currency;
        }
    }
}

impl RawNumber<'_> {
    /// Value of the digits. `None` for a date, a version, or an IP address.
    fn read(&self, number_format: NumberFormat) -> Option<Amount> {
        let parts_thousands = |sign: char| !matches!(sign, '.' | ',');
        let last = self.groups.last().filter(|(sign, _)| !parts_thousands(*sign));
        let decimal = match last {
            None => None,
            Some(&(sign, digits)) => self.is_decimal(sign, digits, number_format)?.then_some((sign, digits)),
        };
        let whole = &self.groups[..self.groups.len() - usize::from(decimal.is_some())];
        let is_grouped = whole.iter().all(|(_, digits)| digits.len() == 3)
            && (whole.is_empty() || self.first.len() <= 3)
            && whole.iter().all(|(sign, _)| decimal.is_none_or(|(decimal, _)| decimal != *sign));
        if !is_grouped || self.first.len() > MAX_DIGITS {
            return None;
        }
        let digits: String =
            std::iter::once(self.first).chain(whole.iter().map(|(_, digits)| *digits)).collect();
        let part = decimal.map_or("", |(_, digits)| digits);
        let number = Number::from_parts(&digits, part, self.is_negative)?;
        Some(Amount { number, currency: self.currency, decimal_sign: self.implied_sign(decimal, whole) })
    }

    /// True if the last separator is the decimal separator. `None` if this is not a number.
    fn is_decimal(&self, sign: char, digits: &str, number_format: NumberFormat) -> Option<bool> {
        let count = self.groups.iter().filter(|(other, _)| *other == sign).count();
        if count > 1 {
            // `1.234.567` is grouped, `12.05.2026` is not a number.
            return (digits.len() == 3).then_some(false);
        }
        let is_clear =
            digits.len() != 3 || self.groups.len() > 1 || self.first.len() > 3 || self.first == "0";
        if is_clear {
            return Some(true);
        }
        let sign = DecimalSign::of(sign);
        Some(match (number_format.observed, number_format.is_money, number_format.language) {
            (Some(observed), _, _) => observed == sign,
            (None, true, _) => false,
            (None, false, Some(language)) => language == sign,
            (None, false, None) => true,
        })
    }

    /// Decimal separator that this notation implies. Three digits after a single separator are ambiguous.
    fn implied_sign(&self, decimal: Option<(char, &str)>, whole: &[(char, &str)]) -> Option<DecimalSign> {
        match decimal {
            Some((sign, digits)) => {
                let is_doubtful = digits.len() == 3 && whole.is_empty() && self.first != "0";
                (!is_doubtful).then_some(DecimalSign::of(sign))
            }
            None if whole.len() > 1 => {
                let grouping = whole.iter().map(|(sign, _)| *sign).find(|sign| matches!(sign, '.' | ','));
                grouping.map(|sign| DecimalSign::of(sign).other())
            }
            None => None,
        }
    }
}

//! Amounts in a text: numbers in the notation of any locale, each with its currency.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::super::target::NumberChoice;
use super::context::{self, PriceUnit};
use super::notation;
use super::number::{MAX_DIGITS, Number};
use crate::clean::is_dense;
use crate::currencies::{currency, decimals, is_money};

/// Maximum number of amounts that are read from a text.
const MAX_AMOUNTS: usize = 200;
/// Maximum factor between a known number and an interpretation that is near it. Two interpretations of a
/// number differ by a factor of 1000, so that at most one of them is near.
const MAX_FACTOR: i128 = 30;
/// Letters that denote a currency only directly before a number with separators: `R1 299.00`.
const PREFIXES: [&str; 3] = ["R", "P", "Q"];
/// Suffixes with a dash that replaces decimals of zero.
const ROUND: [&str; 6] = [",-", ",–", ",—", ".-", ".–", ".—"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum DecimalSeparator {
    Point,
    Comma,
}

impl DecimalSeparator {
    fn of(separator: char) -> Self {
        if separator == ',' { Self::Comma } else { Self::Point }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }

    /// Decimal separator in the language with this tag. `None` if it is unknown.
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

/// Known properties of the number notation in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in super::super) struct NumberFormat {
    /// Decimal separator in previous values of the same field.
    pub(in super::super) observed: Option<DecimalSeparator>,
    /// Last number in the same field.
    pub(in super::super) last: Option<Number>,
    /// Number with which the text is compared.
    pub(in super::super) limit: Option<Number>,
    /// Usual decimal separator in the language of the page.
    pub(in super::super) usual_separator: Option<DecimalSeparator>,
    /// True if the numbers are prices, even without a currency symbol.
    pub(in super::super) is_money: bool,
}

/// Number with its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Amount {
    pub(in super::super) number: Number,
    pub(in super::super) currency: Option<&'static str>,
    /// Decimal separator. `None` if the notation is ambiguous or has no decimal separator.
    pub(in super::super) decimal_separator: Option<DecimalSeparator>,
    /// True if `1.299` may be 1299 or 1.299, and the known properties do not resolve the ambiguity.
    pub(in super::super) is_ambiguous: bool,
    /// True for the price of a unit, such as a kilogram or a month.
    pub(in super::super) is_per_unit: bool,
    /// True for a list price, a previous price, or a saving.
    is_list_price: bool,
}

/// Number as written: groups of digits, each with the separator that precedes it.
struct RawNumber<'t> {
    range: Range<usize>,
    first: &'t str,
    groups: Vec<(char, &'t str)>,
    /// Power of ten that a word or symbol after the digits expresses: `k`, `million`, `¢`.
    power: i32,
    is_negative: bool,
    /// True if a dash replaces the decimals: `1.299,–`.
    is_round: bool,
    currency: Option<&'static str>,
    unit: PriceUnit,
    is_list_price: bool,
}

/// Role of the last separator of a number.
#[derive(Clone, Copy)]
struct Separator {
    is_decimal: bool,
    is_ambiguous: bool,
}

impl Separator {
    fn clear(is_decimal: bool) -> Self {
        Self { is_decimal, is_ambiguous: false }
    }
}

/// Selects an amount by `choice`. Amounts with a currency take precedence over amounts without a currency,
/// total prices over prices per unit, and current prices over previous prices.
pub(in super::super) fn chosen(amounts: &[Amount], choice: NumberChoice) -> Option<Amount> {
    let has_currency = |amount: &Amount| amount.currency.is_some();
    let is_priced = amounts.iter().any(has_currency);
    let is_current =
        amounts.iter().any(|amount| !amount.is_list_price && (has_currency(amount) || !is_priced));
    let skips = choice == NumberChoice::First && is_current;
    let is_left_out = |amount: &Amount| skips && amount.is_list_price;
    let is_whole =
        amounts.iter().any(|amount| has_currency(amount) && !amount.is_per_unit && !is_left_out(amount));
    let mut candidates = amounts
        .iter()
        .copied()
        .filter(|amount| (has_currency(amount) || !is_priced) && !(is_whole && amount.is_per_unit))
        .filter(|amount| !is_left_out(amount));
    match choice {
        NumberChoice::First => candidates.next(),
        NumberChoice::Last => candidates.next_back(),
        NumberChoice::Least => candidates.min_by_key(|amount| amount.number),
        NumberChoice::Greatest => candidates.max_by_key(|amount| amount.number),
    }
}

/// Reads a text that contains exactly one number. `None` if it contains no number or several numbers.
pub(in super::super) fn only(text: &str, number_format: NumberFormat) -> Option<Number> {
    match amounts(text, number_format).as_slice() {
        [only] => Some(only.number),
        _ => None,
    }
}

/// Amounts in a text, in order.
pub(in super::super) fn amounts(text: &str, number_format: NumberFormat) -> Vec<Amount> {
    let text = notation::plain(text);
    let mut numbers = scan(&text, number_format.last);
    share_currencies(&text, &mut numbers);
    let is_money = number_format.is_money || is_money(&text);
    let read = |number: &RawNumber<'_>| {
        let is_money = is_money || number.currency.is_some();
        number.read(NumberFormat { is_money, ..number_format })
    };
    numbers.iter().filter_map(read).collect()
}

/// Finds runs of digits that may be numbers. `last` is the last number of the same field.
fn scan(text: &str, last: Option<Number>) -> Vec<RawNumber<'_>> {
    let mut numbers: Vec<RawNumber<'_>> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + offset;
        let before = numbers.last().map_or(0, |number| number.range.end);
        let (mut end, mut groups) = groups(text, start);
        let first = &text[start..start + digits(&text[start..])];
        if context::is_model(&text[before..start], first, &groups, last) {
            // `iPhone 15 899 €`: the first group belongs to a product name.
            groups.clear();
            end = start + first.len();
        }
        // Letters directly after the number may be a unit. If these letters are mixed with digits, the number
        // is part of a name.
        let tail = text[end..].find(|c: char| !c.is_alphanumeric()).map_or(text.len(), |stop| end + stop);
        let is_name =
            text[end..tail].chars().any(char::is_numeric) && context::currency_after(&text[end..]).is_none();
        let head = context::word_before(text, start);
        // Text in a script without spaces, such as `税込12,800円`.
        let is_separate = head.chars().next_back().is_none_or(is_dense);
        let is_price = currency(head).is_some() || PREFIXES.contains(&head) && !groups.is_empty();
        if !is_name && (is_separate || is_price) && numbers.len() < MAX_AMOUNTS {
            let left = &text[before..start];
            let has_sign = context::currency_before(left.trim_end()).is_some();
            let (power, length) = context::power(&text[end..], has_sign);
            let range = start..end + length;
            let (currency, unit) = context::of_number(left, &text[range.end..]);
            let is_negative = context::is_negative(&text[..start], &text[range.end..]);
            let is_round = ROUND.iter().any(|dash| text[range.end..].starts_with(dash));
            let is_list_price = context::is_list_price(left);
            numbers.push(RawNumber {
                range,
                first,
                groups,
                power,
                is_negative,
                is_round,
                currency,
                unit,
                is_list_price,
            });
        }
        at = tail.max(end);
    }
    numbers
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// End of the number that begins at `start`, and the groups of digits after its first group.
fn groups(text: &str, start: usize) -> (usize, Vec<(char, &str)>) {
    let first = digits(&text[start..]);
    let mut end = start + first;
    let mut groups = Vec::new();
    let mut is_whole = true;
    while let Some(separator) = text[end..].chars().next() {
        let from = end + separator.len_utf8();
        let length = digits(&text[from..]);
        let is_part = match separator {
            '.' | ',' => length > 0,
            // Spaces and apostrophes separate only thousands.
            ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’' => {
                let next = &text[from + length..];
                let is_name = next.starts_with(|c: char| c.is_ascii_alphabetic())
                    && context::currency_after(next).is_none();
                length == 3 && first <= 3 && is_whole && !is_name
            }
            _ => false,
        };
        if !is_part {
            break;
        }
        is_whole &= !matches!(separator, '.' | ',');
        groups.push((separator, &text[from..from + length]));
        end = from + length;
    }
    (end, groups)
}

/// Sets the currency of both bounds of a range, such as `89 to 129 €`.
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
    /// Value of the number. `None` if it is a date, a version or an IP address.
    fn read(&self, number_format: NumberFormat) -> Option<Amount> {
        let last = self.groups.last().filter(|(separator, _)| matches!(separator, '.' | ','));
        let separator = match last {
            None => Separator::clear(false),
            Some(&(separator, digits)) => self.separator(separator, digits, number_format)?,
        };
        let decimal = last.copied().filter(|_| separator.is_decimal);
        let whole = &self.groups[..self.groups.len() - usize::from(decimal.is_some())];
        let is_grouped = self.is_grouped(whole)
            && whole.iter().all(|(separator, _)| decimal.is_none_or(|(decimal, _)| decimal != *separator));
        if !is_grouped || self.first.len() > MAX_DIGITS {
            return None;
        }
        let digits: String =
            std::iter::once(self.first).chain(whole.iter().map(|(_, digits)| *digits)).collect();
        Some(Amount {
            number: self.number(&digits, decimal.map_or("", |(_, digits)| digits))?,
            currency: self.currency,
            decimal_separator: self.implied_separator(decimal, whole),
            is_ambiguous: separator.is_ambiguous,
            is_per_unit: self.unit != PriceUnit::None,
            is_list_price: self.is_list_price,
        })
    }

    /// Number with these digits before and after the decimal separator, multiplied by the power of ten.
    fn number(&self, whole: &str, part: &str) -> Option<Number> {
        let Ok(power) = usize::try_from(self.power) else {
            let digits = format!("{whole:0>3}");
            let (whole, cents) = digits.split_at(digits.len() - 2);
            return Number::from_parts(whole, &format!("{cents}{part}"), self.is_negative);
        };
        let moved = part.len().min(power);
        let zeros = "0".repeat(power - moved);
        Number::from_parts(&format!("{whole}{}{zeros}", &part[..moved]), &part[moved..], self.is_negative)
    }

    /// True if the groups are thousands, or lakhs and crores: `1,23,456`.
    fn is_grouped(&self, whole: &[(char, &str)]) -> bool {
        let Some(((_, last), middle)) = whole.split_last() else { return true };
        let are = |length: usize| middle.iter().all(|(_, digits)| digits.len() == length);
        let is_indian =
            are(2) && self.first.len() <= 2 && whole.iter().all(|(separator, _)| *separator == ',');
        last.len() == 3 && self.first.len() <= 3 && (are(3) || is_indian)
    }

    /// Role of the last separator. `None` if the text is not a number.
    fn separator(&self, separator: char, digits: &str, number_format: NumberFormat) -> Option<Separator> {
        let count = self.groups.iter().filter(|(other, _)| *other == separator).count();
        if count > 1 {
            // `1.234.567` has thousands separators, `12.05.2026` is not a number.
            return (digits.len() == 3).then_some(Separator::clear(false));
        }
        if self.is_round && digits.len() == 3 {
            return Some(Separator::clear(false));
        }
        let is_clear =
            digits.len() != 3 || self.groups.len() > 1 || self.first.len() > 3 || self.first == "0";
        if is_clear || self.power > 0 {
            return Some(Separator::clear(true));
        }
        let separator = DecimalSeparator::of(separator);
        if let Some(observed) = number_format.observed {
            return Some(Separator::clear(observed == separator));
        }
        let by_currency = self.currency.and_then(decimals).map(|count| count == 3);
        let by_unit = (self.unit == PriceUnit::Metered).then_some(true);
        let by_last = number_format.last.and_then(|last| self.nearest(digits, last));
        if let Some(is_decimal) = by_currency.or(by_unit).or(by_last) {
            return Some(Separator::clear(is_decimal));
        }
        let by_limit = number_format.limit.and_then(|limit| self.nearest(digits, limit));
        let by_language = number_format.usual_separator.map(|usual| usual == separator);
        let by_kind = number_format.is_money.then_some(false);
        let is_decimal = if number_format.is_money {
            by_limit.unwrap_or(false)
        } else {
            by_language.or(by_limit).unwrap_or(true)
        };
        let hints: Vec<bool> = [by_kind, by_limit, by_language].into_iter().flatten().collect();
        let is_ambiguous = hints.len() < 2 || hints.contains(&!is_decimal);
        Some(Separator { is_decimal, is_ambiguous })
    }

    /// True if only the interpretation with decimals is near `other`, false if only the interpretation with
    /// thousands is near it. Otherwise `None`.
    fn nearest(&self, digits: &str, other: Number) -> Option<bool> {
        let decimal = Number::from_parts(self.first, digits, false)?;
        let grouped = Number::from_parts(&format!("{}{digits}", self.first), "", false)?;
        match (decimal.is_near(other, MAX_FACTOR), grouped.is_near(other, MAX_FACTOR)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// Decimal separator that this notation implies. `None` for three digits after a single separator, which
    /// are ambiguous.
    fn implied_separator(
        &self,
        decimal: Option<(char, &str)>,
        whole: &[(char, &str)],
    ) -> Option<DecimalSeparator> {
        match decimal {
            Some((separator, digits)) => {
                let is_doubtful = digits.len() == 3 && whole.is_empty() && self.first != "0";
                (!is_doubtful).then_some(DecimalSeparator::of(separator))
            }
            None if whole.len() > 1 => {
                let grouping = whole
                    .iter()
                    .map(|(separator, _)| *separator)
                    .find(|separator| matches!(separator, '.' | ','));
                grouping.map(|separator| DecimalSeparator::of(separator).other())
            }
            None => None,
        }
    }
}

//! Numbers as people write them, exact to the last digit: values with thousands and decimal signs of either custom.

use std::ops::Range;

use super::tokens::{Class, Token, split};

/// Digits after the decimal sign that are kept.
const MAX_SCALE: u32 = 9;
/// Longer runs of digits are names, not amounts.
const MAX_DIGITS: usize = 18;

/// Signs and words that make a number an amount of money.
const MONEY: &str = "\
    $ € £ ¥ ₹ ₽ ₩ ₺ ₴ ₪ ฿ ₫ eur euro euros usd gbp jpy chf cny inr sek nok dkk pln czk huf cad aud nzd \
    brl mxn krw rub zł kč kr fr dollars dollar pounds yen 元 円 price preis prix precio prezzo prijs preço \
    cena";

/// Units that are told with their number when they stand right behind it.
const UNITS: [&str; 18] =
    ["%", "‰", "°", "°C", "km", "m", "cm", "mm", "kg", "g", "l", "ml", "h", "min", "s", "KB", "MB", "GB"];

/// A decimal number: `digits` divided by ten to the power of `scale`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    digits: i128,
    scale: u32,
}

impl Number {
    /// Reads one number; nothing else may stand in the text but signs and spaces round it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut found = all(text);
        (found.len() == 1).then(|| found.remove(0))
    }

    /// Reads a threshold, where a point is always the decimal sign.
    pub(super) fn plain(text: &str) -> Option<Self> {
        let text = text.trim();
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let valid = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || whole.len() + part.len() > MAX_DIGITS || !valid(whole) || !valid(part) {
            return None;
        }
        Self::from_parts(whole, part, negative)
    }

    fn from_parts(whole: &str, part: &str, negative: bool) -> Option<Self> {
        let scale = u32::try_from(part.len()).ok().filter(|&scale| scale <= MAX_SCALE)?;
        let digits: i128 = format!("{whole}{part}").parse().ok()?;
        Some(Self { digits: if negative { -digits } else { digits }, scale })
    }

    fn scaled(self, scale: u32) -> i128 {
        self.digits * 10_i128.pow(scale - self.scale)
    }

    /// `after` minus `before`, with its sign; nothing when they are equal.
    pub(super) fn difference(before: Self, after: Self) -> Option<String> {
        let scale = before.scale.max(after.scale);
        let difference = after.scaled(scale) - before.scaled(scale);
        if difference == 0 {
            return None;
        }
        let sign = if difference < 0 { '−' } else { '+' };
        let width = usize::try_from(scale).unwrap_or(0);
        let digits = format!("{:0>width$}", difference.unsigned_abs(), width = width + 1);
        let (whole, part) = digits.split_at(digits.len() - width);
        let part = part.trim_end_matches('0');
        Some(if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let scale = self.scale.max(other.scale);
        self.scaled(scale).cmp(&other.scaled(scale))
    }
}

/// The numbers of a text, in order.
pub(super) fn all(text: &str) -> Vec<Number> {
    let tokens = split(text);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.class != Class::Number {
            continue;
        }
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        // A minus counts when it touches the number and no word stands before it.
        let negative = before.is_some_and(|sign| {
            matches!(&text[sign.range.clone()], "-" | "−")
                && sign.range.end == token.range.start
                && !text[..sign.range.start].ends_with(char::is_alphanumeric)
        });
        found.extend(read(&text[token.range.clone()], negative));
    }
    found
}

/// `1,234.50`, `1.234,50`, `1234,5`, `12`: the last sign is the decimal one unless three digits follow it.
fn read(text: &str, negative: bool) -> Option<Number> {
    let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(text.len());
    let (text, unit) = text.split_at(digits_end);
    if unit.chars().any(char::is_numeric) {
        // `01T23`, `4f3a`: a name.
        return None;
    }
    if text.is_empty() || text.len() > MAX_DIGITS + 6 {
        return None;
    }
    let last = text.rfind(['.', ',']);
    let Some(last) = last else { return Number::from_parts(text, "", negative) };
    let sign = text[last..].chars().next()?;
    let repeated = text.matches(sign).count() > 1;
    let mixed = text.contains(['.', ',']) && text[..last].contains(if sign == '.' { ',' } else { '.' });
    let after = &text[last + 1..];
    let thousands = after.len() == 3 && !mixed && (repeated || sign == ',');
    let plain = |text: &str| text.replace(['.', ','], "");
    if thousands || repeated {
        return Number::from_parts(&plain(text), "", negative);
    }
    let after = &after[..after.len().min(usize::try_from(MAX_SCALE).unwrap_or(0))];
    Number::from_parts(&plain(&text[..last]), after, negative)
}

/// Whether a text names an amount of money.
pub(super) fn is_money(text: &str) -> bool {
    let says = |token: &Token| token.class != Class::Number && is_money_sign(&text[token.range.clone()]);
    text.bytes().any(|byte| byte.is_ascii_digit()) && split(text).iter().any(says)
}

/// A stretch that is a number, with the sign or word of money or the unit that stands beside it.
pub(super) fn with_unit(text: &str, number: Range<usize>) -> Range<usize> {
    let tokens = split(text);
    let word = |token: &Token| &text[token.range.clone()];
    let beside = |one: usize, other: usize| text.get(one..other).is_some_and(|gap| matches!(gap, "" | " "));
    let next = tokens.iter().find(|token| token.range.start >= number.end);
    if let Some(next) = next
        && beside(number.end, next.range.start)
        && (is_money_sign(word(next)) || UNITS.contains(&word(next)))
    {
        return number.start..next.range.end;
    }
    let last = tokens.iter().rev().find(|token| token.range.end <= number.start);
    match last {
        Some(last)
            if beside(last.range.end, number.start) && is_money_sign(word(last)) && !is_name(word(last)) =>
        {
            last.range.start..number.end
        }
        _ => number,
    }
}

/// Words of money that name what a number is, and do not count it.
fn is_name(word: &str) -> bool {
    word.chars().count() > 3 && !word.eq_ignore_ascii_case("euro") && !word.eq_ignore_ascii_case("euros")
}

/// Whether a word or sign makes a number an amount of money.
pub(super) fn is_money_sign(word: &str) -> bool {
    word.len() <= 8
        && MONEY.split(' ').any(|known| known.eq_ignore_ascii_case(word) || known == word.to_lowercase())
}

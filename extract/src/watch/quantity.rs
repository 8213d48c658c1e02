//! Quantities: numbers that can rise or fall. Quantities are amounts of money, numbers with a unit, numbers
//! with the label of a price, and numeric fields. Versions, dates, telephone numbers, numbers of rooms and
//! years are not quantities.

use std::ops::Range;

use super::{
    numbers::{self, Amount, Number, NumberFormat},
    operation::Operation,
};
use crate::{
    currencies,
    lexer::{Token, TokenClass, split},
    metadata::is_month,
};

/// Maximum number of characters before a number that may be its label.
const MAX_LABEL_CHARS: usize = 40;
/// Maximum number of tokens on each side of a number that belong to its value.
const MAX_VALUE_TOKENS: usize = 8;
/// Parts of field names that indicate that the number is not a quantity.
const CODES: &[&str] = &[
    "version", "release", "revision", "phone", "telefon", "telef", "hotline", "datum", "fecha", "year",
    "jahr", "room", "zimmer", "raum", "isbn", "serial", "serie", "postcode", "postal", "track", "gleis",
    "platform", "number", "nummer", "numero", "numéro", "iban", "account", "konto",
];
/// Words of field names that indicate that the number is not a quantity.
const CODE_WORDS: &[&str] = &[
    "id", "no", "nr", "num", "tel", "fax", "zip", "plz", "sku", "ean", "gtin", "build", "date", "day", "tag",
    "code", "gate", "mobile", "season", "chapter", "episode", "edition", "status",
];

/// Difference of two numbers, with its sign. `None` unless a single quantity is the only difference. `column`
/// is the heading of the column in the changed table row.
pub(super) fn difference(
    operation: &Operation,
    (before, after): (&str, &str),
    column: Option<&str>,
) -> Option<String> {
    let [span] = operation.spans.as_slice() else { return None };
    let (old, new) = (WrittenNumber::at(before, span.before)?, WrittenNumber::at(after, span.after)?);
    let is_code = old.has_leading_zero() || new.has_leading_zero() || old.is_year() && new.is_year();
    let field = operation.field.as_deref();
    let is_price = column.is_some_and(names_price)
        || field.is_some_and(names_price)
        || names_price(label(&before[..old.start]));
    let is_field =
        field.is_some_and(|name| !names_code(name)) && old.is_all_of(before) && new.is_all_of(after);
    let has_unit = old.has_unit || new.has_unit;
    if !has_unit && (is_code || !is_price && !is_field) {
        return None;
    }
    let (old, new) = (old.amount(is_price)?, new.amount(is_price)?);
    if old.currency != new.currency {
        return None;
    }
    Number::difference(old.number, new.number)
}

/// Extends a range of differing text to the range that is quoted: a quantity with its unit, or the whole
/// date, version or telephone number that contains a changed number.
pub(super) fn quoted(operation: &Operation, text: &str, range: Range<usize>) -> Range<usize> {
    if operation.difference.is_some() {
        return currencies::with_unit(text, grouped(text, range));
    }
    let written = &text[range.clone()];
    let has_word = split(written).iter().any(|token| token.class == TokenClass::Word);
    if has_word || !written.bytes().any(|byte| byte.is_ascii_digit()) {
        return range;
    }
    whole_value(text, range)
}

/// Number as it is written in a text.
struct WrittenNumber<'t> {
    /// Number with its unit.
    text: &'t str,
    start: usize,
    has_unit: bool,
}

impl<'t> WrittenNumber<'t> {
    /// Finds the number at a span. `None` if the span contains words. A minus sign or currency symbol may
    /// belong to the number.
    fn at(text: &'t str, span: (u32, u32)) -> Option<Self> {
        let range = usize::try_from(span.0).ok()?..usize::try_from(span.1).ok()?;
        let written = text.get(range.clone())?;
        let is_word = |token: &Token| token.class == TokenClass::Word;
        if !written.bytes().any(|byte| byte.is_ascii_digit()) || split(written).iter().any(is_word) {
            return None;
        }
        let number = grouped(text, range);
        let whole = currencies::with_unit(text, number.clone());
        let has_unit = whole != number || currencies::is_money(written) || written.contains(['%', '‰', '°']);
        Some(Self { start: whole.start, text: &text[whole], has_unit })
    }

    fn has_leading_zero(&self) -> bool {
        self.text.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    }

    fn is_year(&self) -> bool {
        self.text.len() == 4 && self.text.parse::<u16>().is_ok_and(|year| (1900..=2100).contains(&year))
    }

    fn is_all_of(&self, text: &str) -> bool {
        self.text.trim() == text.trim()
    }

    /// Amount of the number. `None` if the text contains no amount or several amounts.
    fn amount(&self, is_money: bool) -> Option<Amount> {
        let number_format = NumberFormat { is_money, ..NumberFormat::default() };
        match numbers::amounts(self.text, number_format).as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }
}

/// Words before a number that may be its label. Empty if there are no words.
pub(super) fn label(before: &str) -> &str {
    let before = before.trim().trim_end_matches([':', '=', '-', '–', '$', '€', '£', '¥', ' ', '|', '·']);
    let label = before.rsplit(['|', '·', '›']).next().unwrap_or("").trim();
    let is_label = label.chars().any(char::is_alphabetic) && label.chars().count() <= MAX_LABEL_CHARS;
    if is_label { label } else { "" }
}

/// True if the name indicates that the number is a price.
fn names_price(name: &str) -> bool {
    let has_digit = name.bytes().any(|byte| byte.is_ascii_digit());
    let is_price = |token: &Token| currencies::is_money_symbol(&name[token.range.clone()]);
    !has_digit && name.chars().count() <= MAX_LABEL_CHARS && split(name).iter().any(is_price)
}

/// True if the name of a field indicates that its number is a code or a date.
fn names_code(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    CODES.iter().any(|part| name.contains(part)) || words.any(|word| CODE_WORDS.contains(&word))
}

/// Extends the range of a number to all of its digits, if they are grouped by spaces or apostrophes:
/// `14 990`.
fn grouped(text: &str, range: Range<usize>) -> Range<usize> {
    let is_separator = |c: char| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’');
    let is_digit = |c: char| c.is_ascii_digit();
    let leading = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let trailing = |text: &str| text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let Range { mut start, mut end } = range;
    let has_decimals = text[start..end].contains([',', '.']);
    while !has_decimals
        && trailing(&text[start..end]) <= 3
        && let Some(rest) = text[end..].strip_prefix(is_separator)
        && leading(rest) == 3
        && !rest[3..].starts_with(char::is_alphanumeric)
    {
        end = text.len() - rest.len() + 3;
    }
    while leading(&text[start..end]) == 3
        && let Some(rest) = text[..start].strip_suffix(is_separator)
        && (1..=3).contains(&trailing(rest))
        && !rest.trim_end_matches(is_digit).ends_with(char::is_alphanumeric)
    {
        start = rest.len() - trailing(rest);
    }
    start..end
}

/// Extends the range of a number to the whole value: to the day, month and year of a date, or to all groups
/// of a telephone or account number.
fn whole_value(text: &str, range: Range<usize>) -> Range<usize> {
    let tokens = split(text);
    let word = |token: &Token| &text[token.range.clone()];
    let gap = |one: &Token, other: &Token| text.get(one.range.end..other.range.start).unwrap_or("  ");
    let is_part = |token: &Token| match token.class {
        TokenClass::Number => true,
        TokenClass::Word => is_month(word(token)) || word(token).bytes().any(|byte| byte.is_ascii_digit()),
        TokenClass::Symbol => false,
    };
    // Two parts are joined if nothing, a space, or a symbol directly after the first part is between them.
    let is_joined = |one: &Token, between: Option<&Token>, other: &Token| match between {
        None => gap(one, other).len() <= 1,
        Some(symbol) => {
            let is_open = word(symbol) == "." && is_month(word(other))
                || word(symbol) == "," && other.range.len() == 4 && is_digits(word(other));
            let is_close = matches!(word(symbol), "." | "-" | "/" | ":") && gap(symbol, other).is_empty();
            gap(one, symbol).is_empty() && gap(symbol, other).len() <= 1 && (is_open || is_close)
        }
    };
    let Some(first) = tokens.iter().position(|token| token.range.end > range.start) else { return range };
    let Some(last) = tokens.iter().rposition(|token| token.range.start < range.end) else { return range };
    let next = |at: usize| {
        let candidates = [(None, at + 1), (Some(at + 1), at + 2)];
        candidates.into_iter().find_map(|(symbol, other)| {
            let between = symbol.and_then(|symbol| tokens.get(symbol));
            let fits =
                tokens.get(other).is_some_and(|part| is_part(part) && is_joined(&tokens[at], between, part));
            fits.then_some(other)
        })
    };
    let (mut start, mut end) = (first.min(last), last);
    for _ in 0..MAX_VALUE_TOKENS {
        let before = (1..=2)
            .filter_map(|back| start.checked_sub(back))
            .find(|&at| is_part(&tokens[at]) && next(at) == Some(start));
        start = before.unwrap_or(start);
        end = next(end).unwrap_or(end);
    }
    tokens[start].range.start.min(range.start)..tokens[end].range.end.max(range.end)
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(text: &str, number: &str) -> String {
        use super::super::operation::{Kind, Op};
        let operation = Operation::new(Op::Changed, Kind::Paragraph, 1);
        let start = text.find(number).unwrap();
        text[quoted(&operation, text, start..start + number.len())].to_owned()
    }

    #[test]
    fn number_in_a_date_is_quoted_with_the_whole_value() {
        for (text, number, value) in [
            ("Deadline 12 March 2026 at noon", "12", "12 March 2026"),
            ("bis zum 12. März 2026", "12", "12. März 2026"),
            ("due March 12, 2026 or before", "12", "March 12, 2026"),
            ("due March 12, 2026 or before", "2026", "March 12, 2026"),
            ("Hotline 030 1234 for all", "1234", "030 1234"),
            ("Account DE12 5001 0517 0648 4898 90", "90", "DE12 5001 0517 0648 4898 90"),
            ("Room 112", "112", "112"),
            ("Version 1.10 is new", "1.10", "1.10"),
            ("from 5 to 7 people", "5", "5"),
            ("It costs 5. 12 others do not.", "5", "5"),
        ] {
            assert_eq!(quote(text, number), value, "{text}");
        }
    }

    #[test]
    fn grouped_number_is_compared_as_a_whole() {
        let all = |text: &str, number: &str| {
            let start = text.find(number).unwrap();
            text[grouped(text, start..start + number.len())].to_owned()
        };
        assert_eq!(all("only 14 990 Ft", "14"), "14 990");
        assert_eq!(all("only 14 990 Ft", "990"), "14 990");
        assert_eq!(all("1’299’000 CHF", "299"), "1’299’000");
        assert_eq!(all("Room 14 of 990", "14"), "14");
        assert_eq!(all("A14 990", "990"), "990");
        let many = format!("1{}", " 234".repeat(200_000));
        assert_eq!(grouped(&many, 0..1), 0..many.len());
    }
}

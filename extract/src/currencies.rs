//! Signs and words of money, and their currencies.

use std::ops::Range;

use crate::lexer::{Class, Token, split};

/// Currencies with their signs and words. A sign shared by several currencies stands for all of them.
const CURRENCIES: &[(&str, &[&str])] = &[
    ("EUR", &["€", "eur", "euro", "euros"]),
    ("USD", &["$", "usd", "dollar", "dollars"]),
    ("GBP", &["£", "gbp", "pounds"]),
    ("JPY", &["¥", "jpy", "yen", "円"]),
    ("CNY", &["cny", "rmb", "元"]),
    ("CHF", &["chf", "fr", "sfr"]),
    ("INR", &["₹", "inr"]),
    ("RUB", &["₽", "rub", "руб"]),
    ("KRW", &["₩", "krw"]),
    ("TRY", &["₺"]),
    ("UAH", &["₴", "uah"]),
    ("ILS", &["₪", "ils"]),
    ("THB", &["฿", "thb"]),
    ("VND", &["₫", "vnd"]),
    ("KR", &["kr", "sek", "nok", "dkk"]),
    ("PLN", &["pln", "zł"]),
    ("CZK", &["czk", "kč"]),
    ("HUF", &["huf"]),
    ("CAD", &["cad"]),
    ("AUD", &["aud"]),
    ("NZD", &["nzd"]),
    ("BRL", &["brl"]),
    ("MXN", &["mxn"]),
];

/// Words that mark a number as a price in any currency.
const PRICES: &[&str] = &["price", "preis", "prix", "precio", "prezzo", "prijs", "preço", "cena"];

/// Units that are quoted with the number before them.
const UNITS: [&str; 18] =
    ["%", "‰", "°", "°C", "km", "m", "cm", "mm", "kg", "g", "l", "ml", "h", "min", "s", "KB", "MB", "GB"];

/// Longest of these words, in bytes.
const LONGEST: usize = 8;

/// Currency of a sign or word.
pub(crate) fn currency(word: &str) -> Option<&'static str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    CURRENCIES.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(code, _)| *code)
}

/// True if the text contains an amount of money.
pub(crate) fn is_money(text: &str) -> bool {
    let says = |token: &Token| token.class != Class::Number && is_money_sign(&text[token.range.clone()]);
    text.bytes().any(|byte| byte.is_ascii_digit()) && split(text).iter().any(says)
}

/// True if the word or sign marks a number as an amount of money.
pub(crate) fn is_money_sign(word: &str) -> bool {
    currency(word).is_some() || word.len() <= LONGEST && PRICES.contains(&word.to_lowercase().as_str())
}

/// Extends the range of a number to the currency or unit next to it.
pub(crate) fn with_unit(text: &str, number: Range<usize>) -> Range<usize> {
    let tokens = split(text);
    let word = |token: &Token| &text[token.range.clone()];
    let is_adjacent =
        |one: usize, other: usize| text.get(one..other).is_some_and(|gap| matches!(gap, "" | " "));
    let next = tokens.iter().find(|token| token.range.start >= number.end);
    if let Some(next) = next
        && is_adjacent(number.end, next.range.start)
        && (is_money_sign(word(next)) || UNITS.contains(&word(next)))
    {
        return number.start..next.range.end;
    }
    let last = tokens.iter().rev().find(|token| token.range.end <= number.start);
    match last {
        Some(last)
            if is_adjacent(last.range.end, number.start)
                && is_money_sign(word(last))
                && !is_label(word(last)) =>
        {
            last.range.start..number.end
        }
        _ => number,
    }
}

/// True for words of money that label a number, as opposed to units.
fn is_label(word: &str) -> bool {
    word.chars().count() > 3 && !word.eq_ignore_ascii_case("euro") && !word.eq_ignore_ascii_case("euros")
}

//! Symbols and words for money, and their currencies.

use std::ops::Range;

use crate::lexer::{Token, TokenClass, split};

/// Currency codes with their symbols and words. If several currencies share a symbol, a single code
/// represents them.
const CURRENCIES: &[(&str, &[&str])] = &[
    ("EUR", &["€", "eur", "euro", "euros", "ευρώ", "евро"]),
    ("USD", &["$", "us$", "usd", "dollar", "dollars"]),
    ("GBP", &["£", "gbp", "pounds"]),
    ("JPY", &["¥", "jpy", "yen", "円"]),
    ("CNY", &["cny", "rmb", "元", "cn¥"]),
    ("CHF", &["chf", "fr", "sfr"]),
    ("INR", &["₹", "inr"]),
    ("RUB", &["₽", "rub", "руб"]),
    ("KRW", &["₩", "krw", "원"]),
    ("TRY", &["₺"]),
    ("UAH", &["₴", "uah", "грн"]),
    ("ILS", &["₪", "ils"]),
    ("THB", &["฿", "thb", "บาท"]),
    ("VND", &["₫", "vnd", "vnđ"]),
    ("KR", &["kr", "sek", "nok", "dkk"]),
    ("ISK", &["isk"]),
    ("PLN", &["pln", "zł"]),
    ("CZK", &["czk", "kč"]),
    ("HUF", &["huf", "forint"]),
    ("BGN", &["bgn", "лв"]),
    ("RSD", &["rsd", "дин"]),
    ("CAD", &["c$", "ca$", "cad"]),
    ("AUD", &["a$", "au$", "aud"]),
    ("NZD", &["nz$", "nzd"]),
    ("SGD", &["s$", "sg$", "sgd"]),
    ("HKD", &["hk$", "hkd"]),
    ("TWD", &["nt$", "twd"]),
    ("BRL", &["r$", "brl"]),
    ("MXN", &["mx$", "mex$", "mxn"]),
    ("ARS", &["ar$", "ars"]),
    ("CLP", &["clp"]),
    ("PEN", &["s/"]),
    ("PYG", &["₲", "pyg"]),
    ("CRC", &["₡", "crc"]),
    ("IDR", &["idr", "rupiah"]),
    ("MYR", &["myr"]),
    ("PHP", &["₱"]),
    ("PKR", &["pkr"]),
    ("BDT", &["৳", "bdt"]),
    ("LKR", &["lkr"]),
    ("AED", &["aed", "د.إ"]),
    ("SAR", &["ر.س", "﷼"]),
    ("QAR", &["qar", "ر.ق"]),
    ("KWD", &["kwd", "د.ك"]),
    ("BHD", &["bhd", "د.ب"]),
    ("OMR", &["omr", "ر.ع"]),
    ("JOD", &["jod", "د.أ"]),
    ("TND", &["tnd", "د.ت"]),
    ("EGP", &["egp", "e£", "ج.م"]),
    ("IRR", &["irr", "ریال"]),
    ("IRT", &["تومان"]),
    ("NGN", &["₦", "ngn"]),
    ("KES", &["kes", "ksh"]),
    ("GHS", &["₵", "ghs"]),
    ("ZAR", &["zar"]),
    ("XOF", &["xof", "fcfa"]),
    ("XAF", &["xaf"]),
    ("DZD", &["dzd"]),
    ("UGX", &["ugx", "ush"]),
    ("TZS", &["tzs", "tsh"]),
    ("RWF", &["rwf"]),
    ("ETB", &["etb", "birr"]),
    ("ZMW", &["zmw"]),
    ("NPR", &["npr"]),
    ("MMK", &["mmk", "kyat", "kyats"]),
    ("MOP", &["mop$"]),
    ("IQD", &["iqd"]),
    ("LBP", &["lbp"]),
    ("UZS", &["uzs", "сум"]),
    ("MKD", &["mkd"]),
    ("MDL", &["mdl"]),
    ("DOP", &["rd$"]),
    ("JMD", &["j$", "jmd"]),
    ("TTD", &["tt$", "ttd"]),
    ("UYU", &["uyu"]),
    ("GTQ", &["gtq"]),
    ("KZT", &["₸", "kzt"]),
    ("GEL", &["₾"]),
    ("AMD", &["֏", "amd"]),
    ("AZN", &["₼", "azn"]),
    ("BYN", &["byn"]),
    ("MNT", &["₮"]),
    ("KHR", &["៛"]),
    ("LAK", &["₭"]),
];

/// Abbreviations that denote a currency only next to a number and in this spelling, because they are also
/// words: `ft` is feet, and `try` is a verb.
const ADJACENT: &[(&str, &[&str])] = &[
    ("HUF", &["Ft"]),
    ("TRY", &["TRY", "TL", "tl", "Tl"]),
    ("IDR", &["Rp", "RP", "rp"]),
    // Rupees of several countries.
    ("RS", &["Rs", "RS", "rs", "₨"]),
    ("RON", &["RON", "lei", "Lei", "LEI", "leu"]),
    ("MYR", &["RM"]),
    ("BDT", &["Tk", "tk"]),
    ("SAR", &["SAR", "SR"]),
    ("KWD", &["KD"]),
    ("AED", &["Dh", "Dhs", "DH", "DHS", "dhs", "dh"]),
    ("EGP", &["L.E"]),
    ("ILS", &["NIS"]),
    ("COP", &["COP"]),
    ("PEN", &["PEN"]),
    ("PHP", &["PHP"]),
    ("MAD", &["MAD"]),
    ("GEL", &["GEL"]),
    ("XOF", &["CFA"]),
    ("RUB", &["р", "Р"]),
    ("KZT", &["тг", "тнг"]),
    ("VND", &["đ", "Đ"]),
    ("BRL", &["reais"]),
    ("RSD", &["din", "Din"]),
    ("MKD", &["ден"]),
    ("ALL", &["lek", "Lek", "lekë", "Lekë"]),
];

/// Currencies whose prices have no decimals.
const WHOLE: [&str; 17] = [
    "JPY", "KRW", "VND", "HUF", "IDR", "CLP", "ISK", "PYG", "IRR", "IRT", "UGX", "TZS", "RWF", "XAF", "XOF",
    "IQD", "UZS",
];

/// Currencies whose prices have three decimals.
const THREE_DECIMALS: [&str; 5] = ["KWD", "BHD", "OMR", "JOD", "TND"];

/// Words that indicate that a number is a price, without the name of a currency.
const PRICES: &[&str] = &["price", "preis", "prix", "precio", "prezzo", "prijs", "preço", "cena"];

/// Units that are included when the preceding number is quoted.
const UNITS: [&str; 18] =
    ["%", "‰", "°", "°C", "km", "m", "cm", "mm", "kg", "g", "l", "ml", "h", "min", "s", "KB", "MB", "GB"];

/// Length in bytes of the longest word in these lists.
const LONGEST: usize = 12;

/// Currency for a symbol or word next to a number.
pub(crate) fn currency(word: &str) -> Option<&'static str> {
    let adjacent = || ADJACENT.iter().find(|(_, words)| words.contains(&word)).map(|(code, _)| *code);
    unmistakable(word).or_else(adjacent)
}

/// Currency for a symbol or word that denotes a currency at any position.
fn unmistakable(word: &str) -> Option<&'static str> {
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    CURRENCIES.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(code, _)| *code)
}

/// Number of decimals of a currency. `None` if it is 2.
pub(crate) fn decimals(code: &str) -> Option<usize> {
    if WHOLE.contains(&code) { Some(0) } else { THREE_DECIMALS.contains(&code).then_some(3) }
}

/// True if the text contains an amount of money.
pub(crate) fn is_money(text: &str) -> bool {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let tokens = split(text);
    let is_number = |at: usize| tokens.get(at).is_some_and(|token| token.class == TokenClass::Number);
    let says = |(at, token): (usize, &Token)| {
        let word = &text[token.range.clone()];
        let has_number = is_number(at + 1) || at > 0 && is_number(at - 1);
        token.class != TokenClass::Number && (is_money_symbol(word) || has_number && currency(word).is_some())
    };
    tokens.iter().enumerate().any(says)
}

/// True if the symbol or word indicates that a number is an amount of money.
pub(crate) fn is_money_symbol(word: &str) -> bool {
    unmistakable(word).is_some() || word.len() <= LONGEST && PRICES.contains(&word.to_lowercase().as_str())
}

/// Extends the range of a number to the adjacent currency or unit.
pub(crate) fn with_unit(text: &str, number: Range<usize>) -> Range<usize> {
    let tokens = split(text);
    let word = |token: &Token| &text[token.range.clone()];
    let is_adjacent =
        |one: usize, other: usize| text.get(one..other).is_some_and(|gap| matches!(gap, "" | " "));
    let next = tokens.iter().find(|token| token.range.start >= number.end);
    if let Some(next) = next
        && is_adjacent(number.end, next.range.start)
        && (is_money_symbol(word(next)) || currency(word(next)).is_some() || UNITS.contains(&word(next)))
    {
        return number.start..next.range.end;
    }
    let last = tokens.iter().rev().find(|token| token.range.end <= number.start);
    match last {
        Some(last)
            if is_adjacent(last.range.end, number.start)
                && (is_money_symbol(word(last)) || currency(word(last)).is_some())
                && !is_label(word(last)) =>
        {
            last.range.start..number.end
        }
        _ => number,
    }
}

/// True for words that label an amount of money, such as `price`, as opposed to units.
fn is_label(word: &str) -> bool {
    word.chars().count() > 3 && !word.eq_ignore_ascii_case("euro") && !word.eq_ignore_ascii_case("euros")
}

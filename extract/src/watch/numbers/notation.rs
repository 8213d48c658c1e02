//! Rewrites numbers in plain digits. Converts digits of other scripts, raised decimals, decimals after the
//! currency symbol, and multipliers such as `万`. Struck-out parts are removed.

use super::super::marks;

/// Digit zero of each supported script.
const ZEROS: [char; 10] = ['０', '٠', '۰', '०', '০', '૦', '௦', '๐', '༠', '၀'];
/// Multipliers that are written directly after the digits, with their powers of ten.
const MYRIADS: [(char, u32); 8] =
    [('万', 4), ('萬', 4), ('만', 4), ('億', 8), ('亿', 8), ('억', 8), ('兆', 12), ('조', 12)];
/// Maximum number of bytes of a number with such a multiplier.
const MAX_MYRIAD_BYTES: usize = 18;
/// Currency symbols that may replace the decimal separator.
const SYMBOLS: [char; 3] = ['€', '£', '$'];

/// Rewrites a text so that its numbers have plain digits.
pub(super) fn plain(text: &str) -> String {
    let text = without_struck(text);
    let text = with_ascii_digits(&text);
    if text.is_ascii() && !text.contains('$') {
        return text;
    }
    with_inner_symbols(&expanded(&lowered(&text)))
}

/// Removes the struck-out parts of a text, unless only they contain a number.
fn without_struck(text: &str) -> String {
    let valid = marks::without_struck(text);
    let has_number = valid.chars().any(char::is_numeric);
    if has_number { valid } else { marks::unmarked(text) }
}

fn with_ascii_digits(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_inside =
            plain.ends_with(|c: char| c.is_ascii_digit()) && chars.peek().is_some_and(char::is_ascii_digit);
        plain.push(match c {
            c if c.is_ascii() => c,
            // A raised point is a decimal separator, as in British prices.
            '·' if is_inside => '.',
            '，' => ',',
            '．' | '٫' => '.',
            '٬' | '\u{2007}' | '´' | 'ʼ' => '\'',
            '＄' => '$',
            '￥' => '¥',
            other => script_digit(other).unwrap_or(other),
        });
    }
    plain
}

/// Converts a digit of another script to the ASCII digit.
fn script_digit(c: char) -> Option<char> {
    let digit = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|digit| *digit < 10);
    char::from_digit(ZEROS.iter().find_map(digit)?, 10)
}

fn raised_digit(c: char) -> Option<char> {
    let digit = marks::RAISED.iter().position(|raised| *raised == c)?;
    char::from_digit(u32::try_from(digit).ok()?, 10)
}

/// Replaces raised digits by decimals, or removes them if they are exponents or footnote references.
fn lowered(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(first) = raised_digit(c) else {
            plain.push(c);
            continue;
        };
        let mut raised = String::from(first);
        while let Some(digit) = chars.peek().copied().and_then(raised_digit) {
            raised.push(digit);
            chars.next();
        }
        let decimals = decimals_of(&plain, &raised);
        plain.push_str(&decimals);
    }
    plain
}

/// Decimals that raised digits add to the number at the end of a text: `89⁹⁹` is 89.99, `1.45⁹` is 1.459.
fn decimals_of(before: &str, raised: &str) -> String {
    let number = marks::number_at_end(before);
    let separator = number.rfind(['.', ',']);
    let last = number.chars().next_back();
    match (last, separator) {
        (Some('.' | ','), _) => raised.to_owned(),
        (Some(_), Some(at)) if number.len() - at <= 3 => {
            // A zero is appended, because three decimals would be ambiguous.
            let is_doubtful = number.len() - at - 1 + raised.len() == 3;
            format!("{raised}{}", if is_doubtful { "0" } else { "" })
        }
        (Some(_), at) if raised.len() == 2 => {
            let is_point = at.is_some_and(|at| number[at..].starts_with('.'));
            format!("{}{raised}", if is_point { ',' } else { '.' })
        }
        _ => String::new(),
    }
}

/// Power of ten for a multiplier, such as 4 for `万`.
fn exponent(c: char) -> Option<u32> {
    MYRIADS.iter().find(|(multiple, _)| *multiple == c).map(|(_, exponent)| *exponent)
}

/// Replaces numbers with such multipliers by their digits: `1万2800円` is 12800 yen.
fn expanded(text: &str) -> String {
    if !text.contains(|c: char| exponent(c).is_some()) {
        return text.to_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        plain.push_str(before);
        let (length, value) = myriads(number);
        match value {
            Some(value) => plain.push_str(&value.to_string()),
            None => plain.push_str(&number[..length]),
        }
        rest = &number[length..];
    }
    plain.push_str(rest);
    plain
}

/// Length of the number at the start of a text, and its value if the number has such a multiplier.
fn myriads(text: &str) -> (usize, Option<u128>) {
    let (mut end, mut sum, mut has_multiple) = (0, Some(0_u128), false);
    while text[end..].starts_with(|c: char| c.is_ascii_digit()) {
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
        let after = end + text[end..].bytes().take_while(is_part).count();
        let multiple = text[after..].chars().next().and_then(|c| Some((c.len_utf8(), exponent(c)?)));
        let (length, power) = multiple.unwrap_or_default();
        let value = multiplied(&text[end..after], power);
        sum = sum.zip(value).and_then(|(sum, value)| sum.checked_add(value));
        has_multiple |= length > 0;
        end = after + length;
        // In Korean, a space separates the remaining digits: `12만 9,000원`.
        let is_spaced = text[after..end].starts_with(['만', '억', '조']);
        let mut next = text[end..].chars();
        if is_spaced && next.next() == Some(' ') && next.next().is_some_and(|c| c.is_ascii_digit()) {
            end += 1;
        }
        if length == 0 {
            break;
        }
    }
    (end, sum.filter(|_| has_multiple))
}

/// Value of a number with grouping commas, multiplied by a power of ten.
fn multiplied(number: &str, power: u32) -> Option<u128> {
    if number.len() > MAX_MYRIAD_BYTES {
        return None;
    }
    let number = number.trim_end_matches(['.', ',']).replace(',', "");
    let (whole, part) = number.split_once('.').unwrap_or((number.as_str(), ""));
    let power = power.checked_sub(u32::try_from(part.len()).ok()?)?;
    let digits: u128 = format!("{whole}{part}").parse().ok()?;
    digits.checked_mul(10_u128.checked_pow(power)?)
}

/// Moves a currency symbol that replaces the decimal separator to the end of the decimals: `19€99` is 19,99
/// €.
fn with_inner_symbols(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(SYMBOLS) {
        let (before, after) = rest.split_at(at);
        plain.push_str(before);
        let length = after.chars().next().map_or(0, char::len_utf8);
        let (symbol, after) = after.split_at(length);
        let count = after.bytes().take_while(u8::is_ascii_digit).count();
        let is_number = plain.ends_with(|c: char| c.is_ascii_digit());
        let next = after.get(count..).unwrap_or_default();
        let continues = next.starts_with(['.', ',']) && next[1..].starts_with(|c: char| c.is_ascii_digit());
        if is_number && count == 2 && !continues && !next.trim_start().starts_with(symbol) {
            let separator = if marks::number_at_end(&plain).contains(',') { '.' } else { ',' };
            plain.push(separator);
            plain.push_str(&after[..count]);
            plain.push_str(symbol);
            rest = next;
        } else {
            plain.push_str(symbol);
            rest = after;
        }
    }
    plain.push_str(rest);
    plain
}

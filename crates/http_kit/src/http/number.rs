//! Integers in requests, as JSON numbers or as text, and regular expressions for integer ranges.

use serde_json::Number;

/// Largest integer accepted as text: fifteen digits, which every JSON parser represents exactly.
pub const LONGEST_TEXT: i64 = 999_999_999_999_999;

/// Converts a JSON number to an integer. `None` for fractions. `3.0` is the same number as `3` (JSON Schema
/// validation, 6.1.1).
pub fn whole(number: &Number) -> Option<i64> {
    // Above 2^53 a float no longer determines the digits that were sent.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "an integer of at most 2^53")]
    let of_float = |float: f64| (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64);
    number.as_i64().or_else(|| number.as_f64().and_then(of_float))
}

/// Parses an integer that was sent as text: `-?[0-9]{1,15}`. `None` for any other text.
pub fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = (1..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Returns a regular expression that matches the canonical spelling of exactly the integers from `least` to
/// `most`, within ±[`LONGEST_TEXT`].
pub fn pattern_of(least: i64, most: i64) -> String {
    let (least, most) = (least.max(-LONGEST_TEXT), most.min(LONGEST_TEXT));
    let mut parts = Vec::new();
    if least < 0 {
        let below = unsigned_patterns(most.min(-1).unsigned_abs(), least.unsigned_abs());
        parts.extend(below.into_iter().map(|part| format!("-{part}")));
    }
    if most >= 0 {
        parts.extend(unsigned_patterns(least.max(0).unsigned_abs(), most.unsigned_abs()));
    }
    match parts.as_slice() {
        [one] => format!("^{one}$"),
        many => format!("^({})$", many.join("|")),
    }
}

/// Returns patterns for the non-negative integers from `least` to `most`, one pattern for each distinct
/// prefix.
fn unsigned_patterns(least: u64, most: u64) -> Vec<String> {
    let mut parts = Vec::new();
    let mut least = least;
    if least == 0 {
        parts.push("0".to_owned());
        least = 1;
    }
    while least <= most {
        let digits = digits_of(least);
        let ceiling = 10_u64.pow(digits) - 1;
        if least == 10_u64.pow(digits - 1) && ceiling <= most {
            // All lengths whose numbers are completely in the range are merged into one pattern.
            let mut longest = digits;
            while 10_u64.pow(longest + 1) - 1 <= most {
                longest += 1;
            }
            parts.push(format!("[1-9]{}", any_digits(digits - 1, longest - 1)));
            least = 10_u64.pow(longest);
            continue;
        }
        let top = ceiling.min(most);
        parts.extend(same_length_patterns(&least.to_string(), &top.to_string()));
        least = top + 1;
    }
    parts
}

fn digits_of(number: u64) -> u32 {
    number.checked_ilog10().unwrap_or(0) + 1
}

/// Returns patterns for the integers between two numbers with the same number of digits.
fn same_length_patterns(least: &str, most: &str) -> Vec<String> {
    let (Some(first), Some(last)) = (least.chars().next(), most.chars().next()) else {
        return vec![String::new()];
    };
    let (low, high) = (&least[1..], &most[1..]);
    let under = |digit: char, rest: Vec<String>| rest.into_iter().map(move |rest| format!("{digit}{rest}"));
    if first == last {
        return under(first, same_length_patterns(low, high)).collect();
    }
    let count = u32::try_from(low.len()).unwrap_or(0);
    let (mut from, mut to, mut head, mut tail) = (first, last, Vec::new(), Vec::new());
    if low.bytes().any(|digit| digit != b'0') {
        head.extend(under(first, same_length_patterns(low, &"9".repeat(low.len()))));
        from = next(first, 1);
    }
    if high.bytes().any(|digit| digit != b'9') {
        tail.extend(under(last, same_length_patterns(&"0".repeat(high.len()), high)));
        to = next(last, -1);
    }
    if from <= to {
        let digit = if from == to { from.to_string() } else { format!("[{from}-{to}]") };
        head.push(format!("{digit}{}", any_digits(count, count)));
    }
    head.extend(tail);
    head
}

fn next(digit: char, step: i32) -> char {
    u32::try_from(i64::from(u32::from(digit)) + i64::from(step))
        .ok()
        .and_then(char::from_u32)
        .unwrap_or(digit)
}

/// Returns the pattern for `least` to `most` arbitrary digits.
fn any_digits(least: u32, most: u32) -> String {
    match (least, most) {
        (0, 0) => String::new(),
        (1, 1) => "[0-9]".to_owned(),
        (0, 1) => "[0-9]?".to_owned(),
        _ if least == most => format!("[0-9]{{{least}}}"),
        _ => format!("[0-9]{{{least},{most}}}"),
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[test]
    fn pattern_matches_exactly_its_range() {
        for (least, most) in [
            (1, 1),
            (0, 9),
            (1, 25),
            (1, 365),
            (100, 25_000),
            (1, 43_200),
            (1, 1440),
            (500, 12_000),
            (7, 8),
            (-20, 5),
            (-13, -7),
            (0, 1000),
            (99, 101),
            (10, 99),
            (1, 10),
            (0, 0),
            (195, 2_003),
        ] {
            let pattern = Regex::new(&pattern_of(least, most)).unwrap();
            for number in least - 300..=most + 300 {
                let is_in = (least..=most).contains(&number);
                assert_eq!(
                    pattern.is_match(&number.to_string()),
                    is_in,
                    "{number} in {least} to {most}: {pattern}"
                );
            }
        }
    }

    #[test]
    fn pattern_of_a_range_is_compact() {
        assert_eq!(pattern_of(1, LONGEST_TEXT), "^[1-9][0-9]{0,14}$");
        assert_eq!(pattern_of(1, i64::MAX), "^[1-9][0-9]{0,14}$");
        assert_eq!(pattern_of(0, i64::MAX), "^(0|[1-9][0-9]{0,14})$");
        assert_eq!(pattern_of(100, 25_000), "^([1-9][0-9]{2,3}|1[0-9]{4}|2[0-4][0-9]{3}|25000)$");
        assert_eq!(pattern_of(1, 25), "^([1-9]|1[0-9]|2[0-5])$");
    }

    #[test]
    fn json_number_with_zero_fraction_is_an_integer() {
        let of = |text: &str| whole(&serde_json::from_str(text).unwrap());
        assert_eq!([of("7"), of("3.0"), of("7.5")], [Some(7), Some(3), None]);
        let texts = ["-7", "7x", "", "1234567890123456"];
        assert_eq!(texts.map(parse_integer), [Some(-7), None, None, None]);
    }
}

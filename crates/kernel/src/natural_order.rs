//! Natural sort order of names: digits are compared as numbers, and letters without case.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Compares two names in natural order: "2" before "10", and "b" after "A". Names that these rules do not
/// distinguish are compared by character, so that only identical names are equal.
pub fn compare(one: &str, other: &str) -> Ordering {
    let (low, other_low) = (one.to_lowercase(), other.to_lowercase());
    let (mut left, mut right) = (low.chars().peekable(), other_low.chars().peekable());
    loop {
        let step = match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return one.cmp(other),
            (Some(a), Some(b)) if a.is_ascii_digit() && b.is_ascii_digit() => {
                let (a, b) = (read_number(&mut left), read_number(&mut right));
                a.len().cmp(&b.len()).then_with(|| a.cmp(&b))
            }
            (a, b) => {
                left.next();
                right.next();
                a.cmp(&b)
            }
        };
        if step.is_ne() {
            return step;
        }
    }
}

/// Reads the next digits, and omits leading zeros. A longer result is thus a greater number.
fn read_number(letters: &mut Peekable<Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = letters.next_if(char::is_ascii_digit) {
        if digit != '0' || !digits.is_empty() {
            digits.push(digit);
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_names_are_compared_as_numbers() {
        let sorted = ["", "1", "2", "02b", "10", "A", "a 2", "A 10", "a2", "a10", "b", "v1.9", "v1.10", "Ä"];
        for pair in sorted.windows(2) {
            assert_eq!(compare(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(compare("same 1", "same 1"), Ordering::Equal);
        assert_ne!(compare("x1", "x01"), Ordering::Equal);
        let long = "9".repeat(400);
        assert_eq!(compare(&long, &format!("1{long}")), Ordering::Less);
    }
}

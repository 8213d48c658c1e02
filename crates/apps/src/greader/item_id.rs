//! Entry ids in all formats that apps send.

use kernel::EntryId;

/// Prefix of the long format.
const LONG: &str = "tag:google.com,2005:reader/item/";

/// Returns the long format of an id: the prefix and sixteen hexadecimal digits.
pub(super) fn long(id: EntryId) -> String {
    format!("{LONG}{:016x}", id.as_i64())
}

/// Parses an id in any format: long (with any number of digits), decimal without a leading 0, or hexadecimal.
/// Returns `None` for any other text.
pub(super) fn parse(text: &str) -> Option<EntryId> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix(LONG) {
        return hexadecimal(digits);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if is_decimal {
        return text.parse().ok().map(EntryId::new);
    }
    hexadecimal(text)
}

fn hexadecimal(digits: &str) -> Option<EntryId> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let number = if digits.is_empty() { 0 } else { u64::from_str_radix(digits, 16).ok()? };
    Some(EntryId::new(number.cast_signed()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_id_is_parsed_in_every_format() {
        let known = Some(EntryId::new(123_456));
        let long = long(EntryId::new(123_456));
        assert_eq!(long, "tag:google.com,2005:reader/item/000000000001e240");
        for text in [long.as_str(), "123456", "000000000001e240", "0001e240", "1e240", "1E240", " 123456 "] {
            assert_eq!(parse(text), known, "{text}");
        }
        assert_eq!(parse("tag:google.com,2005:reader/item/1e240"), known);
        assert_eq!(parse("tag:google.com,2005:reader/item/123456"), Some(EntryId::new(0x12_3456)));
        assert_eq!(parse("-5"), Some(EntryId::new(-5)));
        assert_eq!(parse("fffffffffffffffb"), Some(EntryId::new(-5)));
        for text in
            ["", "-", "x", "tag:google.com,2005:reader/item/", "0x1", "99999999999999999999", "1e240g"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

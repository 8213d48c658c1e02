//! The `Content-Disposition` header of a download (RFC 6266).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Characters of a `filename*` that need no escape (RFC 8187).
const NAME: AsciiSet = NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_');

/// The name in letters that every client knows, and as it is.
pub fn disposition(name: &str) -> String {
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._- ".contains(c) { c } else { '_' }).collect();
    let exact = utf8_percent_encode(name, &NAME);
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_cannot_break_the_header() {
        assert_eq!(
            disposition("a \"b\"\u{fc}.pdf"),
            "attachment; filename=\"a _b__.pdf\"; filename*=UTF-8''a%20%22b%22%C3%BC.pdf"
        );
    }
}

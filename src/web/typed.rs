//! Addresses as people type them.

/// What people type without a scheme is meant as https.
pub(super) fn typed_address(typed: &str) -> String {
    let typed = typed.trim();
    let is_host = typed.contains('.') && !typed.contains("://") && !typed.contains(char::is_whitespace);
    if is_host { format!("https://{typed}") } else { typed.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_host_is_meant_as_https() {
        assert_eq!(typed_address(" example.org/a "), "https://example.org/a");
        assert_eq!(typed_address("http://example.org"), "http://example.org");
        assert_eq!(typed_address("a word"), "a word");
    }
}

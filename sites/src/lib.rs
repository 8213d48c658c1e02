//! Registrable domains of host names, from the public suffix list.
//!
//! The list is compiled code with a generic function for each suffix, so every crate that calls it would
//! compile all of it again. Only this crate calls it.

/// Registrable domain of a host name: `example.co.uk` for `www.example.co.uk`. `None` for a public suffix or
/// an invalid name.
pub fn registrable_domain(name: &str) -> Option<&str> {
    psl::domain_str(name)
}

#[cfg(test)]
mod tests {
    use super::registrable_domain;

    #[test]
    fn registrable_domain_respects_public_suffixes() {
        assert_eq!(registrable_domain("www.example.co.uk"), Some("example.co.uk"));
        assert_eq!(registrable_domain("a.b.github.io"), Some("b.github.io"));
        assert_eq!(registrable_domain("co.uk"), None);
        assert_eq!(registrable_domain(""), None);
    }
}

//! Which names belong to one site: the list of public suffixes, and the one question that is asked of it.
//!
//! The list is compiled code, a function for each suffix, and generic, so that every crate that calls it compiles
//! all of it anew. This crate is where that is done, once.

/// The registrable domain of a host's name: `example.co.uk` of `www.example.co.uk`. `None` for a public suffix and
/// for what is no name.
pub fn registrable_domain(name: &str) -> Option<&str> {
    psl::domain_str(name)
}

#[cfg(test)]
mod tests {
    use super::registrable_domain;

    #[test]
    fn a_site_is_what_somebody_registered() {
        assert_eq!(registrable_domain("www.example.co.uk"), Some("example.co.uk"));
        assert_eq!(registrable_domain("a.b.github.io"), Some("b.github.io"));
        assert_eq!(registrable_domain("co.uk"), None);
        assert_eq!(registrable_domain(""), None);
    }
}

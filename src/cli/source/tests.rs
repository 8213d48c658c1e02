//! What counts as a page and what as a file.

use super::*;

#[test]
fn a_page_without_its_scheme_is_asked_for_over_https_first() {
    let pages = ["example.com", "example.com/a?b", "bücher.example", "localhost.localdomain:8080/x"];
    for text in pages {
        let urls = vec![format!("https://{text}"), format!("http://{text}")];
        assert_eq!(Source::of(text), Source::Web(urls), "{text}");
    }
    for text in ["-", "notes.html", "./example.com", "/etc/hosts", "notes", "a b.com", "Cargo.toml"] {
        assert_eq!(Source::of(text), Source::Local, "{text}");
    }
    assert_eq!(Source::of("http://example.com"), Source::Web(vec!["http://example.com".into()]));
}

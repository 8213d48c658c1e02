//! Tests of the additional URLs that a page can make Carrel fetch.

use super::*;

#[test]
fn alternative_form_is_fetched_from_the_same_site_only() {
    let page = Url::parse("https://www.example.co.uk/story").unwrap();
    for form in ["https://amp.example.co.uk/story", "http://example.co.uk:8080/print?id=1"] {
        assert!(is_same_site(&page, form), "{form}");
    }
    for form in ["https://victim.co.uk/story", "https://example.com/", "http://10.0.0.1/", "story"] {
        assert!(!is_same_site(&page, form), "{form}");
    }
}

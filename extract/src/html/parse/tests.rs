//! Parsing keeps within its bounds.

use super::*;

#[test]
fn a_page_nested_too_deep_is_refused_quickly() {
    for (start, tag) in [("", "div"), ("", "b"), ("", "ul><li"), ("<table>", "div"), ("<svg>", "g")] {
        let page = format!("{start}{}", format!("<{tag}>").repeat(100_000));
        assert!(parse(&page).is_err(), "{start}<{tag}>");
    }
}

#[test]
fn bites_end_between_characters() {
    let page = "é".repeat(10_000);
    assert_eq!(parse(&page).unwrap().text().chars().count(), 10_000);
}

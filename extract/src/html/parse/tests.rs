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

#[test]
fn a_frame_without_an_end_does_not_swallow_the_page() {
    let page = "<body><noscript><iframe src=a /></noscript><p>One</p><noscript><IFRAME src=b></iframe></noscript><p>Two</p>\
        <noscript><iframe src=c>";
    let text = parse(page).unwrap().text().to_string();
    assert!(text.contains("One") && text.contains("Two"), "{text}");
    assert!(!text.contains("</p>"), "{text}");
}

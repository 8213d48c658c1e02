//! Nesting limits, chunks and unclosed frames.

use super::*;

#[test]
fn deeply_nested_page_is_rejected() {
    for (start, tag) in [("", "div"), ("", "b"), ("", "ul><li"), ("<table>", "div"), ("<svg>", "g")] {
        let page = format!("{start}{}", format!("<{tag}>").repeat(100_000));
        assert!(parse(&page).is_err(), "{start}<{tag}>");
    }
}

#[test]
fn chunks_end_at_character_boundaries() {
    let page = "é".repeat(10_000);
    assert_eq!(parse(&page).unwrap().text().chars().count(), 10_000);
}

#[test]
fn unclosed_frame_does_not_hide_the_rest_of_the_page() {
    let page = "<body><noscript><iframe src=a /></noscript><p>One</p><noscript><IFRAME src=b></iframe></noscript><p>Two</p>\
        <noscript><iframe src=c>";
    let text = parse(page).unwrap().text().to_string();
    assert!(text.contains("One") && text.contains("Two"), "{text}");
    assert!(!text.contains("</p>"), "{text}");
}

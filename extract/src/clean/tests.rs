//! Text is cleaned of what nobody can see.

use super::*;

#[test]
fn controls_and_overrides_go_and_are_reported() {
    let mut text = "a\u{202e}b\u{0}c\nd".to_owned();
    assert!(strip_controls(&mut text));
    assert_eq!(text, "abc\nd");
    assert!(!strip_controls(&mut text));
}

#[test]
fn white_space_is_folded() {
    assert_eq!(fold("  a\u{a0}\n b\u{ad}c \t"), "a bc");
}

#[test]
fn words_are_counted_in_scripts_with_and_without_spaces() {
    assert_eq!(words("It's three words"), 3);
    assert_eq!(words("日本語です"), 2);
}

//! Removal of invisible characters, white space folding, and word counts.

use super::*;

#[test]
fn control_characters_and_overrides_are_removed_and_reported() {
    let mut text = "a\u{202e}b\u{0}c\nd".to_owned();
    assert!(strip_controls(&mut text));
    assert_eq!(text, "abc\nd");
    assert!(!strip_controls(&mut text));
}

#[test]
fn white_space_is_folded() {
    assert_eq!(fold("  a\u{a0}\n b\u{ad}c \t"), "a bc");
    assert_eq!(fold("\u{feff} a  b é  c\u{7f}\r\nd\u{3000} é é"), "a b é c\u{7f} d é é");
    let mut folded = "a ".to_owned();
    push_folded(&mut folded, " b\u{200b} ");
    push_folded(&mut folded, "  c");
    assert_eq!(folded, "a b c");
    let mut lines = "a\n".to_owned();
    push_folded(&mut lines, " b");
    assert_eq!(lines, "a\nb");
}

#[test]
fn words_are_counted_in_scripts_with_and_without_spaces() {
    assert_eq!(words("It's three words"), 3);
    assert_eq!(words("日本語です"), 2);
    assert_eq!(words("l’été d'un aller-retour, à 7 h"), 6);
    assert_eq!(words("- 'tis don''t 東京abc"), 4);
    let long = "plain words of which many are looked at together ";
    assert_eq!(words(&long.repeat(9)), 9 * 9);
    assert_eq!(words(&"well-known ".repeat(40)), 40);
    assert_eq!(words(&"a".repeat(100)), 1);
    for shift in 0..40 {
        assert_eq!(words(&format!("{}one {long}it's é two", ".".repeat(shift))), 13, "behind {shift} bytes");
    }
}

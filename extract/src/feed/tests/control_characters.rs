//! Removal of control characters at every position and in every script.

use super::super::text::{clean, is_clean};

#[test]
fn control_characters_are_removed_at_every_position() {
    for letter in ['a', 'é', '語', '😀'] {
        for length in [1, 63, 64, 65, 130] {
            let text: String = std::iter::repeat_n(letter, length).collect();
            assert_eq!(clean(&text), text);
            for bad in ['\0', '\u{7}', '\u{7F}', '\u{202E}', '\u{FEFF}'] {
                for at in [0, length / 2, length] {
                    let mut broken: Vec<char> = text.chars().collect();
                    broken.insert(at, bad);
                    let broken: String = broken.into_iter().collect();
                    assert_eq!(clean(&broken), text, "{letter} {length} {at} {bad:?}");
                }
            }
        }
    }
    let mixed = "tab\there, line\nthere, “quotes”, naïve ".repeat(9);
    assert_eq!(clean(&mixed), mixed);
    assert!(clean(&format!("{mixed}\u{1}{mixed}")).chars().all(is_clean));
}

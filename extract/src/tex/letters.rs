//! Letters in formulas. Unicode has separate letters for mathematical fonts, for which TeX has commands.

use unicode_normalization::UnicodeNormalization;

use super::symbols::{character, push};

/// First code point of each mathematical alphabet, with the TeX command of its font.
const ALPHABETS: [(u32, &str); 17] = [
    (0x1d400, "\\mathbf"),
    (0x1d434, ""),
    (0x1d468, "\\boldsymbol"),
    (0x1d49c, "\\mathcal"),
    (0x1d504, "\\mathfrak"),
    (0x1d538, "\\mathbb"),
    (0x1d56c, "\\mathfrak"),
    (0x1d5a0, "\\mathsf"),
    (0x1d670, "\\mathtt"),
    (0x1d6a4, ""),
    (0x1d6a8, "\\boldsymbol"),
    (0x1d6e2, ""),
    (0x1d71c, "\\boldsymbol"),
    (0x1d7ce, "\\mathbf"),
    (0x1d7d8, "\\mathbb"),
    (0x1d7e2, "\\mathsf"),
    (0x1d7f6, "\\mathtt"),
];
const LAST: u32 = 0x1d7ff;

/// Converts letters and other characters to TeX.
pub(super) fn letters(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        push(&mut out, &letter(c));
    }
    out
}

fn letter(c: char) -> String {
    let code = u32::from(c);
    if !(ALPHABETS[0].0..=LAST).contains(&code) {
        return character(c);
    }
    let plain: String = std::iter::once(c).nfkc().map(character).collect();
    match ALPHABETS.iter().rev().find(|(first, _)| *first <= code) {
        Some((_, font)) if !font.is_empty() => format!("{font}{{{plain}}}"),
        _ => plain,
    }
}

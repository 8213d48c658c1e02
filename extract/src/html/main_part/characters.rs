//! What a text is made of: letters, capitals, digits, and the signs that tell a sentence from a label.

/// What the characters of a text are, told in one walk.
#[derive(Default)]
pub(super) struct Characters {
    pub(super) letters: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    pub(super) commas: usize,
    pub(super) stops: usize,
    pub(super) currency: bool,
    pub(super) copyright: bool,
    pub(super) bar: bool,
}

impl Characters {
    pub(super) fn of(text: &str) -> Self {
        let mut told = Self::default();
        for c in text.chars() {
            if c.is_alphabetic() {
                told.letters += 1;
                told.upper += usize::from(c.is_uppercase());
                continue;
            }
            match c {
                '0'..='9' => told.digits += 1,
                ',' | '、' | '，' | '،' | ';' => told.commas += 1,
                '.' | '!' | '?' | '。' | '！' | '？' | '؟' => told.stops += 1,
                '$' | '€' | '£' | '¥' => told.currency = true,
                '©' => told.copyright = true,
                '|' => told.bar = true,
                // Letters in circles are no letters, and may be large.
                _ => told.upper += usize::from(c.is_uppercase()),
            }
        }
        told
    }
}

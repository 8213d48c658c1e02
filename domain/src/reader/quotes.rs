//! Checking quotes against a text: is it there word for word, nearly so, or not at all?

use extract::Document;
use similar::{Algorithm, capture_diff_slices, diff_ratio};

/// From this share of equal words on, a quote counts as close.
const CLOSE: f32 = 0.8;

/// How a quote stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Word for word, but for white space and the kind of quotation marks.
    Exact,
    /// Nearly so.
    Close,
    /// Not there.
    Absent,
}

impl Standing {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Close => "close",
            Self::Absent => "absent",
        }
    }
}

/// What was found for one quote.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// How it stands.
    pub standing: Standing,
    /// The block it stands in, or the block that comes closest.
    pub anchor: Option<u32>,
    /// Share of equal words, 0 to 1.
    pub similarity: f64,
    /// The text of that block.
    pub context: Option<String>,
}

/// Looks for `quote` in every block of `document`.
pub fn check(document: &Document, quote: &str) -> Checked {
    let wanted = fold(quote);
    let words: Vec<&str> = wanted.split(' ').filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Checked { standing: Standing::Absent, anchor: None, similarity: 0.0, context: None };
    }
    let mut best: Option<(f32, &extract::Block)> = None;
    for block in &document.blocks {
        let text = fold(&block.text);
        if text.contains(&wanted) {
            return Checked {
                standing: Standing::Exact,
                anchor: Some(block.anchor),
                similarity: 1.0,
                context: Some(block.text.clone()),
            };
        }
        let share = likeness(&words, &text);
        if share > best.map_or(0.0, |(best, _)| best) {
            best = Some((share, block));
        }
    }
    let share = best.map_or(0.0, |(share, _)| share);
    let close = best.filter(|(share, _)| *share >= CLOSE).map(|(_, block)| block);
    Checked {
        standing: if close.is_some() { Standing::Close } else { Standing::Absent },
        anchor: close.map(|block| block.anchor),
        similarity: (f64::from(share) * 10_000.0).round() / 10_000.0,
        context: close.map(|block| block.text.clone()),
    }
}

/// The best share of equal words between the quote and any stretch of the block of the same length.
fn likeness(words: &[&str], text: &str) -> f32 {
    let own: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let shared = own.iter().filter(|word| words.contains(word)).count();
    if shared * 2 < words.len() {
        return 0.0;
    }
    let step = (words.len() / 4).max(1);
    let mut best = 0.0_f32;
    let mut start = 0;
    loop {
        let end = (start + words.len()).min(own.len());
        let window = &own[start..end];
        let operations = capture_diff_slices(Algorithm::Myers, words, window);
        best = best.max(diff_ratio(&operations, words.len(), window.len()));
        if end == own.len() {
            return best;
        }
        start += step;
    }
}

/// Folds what copying changes: white space, case of nothing, typographic quotes and dashes.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        let character = match character {
            '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201B}' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '«' | '»' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{00AD}' | '\u{200B}' => continue,
            other if other.is_whitespace() => ' ',
            other => other,
        };
        if character != ' ' || !folded.ends_with(' ') {
            folded.push(character);
        }
    }
    folded.trim().to_owned()
}

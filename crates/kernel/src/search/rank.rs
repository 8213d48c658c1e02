//! Relevance of a match by the number of occurrences of each word per field. Used for libraries and for
//! entries of feeds.

use super::query::{Ending, Query};

/// Number of occurrences of a word per field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub title: u16,
    pub tags: u16,
    pub names: u16,
    pub text: u16,
}

impl Counts {
    /// Packs the counts into 16 bits: three for the title, two each for tags and names, nine for the text.
    /// Higher counts do not change a score.
    pub fn pack(self) -> u16 {
        self.title.min(7) << 13 | self.tags.min(3) << 11 | self.names.min(3) << 9 | self.text.min(511)
    }

    pub fn unpack(bits: u16) -> Self {
        Self { title: bits >> 13, tags: bits >> 11 & 3, names: bits >> 9 & 3, text: bits & 511 }
    }

    pub fn is_head(self) -> bool {
        self.title > 0 || self.tags > 0
    }
}

/// Relevance in ten-thousandths. It depends on the query and the counts only.
pub fn score(query: &Query, counts: impl Fn(&str) -> Counts) -> u16 {
    let saturated = |count: u16| f64::from(count) / (f64::from(count) + 1.0);
    let of_form = |form: &str, ending: Ending| {
        let Counts { title, tags, names, text } = counts(form);
        let is_unseen = title == 0 && tags == 0 && names == 0 && text == 0;
        // A prefix has no counts of its own, although it matched.
        let text = if is_unseen && ending == Ending::Open { 1 } else { text };
        4.0 * saturated(title) + 3.0 * saturated(tags) + 2.0 * saturated(names) + saturated(text)
    };
    let (mut sum, mut words) = (0.0, 0.0);
    for term in &query.terms {
        for word in &term.words {
            sum += word.forms().map(|form| of_form(form, term.ending)).fold(0.0, f64::max) / 10.0;
            words += 1.0;
        }
    }
    let score = if words > 0.0 { sum / words } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1")]
    let score = (score * 10_000.0).round() as u16;
    score.max(1)
}

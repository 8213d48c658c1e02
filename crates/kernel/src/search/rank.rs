//! Relevance of a match, computed from the number of occurrences of each word per field. Used for libraries and for
//! entries of feeds.

use super::query::{Ending, Node, Polarity, Query, Term};

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

/// Relevance, from 0 to 10,000. It depends only on the query and the counts.
pub fn score(query: &Query, counts: impl Fn(&str) -> Counts) -> u16 {
    let relevance = Relevance { counts };
    let (mut sum, mut words) = (0.0, 0.0);
    for term in &query.terms {
        for score in relevance.of_words(term) {
            sum += score;
            words += 1.0;
        }
    }
    for score in query.groups.iter().filter_map(|group| relevance.of_node(group)) {
        sum += score;
        words += 1.0;
    }
    let score = if words > 0.0 { sum / words } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1")]
    let score = (score * 10_000.0).round() as u16;
    score.max(1)
}

/// Scores of words and conditions, from 0 to 1.
struct Relevance<F> {
    counts: F,
}

impl<F: Fn(&str) -> Counts> Relevance<F> {
    /// Score of each word of a term.
    fn of_words(&self, term: &Term) -> impl Iterator<Item = f64> {
        term.words.iter().map(move |word| {
            word.forms().map(|form| self.of_form(form, term.ending)).fold(0.0, f64::max) / 10.0
        })
    }

    /// Score of a condition: for alternatives, the highest score; for conditions that must all be true, the average
    /// score. `None` if the condition includes no words.
    fn of_node(&self, node: &Node) -> Option<f64> {
        match node {
            Node::Term(Polarity::Include, term) => average(self.of_words(term)),
            Node::Term(Polarity::Exclude, _) | Node::Filter(_) => None,
            Node::All(nodes) => average(nodes.iter().filter_map(|node| self.of_node(node))),
            Node::Any(nodes) => nodes.iter().filter_map(|node| self.of_node(node)).reduce(f64::max),
        }
    }

    fn of_form(&self, form: &str, ending: Ending) -> f64 {
        let saturated = |count: u16| f64::from(count) / (f64::from(count) + 1.0);
        let Counts { title, tags, names, text } = (self.counts)(form);
        let is_unseen = title == 0 && tags == 0 && names == 0 && text == 0;
        // A prefix has no counts, although it matched.
        let text = if is_unseen && ending == Ending::Open { 1 } else { text };
        4.0 * saturated(title) + 3.0 * saturated(tags) + 2.0 * saturated(names) + saturated(text)
    }
}

fn average(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = scores.fold((0.0, 0.0), |(sum, count), score| (sum + score, count + 1.0));
    (count > 0.0).then(|| sum / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_alternative_determines_the_score() {
        let counts = |word: &str| match word {
            "title" => Counts { title: 1, ..Counts::default() },
            "text" => Counts { text: 1, ..Counts::default() },
            _ => Counts::default(),
        };
        let score = |text: &str| score(&Query::parse(text).unwrap(), counts);
        assert_eq!((score("title"), score("text"), score("none")), (2_000, 500, 1));
        assert_eq!((score("title text"), score("(title) text")), (1_250, 1_250));
        assert_eq!((score("title OR text OR none"), score("title text OR none")), (2_000, 1_250));
        assert_eq!((score("text (title OR none)"), score("none OR -title tag:x")), (1_250, 1));
    }
}

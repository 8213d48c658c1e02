//! Folded texts, in which quotes are searched: composed (NFC), in lower case, with single spaces, and with one form of
//! quotation marks and dashes. A cluster is a base with its marks, or the letters of one Hangul syllable. All of its
//! bytes have the source range of the whole cluster, because marks are reordered and composed.

use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Maximum number of characters of a cluster. Longer runs of marks are split, so that composing is linear and a match
/// within a run does not cover all of it. Words of languages have fewer marks per base.
pub(crate) const CLUSTER_CHARS: usize = 32;

/// Folded text with the positions of its clusters in the source.
#[derive(Debug, Default)]
pub(crate) struct FoldedText {
    pub text: String,
    /// Index of the first source character of the cluster, for each byte of `text`.
    starts: Vec<usize>,
    /// Source ranges of the clusters of several source characters, in ascending order.
    ranges: Vec<(usize, usize)>,
}

impl FoldedText {
    pub(crate) fn of(characters: impl Iterator<Item = char>) -> Self {
        let (expected, _) = characters.size_hint();
        let folded = Self {
            text: String::with_capacity(expected),
            starts: Vec::with_capacity(expected),
            ranges: Vec::new(),
        };
        let mut folder = Folder { folded, ..Folder::default() };
        for (at, character) in characters.enumerate() {
            decompose_canonical(character, |part| folder.push(part, at));
        }
        folder.flush();
        folder.folded
    }

    /// Extends a range of bytes, which must not be empty, to whole clusters.
    pub(crate) fn whole_clusters(&self, from: usize, to: usize) -> (usize, usize) {
        let (first, last) = (self.starts[from], self.starts[to - 1]);
        let before = self.starts[..from].iter().rev().take_while(|start| **start == first).count();
        let behind = self.starts[to..].iter().take_while(|start| **start == last).count();
        (from - before, to + behind)
    }

    /// Returns the source range of a range of bytes, which must not be empty. The source range covers whole clusters.
    pub(crate) fn source_range(&self, from: usize, to: usize) -> (usize, usize) {
        let last = self.starts[to - 1];
        let range = self.ranges.binary_search_by_key(&last, |(start, _)| *start);
        (self.starts[from], range.map_or(last + 1, |index| self.ranges[index].1))
    }
}

/// Returns true if a character may belong to the cluster of the character before it.
pub(crate) fn may_continue_cluster(character: char) -> bool {
    canonical_combining_class(character) != 0
        || is_nfc_quick(std::iter::once(character)) == IsNormalized::Maybe
}

/// State of folding a text.
#[derive(Default)]
struct Folder {
    folded: FoldedText,
    /// Decomposed characters of the current cluster.
    cluster: Vec<char>,
    /// Source range of the current cluster.
    start: usize,
    end: usize,
    /// Composed letters of the current cluster. `None` if it has marks, because no letter is composed after them.
    letter: Option<char>,
}

impl Folder {
    /// Folds a decomposed character of the source character `at`.
    fn push(&mut self, part: char, at: usize) {
        let one = match part {
            '\u{ad}' | '\u{200b}' | '\u{feff}' => return,
            one if one.is_whitespace() => return self.push_space(at),
            '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2039}' | '\u{203a}' | '`' | '\'' => '\'',
            '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '"' => '"',
            '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2014}' | '\u{2212}' | '-' => '-',
            one => one,
        };
        for small in one.to_lowercase() {
            self.push_character(small, at);
        }
    }

    /// Adds a space, unless it would follow another. A space has no marks, so that no cluster spans two blocks.
    fn push_space(&mut self, at: usize) {
        self.flush();
        if !self.folded.text.ends_with(' ') {
            self.folded.text.push(' ');
            self.folded.starts.push(at);
        }
    }

    fn push_character(&mut self, character: char, at: usize) {
        let is_mark = !character.is_ascii() && canonical_combining_class(character) != 0;
        let can_compose = !character.is_ascii() && !is_mark;
        let composed = self.letter.filter(|_| can_compose).and_then(|letter| compose(letter, character));
        let can_grow = (1..CLUSTER_CHARS).contains(&self.cluster.len());
        let joins = composed.is_some() || (is_mark && can_grow);
        if !joins {
            self.flush();
            self.start = at;
        }
        self.letter = if joins { composed } else { Some(character) };
        self.cluster.push(character);
        self.end = at + 1;
    }

    /// Composes the current cluster and adds it to the text.
    fn flush(&mut self) {
        match self.cluster.as_slice() {
            [] => return,
            [one] => self.folded.text.push(*one),
            several => self.folded.text.extend(several.iter().copied().nfc()),
        }
        self.folded.starts.resize(self.folded.text.len(), self.start);
        if self.end - self.start > 1 {
            self.folded.ranges.push((self.start, self.end));
        }
        self.cluster.clear();
        self.letter = None;
    }
}

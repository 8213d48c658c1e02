//! Finds the quote or the picture of a highlight in a text. The search for quotes ignores case, Unicode normal forms,
//! variants of quotation marks and dashes, the amount of white space, and block borders.

use extract::{
    Document,
    diff::{diff, equal_share},
};
use unicode_normalization::UnicodeNormalization;

use super::folded_text::{CLUSTER_CHARS, FoldedText, may_continue_cluster};
use super::highlight_picture::TextPicture;

/// Minimum similarity of an approximate match, as a fraction.
const SIMILAR: f64 = 0.85;
/// Maximum number of candidates for an approximate match that are compared character by character.
const COMPARED: usize = 4;
/// Maximum number of code points of context that are stored before and after a quote.
pub(crate) const CONTEXT_CHARS: usize = 64;

/// Quote to find, with its context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuoteQuery<'a> {
    pub quote: &'a str,
    pub prefix: &'a str,
    pub suffix: &'a str,
    /// Expected offset in code points: an earlier match, or the start of a block.
    pub near: Option<usize>,
}

/// Position of a quote, in code points of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuoteRange {
    pub start: usize,
    pub end: usize,
    pub match_kind: MatchKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchKind {
    Exact,
    /// At least 85 % of the characters match.
    Similar,
}

/// Text prepared for searches for quotes.
pub(crate) struct Haystack {
    characters: Vec<char>,
    folded: FoldedText,
    /// Start, anchor, and page of each block.
    blocks: Vec<(usize, u32, Option<u32>)>,
    pictures: Vec<TextPicture>,
}

/// Anchors of the first and the last block of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub anchor: u32,
    pub end_anchor: u32,
    pub page: Option<u32>,
}

impl Haystack {
    pub(crate) fn of(document: &Document) -> Self {
        let mut characters: Vec<char> = Vec::new();
        let mut blocks = Vec::with_capacity(document.blocks.len());
        let mut pictures = Vec::new();
        for (index, block) in document.blocks.iter().enumerate() {
            if index > 0 {
                characters.extend(['\n', '\n']);
            }
            let start = characters.len();
            blocks.push((start, block.anchor, block.page));
            characters.extend(block.text.chars());
            pictures.extend(TextPicture::of_block(block, start, characters.len()));
        }
        let folded = FoldedText::of(characters.iter().copied());
        Self { characters, folded, blocks, pictures }
    }

    /// Finds a quote. Prefers an exact match with the same context, then the exact match nearest to `near`,
    /// then the first exact match. If no exact match exists, returns the best approximate match.
    pub(crate) fn find(&self, query: QuoteQuery<'_>) -> Option<QuoteRange> {
        let quote = FoldedText::of(query.quote.chars());
        let quote = quote.text.trim();
        if quote.is_empty() {
            return None;
        }
        let text = self.folded.text.as_str();
        let occurrences: Vec<(usize, usize)> = text
            .match_indices(quote)
            .map(|(at, _)| self.folded.whole_clusters(at, at + quote.len()))
            .collect();
        if occurrences.is_empty() {
            return self.similar(quote);
        }
        let range = |(from, to): (usize, usize)| self.range(from, to, MatchKind::Exact);
        let context = Context::of(&query);
        let fits = |(from, to): &&(usize, usize)| context.fits(&text[..*from], &text[*to..]);
        if !context.is_empty()
            && let Some(best) = occurrences.iter().find(fits)
        {
            return Some(range(*best));
        }
        let distance =
            |match_range: &QuoteRange| query.near.map_or(0, |near| match_range.start.abs_diff(near));
        occurrences.into_iter().map(range).min_by_key(distance)
    }

    /// Converts a range of bytes of the folded text, which must not be empty.
    fn range(&self, from: usize, to: usize, match_kind: MatchKind) -> QuoteRange {
        let (start, end) = self.folded.source_range(from, to);
        QuoteRange { start, end, match_kind }
    }

    /// Finds a picture by its URL, or else the same picture at another URL, which is recognised by the quote of its
    /// highlight. If several pictures match, returns the one nearest to `near`, or else the first.
    pub(crate) fn find_picture(
        &self,
        url: &str,
        quote: &str,
        near: Option<usize>,
    ) -> Option<(&TextPicture, MatchKind)> {
        let distance = |picture: &&TextPicture| near.map_or(0, |near| picture.start.abs_diff(near));
        let equal = self.pictures.iter().filter(|picture| picture.url == url).min_by_key(distance);
        let similar = || {
            let same = self.pictures.iter().filter(|picture| picture.is_same_elsewhere(url, quote));
            same.min_by_key(distance)
        };
        let exact = equal.map(|picture| (picture, MatchKind::Exact));
        exact.or_else(|| similar().map(|picture| (picture, MatchKind::Similar)))
    }

    /// Returns the best approximate match. Compares the windows that share the most words with the quote
    /// character by character. `None` if no window is similar enough, or if the quote has fewer than three
    /// words.
    fn similar(&self, quote: &str) -> Option<QuoteRange> {
        let words: Vec<&str> = quote.split(' ').collect();
        let folded = self.folded.text.as_str();
        let starts: Vec<usize> = word_starts(folded);
        if words.len() < 3 || starts.len() < words.len() {
            return None;
        }
        let text: Vec<&str> = starts.iter().map(|at| folded[*at..].split(' ').next().unwrap_or("")).collect();
        let quote_words: std::collections::HashSet<&str> = words.iter().copied().collect();
        let word_hits: Vec<usize> = text.iter().map(|word| usize::from(quote_words.contains(word))).collect();
        let mut count: usize = word_hits[..words.len()].iter().sum();
        let mut windows: Vec<(usize, usize)> = vec![(count, 0)];
        for at in 1..=text.len() - words.len() {
            count = count + word_hits[at + words.len() - 1] - word_hits[at - 1];
            windows.push((count, at));
        }
        windows.sort_by_key(|(count, at)| (std::cmp::Reverse(*count), *at));
        let quote_characters: Vec<char> = quote.chars().collect();
        let mut best: Option<(f64, usize, usize)> = None;
        for (_, at) in windows.into_iter().take(COMPARED) {
            let from = starts[at];
            let last = at + words.len() - 1;
            let to = starts[last] + text[last].len();
            let window: Vec<char> = folded[from..to].chars().collect();
            let operations = diff(&quote_characters, &window, None);
            let ratio = f64::from(equal_share(&operations, quote_characters.len(), window.len()));
            if ratio >= SIMILAR && best.is_none_or(|(most, _, _)| ratio > most) {
                best = Some((ratio, from, to));
            }
        }
        best.map(|(_, from, to)| self.range(from, to, MatchKind::Similar))
    }

    /// Returns the offset at which the block with this anchor starts, in code points.
    pub(crate) fn offset_of(&self, anchor: u32) -> Option<usize> {
        self.blocks.iter().find(|(_, known, _)| *known == anchor).map(|(start, _, _)| *start)
    }

    /// Returns the blocks that contain the first and the last character of a range.
    pub(crate) fn blocks_of(&self, range: QuoteRange) -> Blocks {
        let at = |offset: usize| {
            let index = self.blocks.partition_point(|(start, _, _)| *start <= offset).saturating_sub(1);
            self.blocks.get(index).copied().unwrap_or((0, 1, None))
        };
        let (first, last) = (at(range.start), at(range.end.saturating_sub(1)));
        Blocks { anchor: first.1, end_anchor: last.1, page: first.2 }
    }

    /// Returns the text before and the text after a range, with up to [`CONTEXT_CHARS`] code points each.
    pub(crate) fn context(&self, range: QuoteRange) -> (String, String) {
        let before = &self.characters[range.start.saturating_sub(CONTEXT_CHARS)..range.start];
        let behind = &self.characters[range.end..(range.end + CONTEXT_CHARS).min(self.characters.len())];
        (before.iter().collect(), behind.iter().collect())
    }
}

/// Folded text before and after a quote. Contexts are truncated to a number of characters, so that they may begin or
/// end within a cluster.
struct Context {
    /// Text before the quote, from the start of its first whole cluster.
    prefix: String,
    /// Text after the quote, without its last cluster.
    suffix: String,
    /// Last cluster of the text after the quote, which may have more marks or letters in the text.
    last: String,
}

impl Context {
    fn of(query: &QuoteQuery<'_>) -> Self {
        let prefix = FoldedText::of(query.prefix.chars()).text;
        let prefix = prefix.trim_start_matches(may_continue_cluster).trim().to_owned();
        let suffix = FoldedText::of(query.suffix.chars()).text;
        let suffix = suffix.trim();
        let end = suffix.rfind(|character| !may_continue_cluster(character)).unwrap_or(0);
        let (suffix, last) = suffix.split_at(end);
        Self { prefix, suffix: suffix.to_owned(), last: last.to_owned() }
    }

    fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.last.is_empty()
    }

    /// Returns true if this context is at the end of the text `before` and at the start of the text `behind`.
    fn fits(&self, before: &str, behind: &str) -> bool {
        let behind = behind.trim_start().strip_prefix(self.suffix.as_str());
        before.trim_end().ends_with(&self.prefix) && behind.is_some_and(|rest| self.continues_with(rest))
    }

    /// Returns true if a text starts with the last cluster, which may be incomplete.
    fn continues_with(&self, text: &str) -> bool {
        let mut parts = text.chars().take(CLUSTER_CHARS).nfd();
        text.starts_with(&self.last) || self.last.nfd().all(|part| parts.next() == Some(part))
    }
}

fn word_starts(folded: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut is_inside = false;
    for (at, character) in folded.char_indices() {
        if character == ' ' {
            is_inside = false;
        } else if !is_inside {
            starts.push(at);
            is_inside = true;
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use extract::{Block, BlockKind};

    use super::*;

    fn haystack(texts: &[&str]) -> Haystack {
        let block = |(anchor, text): (u32, &&str)| Block {
            anchor,
            kind: BlockKind::Paragraph,
            text: (*text).to_owned(),
            ..Block::default()
        };
        let blocks = (1_u32..).zip(texts).map(block).collect();
        Haystack::of(&Document { blocks, ..Document::default() })
    }

    fn quote_query(quote: &str) -> QuoteQuery<'_> {
        QuoteQuery { quote, prefix: "", suffix: "", near: None }
    }

    #[test]
    fn quote_matches_despite_different_quotation_marks_and_spaces() {
        let text = haystack(&["He said “a Quiet\u{ad} desk”.", "Second block ends."]);
        let range = text.find(quote_query("\"a  quiet desk\"")).unwrap();
        assert_eq!((range.start, range.end, range.match_kind), (8, 23, MatchKind::Exact));
        let over = text.find(quote_query("desk”. second")).unwrap();
        assert_eq!(text.blocks_of(over), Blocks { anchor: 1, end_anchor: 2, page: None });
        assert_eq!(text.find(quote_query("not there")), None);
    }

    #[test]
    fn quote_in_another_normal_form_matches_exactly() {
        for words in ["Café naïve", "Tiếng Việt ở đây", "한국어 문장", "가각", "ガラス", "Ǻ İ Ω"]
        {
            let forms = [words.nfc().collect::<String>(), words.nfd().collect(), words.to_lowercase()];
            for (text, quote) in forms.iter().flat_map(|text| forms.iter().map(move |quote| (text, quote))) {
                let range = haystack(&["Before.", &format!("(«{text}»)")]).find(quote_query(quote)).unwrap();
                let end = 11 + text.chars().count();
                assert_eq!((range.start, range.end), (11, end), "{text:?} {quote:?}");
                assert_eq!(range.match_kind, MatchKind::Exact, "{text:?} {quote:?}");
            }
        }
        // Marks in another order, and a soft hyphen before a mark.
        let text = haystack(&["x e\u{302}\u{323} e\u{ad}\u{301}y"]);
        let find = |quote| text.find(quote_query(quote)).map(|range| (range.start, range.end));
        assert_eq!((find("ệ"), find("é")), (Some((2, 5)), Some((6, 9))));
    }

    #[test]
    fn match_covers_whole_clusters() {
        let text = haystack(&["Cafe\u{301} aq\u{323}\u{303}b \u{1112}\u{1161}\u{11ab}"]);
        let find = |quote| text.find(quote_query(quote)).map(|range| (range.start, range.end));
        assert_eq!(find("Caf"), Some((0, 3)));
        // Composed, the text has neither the letter nor the syllable.
        assert_eq!((find("Cafe"), find("하")), (None, None));
        // No composed character exists for this cluster.
        assert_eq!(
            (find("aq"), find("q\u{323}"), find("\u{303}b")),
            (Some((6, 10)), Some((7, 10)), Some((7, 11)))
        );
        assert_eq!((find("b 한"), find("한")), (Some((10, 15)), Some((12, 15))));
    }

    #[test]
    fn context_that_is_cut_within_a_cluster_fits() {
        for (words, other) in [("ế", "e"), ("한", "하"), ("q\u{303}", "q")] {
            let block: String = format!("{words} desk {words}").nfd().collect();
            let text = haystack(&[&format!("{other} desk {other}"), &block, "desk"]);
            let length = words.nfd().count();
            for cut in 1..length {
                let prefix: String = words.nfd().skip(cut).chain(" ".chars()).collect();
                let suffix: String = " ".chars().chain(words.nfd().take(length)).collect();
                let query = QuoteQuery { prefix: &prefix, suffix: &suffix, ..quote_query("desk") };
                assert_eq!(text.blocks_of(text.find(query).unwrap()).anchor, 2, "{prefix:?}");
                let prefix = format!("{words} ");
                let suffix: String = " ".chars().chain(words.nfd().take(cut)).collect();
                let query = QuoteQuery { prefix: &prefix, suffix: &suffix, ..quote_query("desk") };
                assert_eq!(text.blocks_of(text.find(query).unwrap()).anchor, 2, "{suffix:?}");
            }
        }
    }

    #[test]
    fn long_run_of_marks_is_split_into_clusters_of_bounded_length() {
        let marks = "\u{301}\u{323}".repeat(50_000);
        let text = haystack(&[&format!("q{marks} end")]);
        let find = |quote: &str| text.find(quote_query(quote)).map(|range| (range.start, range.end));
        assert_eq!(find("end"), Some((100_002, 100_005)));
        assert_eq!(find("q"), Some((0, CLUSTER_CHARS)));
        assert_eq!(find(&format!("q{marks}")), Some((0, 100_001)));
    }

    #[test]
    fn match_with_same_context_precedes_nearest_match_and_first_match() {
        let text = haystack(&["one desk here", "two desk there", "three desk where"]);
        let with = QuoteQuery { prefix: "two ", suffix: " there", ..quote_query("desk") };
        assert_eq!(text.blocks_of(text.find(with).unwrap()).anchor, 2);
        let near = QuoteQuery { near: text.offset_of(3), ..quote_query("desk") };
        assert_eq!(text.blocks_of(text.find(near).unwrap()).anchor, 3);
        assert_eq!(text.blocks_of(text.find(quote_query("desk")).unwrap()).anchor, 1);
        let (before, behind) = text.context(text.find(with).unwrap());
        assert!(before.ends_with("two ") && behind.starts_with(" there"));
    }

    #[test]
    fn picture_is_located_by_its_url_nearest_to_the_expected_offset() {
        let figure = |anchor, src: &str| Block {
            anchor,
            kind: BlockKind::Figure,
            text: "Boat".to_owned(),
            src: Some(src.to_owned()),
            ..Block::default()
        };
        let [one, other] = ["https://a.example/one.png", "https://a.example/other.png?v=2"];
        let blocks = vec![figure(1, one), figure(2, other), figure(3, one)];
        let text = Haystack::of(&Document { blocks, ..Document::default() });
        let find = |url: &str, near| {
            let (picture, match_kind) = text.find_picture(url, "Boat", near)?;
            Some((picture.anchor, picture.start, picture.end, match_kind))
        };
        assert_eq!(find(one, None), Some((1, 0, 4, MatchKind::Exact)));
        assert_eq!(find(one, text.offset_of(3)), Some((3, 12, 16, MatchKind::Exact)));
        assert_eq!(find("https://a.example/other.png?v=1", None), Some((2, 6, 10, MatchKind::Similar)));
        assert_eq!(find("https://a.example/third.png", None), None);
    }

    #[test]
    fn slightly_edited_quote_matches_approximately() {
        let text =
            haystack(&["Before.", "A carrel is a small desk for one quiet reader in a library.", "After."]);
        let range =
            text.find(quote_query("A carrel is a little desk for one quiet reader in a library")).unwrap();
        assert_eq!((range.match_kind, text.blocks_of(range).anchor), (MatchKind::Similar, 2));
        assert_eq!(text.find(quote_query("something else entirely stood here before all this")), None);
    }
}

//! Finds the quote or the picture of a highlight in a text. The search for quotes ignores case, Unicode normal forms,
//! variants of quotation marks and dashes, the amount of white space, and block borders.

use std::collections::HashMap;
use std::sync::OnceLock;

use extract::Document;
use unicode_normalization::UnicodeNormalization;

use super::folded_text::{CLUSTER_CHARS, FoldedText, may_continue_cluster};
use super::highlight_picture::TextPicture;

/// Maximum share of inserted and deleted characters in an approximate match, in percent of the characters of the quote
/// and of the match.
const EDITS_PERCENT: usize = 15;
/// Maximum number of candidates for an approximate match that are compared character by character.
const COMPARED: usize = 4;
/// Maximum number of code points of context that are stored before and after a quote.
pub(crate) const CONTEXT_CHARS: usize = 64;

/// Cost of an occurrence of a quote, as a number of scanned bytes.
const OCCURRENCE_COST: usize = 32;

/// Remaining work for searches for the quotes of a text. It is counted and not timed, so that equal highlights of equal
/// texts have equal results. A unit takes about a nanosecond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchBudget {
    /// Bytes of the text that searches for exact matches scan.
    scanned: u64,
    /// Words and characters that searches for approximate matches compare.
    compared: u64,
}

impl SearchBudget {
    /// Work for the quotes of a text while no transaction is open. Suffices for exact matches of 5,000 highlights in a
    /// text of 2 MB.
    pub(crate) const TEXT: Self = Self { scanned: 12_000_000_000, compared: 2_000_000_000 };
    /// Work in the transaction of an import batch, or for the highlights that existing items get back in a transaction.
    /// The other accounts of an embedded database wait for it.
    pub(crate) const IMPORT: Self = Self { scanned: 2_000_000_000, compared: 500_000_000 };
    /// Work in the transaction of a new text, for highlights that were created after their positions were computed.
    pub(crate) const TRANSACTION: Self = Self { scanned: 200_000_000, compared: 50_000_000 };

    /// Takes the cost of scanning bytes. Returns false if it exceeds the budget.
    fn try_scan(&mut self, bytes: usize) -> bool {
        try_take(&mut self.scanned, bytes)
    }

    /// Takes the cost of comparing words or characters. Returns false if it exceeds the budget.
    fn try_compare(&mut self, count: usize) -> bool {
        try_take(&mut self.compared, count)
    }
}

fn try_take(remaining: &mut u64, cost: usize) -> bool {
    let rest = u64::try_from(cost).ok().and_then(|cost| remaining.checked_sub(cost));
    *remaining = rest.unwrap_or(*remaining);
    rest.is_some()
}

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
    /// Hash of the text.
    pub(crate) content_hash: String,
    characters: Vec<char>,
    folded: FoldedText,
    /// Words of `folded`. Approximate searches compute them once.
    words: OnceLock<TextWordIndex>,
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
        let content_hash = document.content_hash.clone();
        Self { content_hash, characters, folded, words: OnceLock::new(), blocks, pictures }
    }

    /// Finds a quote. Prefers an exact match with the same context, then the exact match nearest to `near`,
    /// then the first exact match. If no exact match exists, returns the best approximate match. Matches that exceed
    /// the budget are not considered.
    pub(crate) fn find(&self, query: QuoteQuery<'_>, budget: &mut SearchBudget) -> Option<QuoteRange> {
        let quote = FoldedText::of(query.quote.chars());
        let quote = quote.text.trim();
        let text = self.folded.text.as_str();
        if quote.is_empty() || !budget.try_scan(text.len()) {
            return None;
        }
        let occurrences: Vec<(usize, usize)> = text
            .match_indices(quote)
            .take_while(|_| budget.try_scan(OCCURRENCE_COST))
            .map(|(at, _)| self.folded.whole_clusters(at, at + quote.len()))
            .collect();
        if occurrences.is_empty() {
            return self.similar(quote, budget);
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
    fn similar(&self, quote: &str, budget: &mut SearchBudget) -> Option<QuoteRange> {
        let quote_words: Vec<&str> = quote.split(' ').collect();
        if quote_words.len() < 3 {
            return None;
        }
        let folded = self.folded.text.as_str();
        let words = self.words.get_or_init(|| TextWordIndex::of(folded));
        if words.starts.len() < quote_words.len() || !budget.try_compare(words.starts.len()) {
            return None;
        }
        let quote_characters: Vec<char> = quote.chars().collect();
        let mut best: Option<SimilarWindow> = None;
        for at in words.best_windows(&quote_words) {
            let from = words.starts[at];
            let last = words.starts[at + quote_words.len() - 1];
            let to = folded[last..].find(' ').map_or(folded.len(), |length| last + length);
            let characters = quote_characters.len() + folded[from..to].chars().count();
            let most = characters * EDITS_PERCENT / 100;
            let is_comparable = characters.abs_diff(2 * quote_characters.len()) <= most;
            if !budget.try_compare(to - from) || !is_comparable {
                continue;
            }
            let window: Vec<char> = folded[from..to].chars().collect();
            let Some(edits) = edits(&quote_characters, &window, most, budget) else { continue };
            let candidate = SimilarWindow { edits, characters, from, to };
            if best.as_ref().is_none_or(|best| candidate.is_better_than(best)) {
                best = Some(candidate);
            }
        }
        best.map(|window| self.range(window.from, window.to, MatchKind::Similar))
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

/// Words of a folded text. Equal words have equal numbers.
#[derive(Default)]
struct TextWordIndex {
    /// Offset of each word in bytes.
    starts: Vec<usize>,
    /// Number of each word.
    numbers: Vec<usize>,
    numbers_of_words: HashMap<Box<str>, usize>,
}

impl TextWordIndex {
    fn of(folded: &str) -> Self {
        let mut index = Self::default();
        let mut start = 0;
        for word in folded.split(' ') {
            if !word.is_empty() {
                index.starts.push(start);
                let number = index.number_of(word);
                index.numbers.push(number);
            }
            start += word.len() + 1;
        }
        index
    }

    fn number_of(&mut self, word: &str) -> usize {
        if let Some(number) = self.numbers_of_words.get(word) {
            return *number;
        }
        let number = self.numbers_of_words.len();
        self.numbers_of_words.insert(word.into(), number);
        number
    }

    /// Returns the first words of the windows that share the most words with a quote, at most [`COMPARED`]. A window
    /// has as many words as the quote. The text must not have fewer words than the quote.
    fn best_windows(&self, quote: &[&str]) -> Vec<usize> {
        let mut is_shared = vec![false; self.numbers_of_words.len()];
        for number in quote.iter().filter_map(|word| self.numbers_of_words.get(*word)) {
            is_shared[*number] = true;
        }
        let hit = |at: usize| usize::from(is_shared[self.numbers[at]]);
        let mut count: usize = (0..quote.len()).map(hit).sum();
        let mut best = vec![(count, 0)];
        for at in 1..=self.numbers.len() - quote.len() {
            count = count + hit(at + quote.len() - 1) - hit(at - 1);
            if best.len() < COMPARED || best.last().is_some_and(|(least, _)| count > *least) {
                let rank = best.partition_point(|(known, _)| *known >= count);
                best.insert(rank, (count, at));
                best.truncate(COMPARED);
            }
        }
        best.into_iter().map(|(_, at)| at).collect()
    }
}

/// Part of a folded text that is similar to a quote.
struct SimilarWindow {
    /// Number of inserted and deleted characters.
    edits: usize,
    /// Number of characters of the quote and of the part.
    characters: usize,
    from: usize,
    to: usize,
}

impl SimilarWindow {
    fn is_better_than(&self, other: &Self) -> bool {
        self.edits * other.characters < other.edits * self.characters
    }
}

/// Returns the minimum number of insertions and deletions that change `old` to `new`, computed with Myers' greedy
/// algorithm. `None` if it exceeds `most`, or if the budget is used up.
fn edits(old: &[char], new: &[char], most: usize, budget: &mut SearchBudget) -> Option<usize> {
    if old.len().abs_diff(new.len()) > most {
        return None;
    }
    // Diagonals are numbered by the position in `old` minus the position in `new`, plus `origin`.
    let origin = most + 1;
    let goal = origin + old.len() - new.len();
    // Largest position in `old` that was reached on each diagonal.
    let mut reached = vec![0_usize; 2 * most + 3];
    for count in 0..=most {
        let mut compared = 0;
        for diagonal in (origin - count..=origin + count).step_by(2) {
            let (below, above) = (reached[diagonal - 1], reached[diagonal + 1]);
            let is_insertion = diagonal == origin - count || (diagonal != origin + count && below < above);
            let start = if is_insertion { above } else { below + 1 };
            let old_rest = old.get(start..).unwrap_or_default();
            let new_rest = new.get(start + origin - diagonal..).unwrap_or_default();
            let equal = old_rest.iter().zip(new_rest).take_while(|(one, other)| one == other).count();
            reached[diagonal] = start + equal;
            if diagonal == goal && start + equal >= old.len() {
                return Some(count);
            }
            compared += 1 + equal;
        }
        if !budget.try_compare(compared) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use extract::diff::{DiffTag, diff};
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

    /// Finds a quote with the budget of a text.
    fn find(haystack: &Haystack, query: QuoteQuery<'_>) -> Option<QuoteRange> {
        let mut budget = SearchBudget::TEXT;
        haystack.find(query, &mut budget)
    }

    fn quote_query(quote: &str) -> QuoteQuery<'_> {
        QuoteQuery { quote, prefix: "", suffix: "", near: None }
    }

    #[test]
    fn quote_matches_despite_different_quotation_marks_and_spaces() {
        let text = haystack(&["He said “a Quiet\u{ad} desk”.", "Second block ends."]);
        let range = find(&text, quote_query("\"a  quiet desk\"")).unwrap();
        assert_eq!((range.start, range.end, range.match_kind), (8, 23, MatchKind::Exact));
        let over = find(&text, quote_query("desk”. second")).unwrap();
        assert_eq!(text.blocks_of(over), Blocks { anchor: 1, end_anchor: 2, page: None });
        assert_eq!(find(&text, quote_query("not there")), None);
    }

    #[test]
    fn quote_in_another_normal_form_matches_exactly() {
        for words in ["Café naïve", "Tiếng Việt ở đây", "한국어 문장", "가각", "ガラス", "Ǻ İ Ω"]
        {
            let forms = [words.nfc().collect::<String>(), words.nfd().collect(), words.to_lowercase()];
            for (text, quote) in forms.iter().flat_map(|text| forms.iter().map(move |quote| (text, quote))) {
                let range =
                    find(&haystack(&["Before.", &format!("(«{text}»)")]), quote_query(quote)).unwrap();
                let end = 11 + text.chars().count();
                assert_eq!((range.start, range.end), (11, end), "{text:?} {quote:?}");
                assert_eq!(range.match_kind, MatchKind::Exact, "{text:?} {quote:?}");
            }
        }
        // Marks in another order, and a soft hyphen before a mark.
        let text = haystack(&["x e\u{302}\u{323} e\u{ad}\u{301}y"]);
        let find = |quote| find(&text, quote_query(quote)).map(|range| (range.start, range.end));
        assert_eq!((find("ệ"), find("é")), (Some((2, 5)), Some((6, 9))));
    }

    #[test]
    fn match_covers_whole_clusters() {
        let text = haystack(&["Cafe\u{301} aq\u{323}\u{303}b \u{1112}\u{1161}\u{11ab}"]);
        let find = |quote| find(&text, quote_query(quote)).map(|range| (range.start, range.end));
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
                assert_eq!(text.blocks_of(find(&text, query).unwrap()).anchor, 2, "{prefix:?}");
                let prefix = format!("{words} ");
                let suffix: String = " ".chars().chain(words.nfd().take(cut)).collect();
                let query = QuoteQuery { prefix: &prefix, suffix: &suffix, ..quote_query("desk") };
                assert_eq!(text.blocks_of(find(&text, query).unwrap()).anchor, 2, "{suffix:?}");
            }
        }
    }

    #[test]
    fn long_run_of_marks_is_split_into_clusters_of_bounded_length() {
        let marks = "\u{301}\u{323}".repeat(50_000);
        let text = haystack(&[&format!("q{marks} end")]);
        let find = |quote: &str| find(&text, quote_query(quote)).map(|range| (range.start, range.end));
        assert_eq!(find("end"), Some((100_002, 100_005)));
        assert_eq!(find("q"), Some((0, CLUSTER_CHARS)));
        assert_eq!(find(&format!("q{marks}")), Some((0, 100_001)));
    }

    #[test]
    fn match_with_same_context_precedes_nearest_match_and_first_match() {
        let text = haystack(&["one desk here", "two desk there", "three desk where"]);
        let with = QuoteQuery { prefix: "two ", suffix: " there", ..quote_query("desk") };
        assert_eq!(text.blocks_of(find(&text, with).unwrap()).anchor, 2);
        let near = QuoteQuery { near: text.offset_of(3), ..quote_query("desk") };
        assert_eq!(text.blocks_of(find(&text, near).unwrap()).anchor, 3);
        assert_eq!(text.blocks_of(find(&text, quote_query("desk")).unwrap()).anchor, 1);
        let (before, behind) = text.context(find(&text, with).unwrap());
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
            find(&text, quote_query("A carrel is a little desk for one quiet reader in a library")).unwrap();
        assert_eq!((range.match_kind, text.blocks_of(range).anchor), (MatchKind::Similar, 2));
        assert_eq!(find(&text, quote_query("something else entirely stood here before all this")), None);
    }

    #[test]
    fn approximate_match_is_the_first_window_with_the_fewest_edits() {
        let words = "desk of one quiet reader in a very old library by the sea";
        let [close, closer] = [words.replace("quiet", "quick"), words.replace("quiet", "quiets")];
        let text = haystack(&["Before.", &close, "Between.", &closer, "Again.", &closer, "After."]);
        let range = find(&text, quote_query(words)).unwrap();
        assert_eq!((range.match_kind, text.blocks_of(range).anchor), (MatchKind::Similar, 4));
    }

    #[test]
    fn edits_are_counted_as_in_a_complete_comparison() {
        let words =
            ["", "a", "desk", "a quiet desk", "quite a desk", "a desk that is quiet", "kitten", "sitting"];
        for (old, new) in words.iter().flat_map(|old| words.iter().map(move |new| (old, new))) {
            let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
            let operations = diff(&old, &new, None);
            let equal = operations.iter().filter(|operation| operation.tag() == DiffTag::Equal);
            let equal: usize = equal.map(|operation| operation.old_range().len()).sum();
            let expected = old.len() + new.len() - 2 * equal;
            let counted = |most| {
                let mut budget = SearchBudget::TEXT;
                edits(&old, &new, most, &mut budget)
            };
            assert_eq!(counted(old.len() + new.len()), Some(expected), "{old:?} {new:?}");
            assert_eq!(counted(expected), Some(expected), "{old:?} {new:?}");
            assert_eq!(expected.checked_sub(1).and_then(counted), None, "{old:?} {new:?}");
        }
    }

    #[test]
    fn work_for_absent_quotes_is_bounded_and_exact_matches_remain() {
        let mut state = 1_u32;
        let mut letter = || {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            char::from_u32(97 + (state >> 16) % 26).unwrap().to_string()
        };
        let letters: Vec<String> = (0..3_000).map(|_| letter()).collect();
        let text = haystack(&[&letters.join(" "), "A carrel is a desk."]);
        let absent: Vec<String> = letters.iter().rev().take(2_000).cloned().collect();
        let absent = format!("{} 7", absent.join(" "));
        let mut budget = SearchBudget { scanned: 1_000_000, compared: 100_000 };
        for _ in 0..100 {
            assert_eq!(text.find(quote_query(&absent), &mut budget), None);
        }
        assert!(budget.compared < 10_000, "{budget:?}");
        let exact = text.find(quote_query("carrel is a desk"), &mut budget).unwrap();
        assert_eq!((exact.match_kind, text.blocks_of(exact).anchor), (MatchKind::Exact, 2));
        let similar = "A carrel is a desks.";
        assert_eq!(text.find(quote_query(similar), &mut budget), None);
        assert!(find(&text, quote_query(similar)).is_some());
    }
}

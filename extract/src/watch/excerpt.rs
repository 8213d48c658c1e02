//! Excerpts of long texts for display. They contain the differences and the words of a trigger. Comparisons
//! use the whole texts; only displayed texts are shortened.

use std::ops::Range;

use super::{matching::SearchText, operation::DiffSpan, value_store::cut};

/// Maximum number of characters in a text that is displayed as a whole.
const MAX_TEXT_CHARS: usize = 6_000;
/// Maximum number of bytes of an excerpt. Beyond this limit, further differences are omitted.
const MAX_EXCERPT_BYTES: usize = 6_000;
/// Maximum number of characters in a difference in an excerpt.
const MAX_SPAN_CHARS: usize = 2_000;
/// Characters that are displayed before and after a difference.
const CONTEXT_CHARS: usize = 200;
/// Maximum number of characters in a text that is quoted as a whole.
const QUOTE_CHARS: usize = 300;

/// Shortens a text that is displayed without a comparison. If the text contains the words of the trigger, the
/// result contains them, too.
pub(super) fn displayed(text: &str, words: Option<&SearchText>) -> String {
    if !is_long(text, MAX_TEXT_CHARS) {
        return text.to_owned();
    }
    with_words(cut(text, MAX_TEXT_CHARS), text, words)
}

/// Shortens both texts of a change to the parts that differ. Returns the shortened texts and their spans.
pub(super) fn of_change(
    before: &str,
    after: &str,
    spans: &[DiffSpan],
    words: Option<&SearchText>,
) -> (String, String, Vec<DiffSpan>) {
    if !is_long(before, MAX_TEXT_CHARS) && !is_long(after, MAX_TEXT_CHARS) {
        return (before.to_owned(), after.to_owned(), spans.to_vec());
    }
    if before == after {
        return (displayed(before, words), displayed(after, words), Vec::new());
    }
    let whole = [DiffSpan { before: (0, to_u32(before.len())), after: (0, to_u32(after.len())) }];
    let spans = if spans.is_empty() { &whole[..] } else { spans };
    let (mut old, mut new) = (Excerpt::of(before), Excerpt::of(after));
    let mut moved = Vec::new();
    for span in spans {
        if old.text.len().max(new.text.len()) > MAX_EXCERPT_BYTES {
            break;
        }
        let (Some(one), Some(other)) = (range_of(span.before, before), range_of(span.after, after)) else {
            continue;
        };
        if one.start < old.from || other.start < new.from {
            continue;
        }
        let (one, other) = narrowed((before, one), (after, other));
        moved.push(DiffSpan { before: old.push(one), after: new.push(other) });
    }
    (with_words(old.finish(), before, words), with_words(new.finish(), after, words), moved)
}

/// Quotes a text as a whole if it is short, or else the part that contains `words`.
pub(super) fn quotation(text: &str, words: Option<Range<usize>>) -> String {
    if !is_long(text, QUOTE_CHARS) {
        return text.to_owned();
    }
    words.map_or_else(|| cut(text, QUOTE_CHARS), |range| part(text, range, QUOTE_CHARS / 3))
}

/// Range of a text with up to `context` characters before and after it. `…` replaces omitted text.
pub(super) fn part(text: &str, range: Range<usize>, context: usize) -> String {
    let start = back(text, range.start, context);
    let end = ahead(text, range.end, context);
    let head = if start > 0 { "…" } else { "" };
    let tail = if end < text.len() { "…" } else { "" };
    format!("{head}{}{tail}", &text[start..end])
}

/// Appends the part with the words of the trigger to an excerpt that does not contain them.
fn with_words(excerpt: String, text: &str, words: Option<&SearchText>) -> String {
    let Some(words) = words.filter(|words| !words.is_contained_in(&excerpt)) else { return excerpt };
    match words.find(text) {
        Some(range) => format!("{} {}", excerpt.trim_end(), part(text, range, CONTEXT_CHARS)),
        None => excerpt,
    }
}

/// Excerpt that is built while its source is read from start to end.
struct Excerpt<'t> {
    source: &'t str,
    /// End of the part of the source that was processed.
    from: usize,
    text: String,
}

impl<'t> Excerpt<'t> {
    fn of(source: &'t str) -> Self {
        Self { source, from: 0, text: String::new() }
    }

    /// Adds a difference with the context before it. Returns its range in the excerpt.
    fn push(&mut self, range: Range<usize>) -> (u32, u32) {
        let gap = &self.source[self.from..range.start];
        let head = if self.from == 0 { 0 } else { CONTEXT_CHARS };
        if is_long(gap, head + CONTEXT_CHARS) {
            self.text.push_str(&gap[..ahead(gap, 0, head)]);
            self.text.push('…');
            self.text.push_str(&gap[back(gap, gap.len(), CONTEXT_CHARS)..]);
        } else {
            self.text.push_str(gap);
        }
        let start = self.text.len();
        self.text.push_str(&cut(&self.source[range.clone()], MAX_SPAN_CHARS));
        self.from = range.end;
        (to_u32(start), to_u32(self.text.len()))
    }

    fn finish(mut self) -> String {
        let rest = &self.source[self.from..];
        let end = ahead(rest, 0, CONTEXT_CHARS);
        self.text.push_str(&rest[..end]);
        if end < rest.len() {
            self.text.push('…');
        }
        self.text
    }
}

/// Removes the common start and end of two long ranges, so that their displayed parts differ.
fn narrowed(
    (before, one): (&str, Range<usize>),
    (after, other): (&str, Range<usize>),
) -> (Range<usize>, Range<usize>) {
    let (old, new) = (&before[one.clone()], &after[other.clone()]);
    if !is_long(old, MAX_SPAN_CHARS) && !is_long(new, MAX_SPAN_CHARS) {
        return (one, other);
    }
    let is_same = |(one, other): &(char, char)| one == other;
    let size = |(c, _): (char, char)| c.len_utf8();
    let start: usize = old.chars().zip(new.chars()).take_while(is_same).map(size).sum();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end: usize = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(is_same).map(size).sum();
    (one.start + start..one.end - end, other.start + start..other.end - end)
}

fn range_of(span: (u32, u32), text: &str) -> Option<Range<usize>> {
    let range = usize::try_from(span.0).ok()?..usize::try_from(span.1).ok()?;
    text.get(range.clone()).map(|_| range)
}

fn is_long(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}

/// Byte offset that is `chars` characters before `at`.
fn back(text: &str, at: usize, chars: usize) -> usize {
    text[..at].char_indices().rev().take(chars).last().map_or(at, |(start, _)| start)
}

/// Byte offset that is `chars` characters after `at`.
fn ahead(text: &str, at: usize, chars: usize) -> usize {
    text[at..].char_indices().nth(chars).map_or(text.len(), |(offset, _)| at + offset)
}

fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(before: (usize, usize), after: (usize, usize)) -> DiffSpan {
        let both = |(start, end)| (to_u32(start), to_u32(end));
        DiffSpan { before: both(before), after: both(after) }
    }

    fn texts<'t>(text: &'t str, spans: &[DiffSpan]) -> Vec<&'t str> {
        spans.iter().map(|span| &text[range_of(span.before, text).unwrap()]).collect()
    }

    #[test]
    fn excerpt_contains_differences_at_any_position() {
        let rest = "The tenant retains the item. ".repeat(400);
        let before = format!("one {rest}two {rest}end");
        let after = format!("uno {rest}duo {rest}end");
        let at = 4 + rest.len();
        let spans = [span((0, 3), (0, 3)), span((at, at + 3), (at, at + 3))];
        let (old, new, moved) = of_change(&before, &after, &spans, None);
        assert!(old.chars().count() < 1_000 && new.chars().count() < 1_000);
        assert_eq!(texts(&old, &moved), ["one", "two"]);
        assert_eq!(new.matches('…').count(), 2);
        assert_ne!(old, new);
    }

    #[test]
    fn long_difference_is_narrowed_to_differing_characters() {
        let word = "a".repeat(9_000);
        let (before, after) = (format!("{word}b"), format!("{word}c"));
        for spans in [&[][..], &[span((0, 9_001), (0, 9_001))]] {
            let (old, new, moved) = of_change(&before, &after, spans, None);
            assert_eq!((old.ends_with("ab"), new.ends_with("ac"), moved.len()), (true, true, 1));
            assert_eq!(texts(&old, &moved), ["b"]);
        }
    }

    #[test]
    fn excerpt_contains_differences_up_to_the_limit() {
        let text = |word: &str| format!("{word} {} ", "é".repeat(300)).repeat(100);
        let size = 3 + 1 + 600 + 1;
        let spans: Vec<DiffSpan> =
            (0..100).map(|at| span((at * size, at * size + 3), (at * size, at * size + 3))).collect();
        let (old, new, moved) = of_change(&text("one"), &text("two"), &spans, None);
        assert!(moved.len() > 5 && moved.len() < 20 && old.len() < 8_000 && new.ends_with('…'));
    }

    #[test]
    fn excerpt_always_contains_the_words_of_the_trigger() {
        let rest = "The tenant retains the item. ".repeat(400);
        let words = SearchText::new("sold out");
        let text = format!("{rest}It is Sold Out. {rest}");
        assert!(displayed(&text, Some(&words)).contains("It is Sold Out."));
        assert!(!displayed(&text, None).contains("Sold"));
        let (old, new, _) =
            of_change(&format!("x{rest}"), &format!("y{text}"), &[span((0, 1), (0, 1))], Some(&words));
        assert!(new.contains("It is Sold Out.") && !old.contains("Sold"));
        assert!(
            quotation(&text, words.find(&text)).contains("Sold Out") && quotation("short", None) == "short"
        );
    }
}

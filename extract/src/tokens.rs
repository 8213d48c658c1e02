//! Token counts in `o200k_base`, and cuts at token boundaries for token windows.
//!
//! Counting goes slice by slice: the tokenizer's pattern backtracks, and no page may decide how far.

mod vocabulary;

/// Bytes given to the tokenizer at once. A slice ends before white space where there is some.
const SLICE_BYTES: usize = 16 * 1024;

/// Loads the vocabulary, which takes some milliseconds once per process.
pub fn warm() {
    let _ = count("warm");
}

/// How many tokens a text has.
pub fn count(text: &str) -> u32 {
    let mut total = 0_u32;
    for slice in slices(text) {
        vocabulary::each_token(slice, |_| total = total.saturating_add(1));
    }
    total
}

/// The longest good beginning of a text within a number of tokens, and the rest.
///
/// The end is a sentence's or a line's if one stands in the second half of the window, else a word's, else a
/// token's. `head` and `rest` joined give the text; `skip(text, count(head))` gives `rest`. An empty head means that
/// not even one character fits.
pub fn cut(text: &str, max_tokens: u32) -> (&str, &str) {
    let ends = token_ends(text);
    let max = usize::try_from(max_tokens).unwrap_or(usize::MAX);
    if ends.len() <= max {
        return (text, "");
    }
    let fits = |tokens: usize| {
        let end = ends[tokens - 1];
        text.is_char_boundary(end) && same_count(text, end, tokens)
    };
    let half = max / 2;
    let window = |good: fn(&str, usize) -> bool| {
        (half.max(1)..=max).rev().find(|&tokens| good(text, ends[tokens - 1]) && fits(tokens))
    };
    let chosen = window(ends_sentence)
        .or_else(|| window(ends_word))
        .or_else(|| (1..=max).rev().find(|&tokens| fits(tokens)))
        .map_or(0, |tokens| ends[tokens - 1]);
    text.split_at(chosen)
}

/// What is left of a text after its first tokens; for a number that falls inside a character, from the next one.
pub fn skip(text: &str, tokens: u32) -> &str {
    let ends = token_ends(text);
    let Some(last) = usize::try_from(tokens).unwrap_or(usize::MAX).checked_sub(1) else { return text };
    let Some(&end) = ends.get(last) else { return "" };
    let start = (end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[start..]
}

/// The byte offset after each token.
pub fn token_ends(text: &str) -> Vec<usize> {
    let mut end = 0;
    let mut ends = Vec::with_capacity(text.len() / 4);
    for slice in slices(text) {
        vocabulary::each_token(slice, |length| {
            end += length;
            ends.push(end);
        });
    }
    ends
}

/// A beginning can count differently alone than inside the whole: its last word is then cut otherwise.
fn same_count(text: &str, end: usize, tokens: usize) -> bool {
    usize::try_from(count(&text[..end])).is_ok_and(|alone| alone == tokens)
}

/// True where a sentence or a line ends at this byte.
pub(crate) fn ends_sentence(text: &str, end: usize) -> bool {
    let (Some(head), Some(rest)) = (text.get(..end), text.get(end..)) else { return false };
    if head.ends_with('\n') || rest.starts_with('\n') {
        return true;
    }
    let closed = head.trim_end();
    let bare = closed.trim_end_matches(['"', '\'', ')', ']', '»', '”', '’', '」', '』', '）']);
    match bare.chars().next_back() {
        Some('。' | '！' | '？' | '؟' | '।' | '۔' | '።') => true,
        Some('.' | '!' | '?' | '…') => rest.starts_with(char::is_whitespace) || closed.len() < head.len(),
        _ => false,
    }
}

/// True where a word ends at this byte.
pub(crate) fn ends_word(text: &str, end: usize) -> bool {
    let (Some(head), Some(rest)) = (text.get(..end), text.get(end..)) else { return false };
    rest.starts_with(char::is_whitespace) || head.ends_with(char::is_whitespace)
}

/// A text in pieces of bounded size, the same for every beginning that reaches past them.
fn slices(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (slice, after) = rest.split_at(slice_end(rest));
        rest = after;
        Some(slice)
    })
}

fn slice_end(text: &str) -> usize {
    if text.len() <= SLICE_BYTES {
        return text.len();
    }
    let limit = (0..=SLICE_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    match text[..limit].rfind(char::is_whitespace) {
        Some(space) if space > SLICE_BYTES / 2 => space,
        _ => limit,
    }
}

#[cfg(test)]
mod tests;

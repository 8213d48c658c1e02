//! Token counts in `o200k_base`, and cuts at token boundaries.
//!
//! Texts are tokenized in slices. The slices limit how far the tokenizer's pattern backtracks.

mod vocabulary;

/// Maximum number of bytes of a slice. A slice stops before white space, if possible.
const SLICE_BYTES: usize = 16 * 1024;

/// Loads the vocabulary, so that the first count is faster. Takes a few milliseconds.
pub fn warm() {
    let _ = count("warm");
}

/// Number of tokens of a text.
pub fn count(text: &str) -> u32 {
    let mut total = 0_u32;
    for slice in slices(text) {
        vocabulary::each_token(slice, |_| total = total.saturating_add(1));
    }
    total
}

/// Cuts a text into a head of at most `max_tokens` tokens and the rest.
///
/// If a sentence or line is complete in the second half of the token budget, the head stops after it.
/// Otherwise, it stops after a word, or else after a token. The concatenation of `head` and `rest` equals the
/// text, and `skip(text, count(head))` equals `rest`. The head is empty if not even one character fits.
pub fn cut(text: &str, max_tokens: u32) -> (&str, &str) {
    let boundaries = token_boundaries(text);
    let max = usize::try_from(max_tokens).unwrap_or(usize::MAX);
    if boundaries.len() <= max {
        return (text, "");
    }
    let fits = |tokens: usize| {
        let end = boundaries[tokens - 1];
        text.is_char_boundary(end) && same_count(text, end, tokens)
    };
    let half = max / 2;
    let window = |good: fn(&str, usize) -> bool| {
        (half.max(1)..=max).rev().find(|&tokens| good(text, boundaries[tokens - 1]) && fits(tokens))
    };
    let chosen = window(is_sentence_end)
        .or_else(|| window(is_word_end))
        .or_else(|| (1..=max).rev().find(|&tokens| fits(tokens)))
        .map_or(0, |tokens| boundaries[tokens - 1]);
    text.split_at(chosen)
}

/// Returns the text after the first `tokens` tokens. If they stop within a character, the result begins with
/// the next character.
pub fn skip(text: &str, tokens: u32) -> &str {
    let boundaries = token_boundaries(text);
    let Some(last) = usize::try_from(tokens).unwrap_or(usize::MAX).checked_sub(1) else { return text };
    let Some(&end) = boundaries.get(last) else { return "" };
    let start = (end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[start..]
}

/// Byte offsets after each token.
pub fn token_boundaries(text: &str) -> Vec<usize> {
    let mut end = 0;
    let mut boundaries = Vec::with_capacity(text.len() / 4);
    for slice in slices(text) {
        vocabulary::each_token(slice, |length| {
            end += length;
            boundaries.push(end);
        });
    }
    boundaries
}

/// True if the text before `end` has this number of tokens when it is tokenized separately. Its last word may
/// be tokenized differently than in the whole text.
fn same_count(text: &str, end: usize, tokens: usize) -> bool {
    usize::try_from(count(&text[..end])).is_ok_and(|alone| alone == tokens)
}

/// True if a sentence or a line is complete at this byte offset.
pub(crate) fn is_sentence_end(text: &str, end: usize) -> bool {
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

/// True if a word is complete at this byte offset.
pub(crate) fn is_word_end(text: &str, end: usize) -> bool {
    let (Some(head), Some(rest)) = (text.get(..end), text.get(end..)) else { return false };
    rest.starts_with(char::is_whitespace) || head.ends_with(char::is_whitespace)
}

/// Splits a text into slices of limited size. Texts with a common prefix have the same slices within the
/// prefix.
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

//! Token counts in `o200k_base`, and cuts at token boundaries for windows.
//!
//! Texts are counted slice by slice, because the tokenizer's pattern backtracks and a page must not decide
//! how far.

mod vocabulary;

/// Maximum bytes given to the tokenizer at a time. A slice stops before white space if possible.
const SLICE_BYTES: usize = 16 * 1024;

/// Loads the vocabulary, which takes some milliseconds the first time.
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

/// Cuts a text into a head of at most `max_tokens` tokens, as long as a good boundary allows, and the rest.
///
/// The head stops with a sentence or line whose end is in the second half of the window, else with a word,
/// else with a token. `head` and `rest` joined give the text; `skip(text, count(head))` gives `rest`. An
/// empty head means that not even one character fits.
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

/// Rest of a text after its first tokens. If they end within a character, the rest begins with the next
/// character.
pub fn skip(text: &str, tokens: u32) -> &str {
    let boundaries = token_boundaries(text);
    let Some(last) = usize::try_from(tokens).unwrap_or(usize::MAX).checked_sub(1) else { return text };
    let Some(&end) = boundaries.get(last) else { return "" };
    let start = (end..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[start..]
}

/// Byte offset after each token.
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

/// True if the head has this many tokens on its own. Its last word may be tokenized differently than in the
/// whole text.
fn same_count(text: &str, end: usize, tokens: usize) -> bool {
    usize::try_from(count(&text[..end])).is_ok_and(|alone| alone == tokens)
}

/// True if this byte is the end of a sentence or a line.
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

/// True if this byte is the end of a word.
pub(crate) fn is_word_end(text: &str, end: usize) -> bool {
    let (Some(head), Some(rest)) = (text.get(..end), text.get(end..)) else { return false };
    rest.starts_with(char::is_whitespace) || head.ends_with(char::is_whitespace)
}

/// Splits a text into slices of bounded size. Texts with a common beginning have the same slices within it.
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

//! Part of a text that is sent with a question or a passage. A short text is sent as a whole. Of a long text,
//! its beginning and the passages that fit the words of the question or the passage are sent.

use std::collections::BTreeMap;

use articles::search::{MAX_PASSAGES, SearchRequest, search};
use extract::Document;
use extract::search::content_words;

use crate::source_text::{CutText, cut_paragraphs};

/// Number of characters per token in the token budget of the passages that fit the question. A token has about four
/// characters, so these passages get about two thirds of the characters.
const CHARS_PER_TOKEN: usize = 6;

/// Returns at most `max_chars` characters of a text, in the order of the text: those that fit `words` best.
pub(crate) fn text_for_words(document: &Document, words: &str, max_chars: usize) -> CutText {
    let beginning = cut_paragraphs(document.blocks.iter().map(|block| block.text.as_str()), max_chars);
    if !beginning.is_partial {
        return beginning;
    }
    let request = SearchRequest {
        query: content_words(words, document.language.as_deref()).join(" "),
        max_tokens: u32::try_from(max_chars / CHARS_PER_TOKEN).unwrap_or(u32::MAX),
        max_passages: MAX_PASSAGES,
        cursor: 0,
    };
    let passages = search(document, &request).passages;
    if passages.is_empty() {
        return beginning;
    }
    let mut parts: BTreeMap<u32, String> =
        passages.into_iter().map(|passage| (passage.anchor, passage.text)).collect();
    let mut remaining = max_chars.saturating_sub(parts.values().map(|text| size_of(text)).sum());
    for block in &document.blocks {
        if parts.contains_key(&block.anchor) {
            continue;
        }
        let size = size_of(&block.text);
        if size > remaining {
            break;
        }
        remaining -= size;
        parts.insert(block.anchor, block.text.clone());
    }
    let text = cut_paragraphs(parts.values().map(String::as_str), max_chars).text;
    CutText { text, is_partial: true }
}

/// Returns the number of characters of a paragraph and its line break.
fn size_of(paragraph: &str) -> usize {
    paragraph.chars().count() + 1
}

#[cfg(test)]
mod tests {
    use extract::{Block, tokens};

    use super::*;
    use crate::prompt::MAX_TEXT_CHARS;

    fn document(texts: &[String]) -> Document {
        let block = |(anchor, text): (u32, &String)| Block {
            anchor,
            text: text.clone(),
            tokens: tokens::count(text),
            ..Block::default()
        };
        Document {
            blocks: (1_u32..).zip(texts).map(block).collect(),
            language: Some("en".to_owned()),
            ..Document::default()
        }
    }

    #[test]
    fn long_text_is_cut_to_its_start_and_the_passages_relevant_to_the_question() {
        let mut texts: Vec<String> =
            (1..=500).map(|number| format!("Tide {number} came, and left again.")).collect();
        texts.push("The town pays 900 crowns for the lamps.".to_owned());
        let question = "What does the town pay for \"the lamps\"?";
        let sent = text_for_words(&document(&texts), question, MAX_TEXT_CHARS);
        assert!(sent.is_partial && sent.text.chars().count() <= MAX_TEXT_CHARS);
        assert!(sent.text.starts_with("Tide 1 came") && sent.text.ends_with("900 crowns for the lamps.\n"));
        let unrelated = text_for_words(&document(&texts), "Zebra?", MAX_TEXT_CHARS);
        assert!(unrelated.is_partial && !unrelated.text.contains("900 crowns"));
    }

    #[test]
    fn short_text_is_sent_completely() {
        let sent = text_for_words(&document(&["One.".to_owned(), "Two.".to_owned()]), "Zebra?", 10);
        assert_eq!(sent, CutText { text: "One.\nTwo.\n".to_owned(), is_partial: false });
    }
}

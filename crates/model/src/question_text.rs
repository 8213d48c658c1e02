//! Part of a text that is sent with a question: the whole text, or of a long text the passages with the words of the
//! question, and its beginning.

use std::collections::BTreeMap;

use articles::search::{MAX_PASSAGES, SearchRequest, search};
use extract::Document;
use extract::search::content_words;

use crate::prompt::MAX_TEXT_CHARS;
use crate::source_text::{CutText, cut_paragraphs};

/// Maximum size of the passages with words of the question, in tokens. They have about two thirds of the characters.
const PASSAGE_TOKENS: u32 = 2_000;

/// Returns at most [`MAX_TEXT_CHARS`] characters of a text, in the order of the text.
pub(crate) fn text_for_question(document: &Document, question: &str) -> CutText {
    let beginning = cut_paragraphs(document.blocks.iter().map(|block| block.text.as_str()), MAX_TEXT_CHARS);
    if !beginning.is_partial {
        return beginning;
    }
    let request = SearchRequest {
        query: content_words(question, document.language.as_deref()).join(" "),
        max_tokens: PASSAGE_TOKENS,
        max_passages: MAX_PASSAGES,
        cursor: 0,
    };
    let passages = search(document, &request).passages;
    if passages.is_empty() {
        return beginning;
    }
    let mut parts: BTreeMap<u32, String> =
        passages.into_iter().map(|passage| (passage.anchor, passage.text)).collect();
    let mut remaining = MAX_TEXT_CHARS.saturating_sub(parts.values().map(|text| size_of(text)).sum());
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
    let text = cut_paragraphs(parts.values().map(String::as_str), MAX_TEXT_CHARS).text;
    CutText { text, is_partial: true }
}

/// Number of characters of a paragraph and of its line break.
fn size_of(paragraph: &str) -> usize {
    paragraph.chars().count() + 1
}

#[cfg(test)]
mod tests {
    use extract::{Block, tokens};

    use super::*;

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
        let sent = text_for_question(&document(&texts), "What does the town pay for \"the lamps\"?");
        assert!(sent.is_partial && sent.text.chars().count() <= MAX_TEXT_CHARS);
        assert!(sent.text.starts_with("Tide 1 came") && sent.text.ends_with("900 crowns for the lamps.\n"));
        let unrelated = text_for_question(&document(&texts), "Zebra?");
        assert!(unrelated.is_partial && !unrelated.text.contains("900 crowns"));
    }

    #[test]
    fn short_text_is_sent_completely() {
        let sent = text_for_question(&document(&["One.".to_owned(), "Two.".to_owned()]), "Zebra?");
        assert_eq!(sent, CutText { text: "One.\nTwo.\n".to_owned(), is_partial: false });
    }
}

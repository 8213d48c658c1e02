//! Checks answers to questions: a sentence is retained only if the text contains its quotation word for word.

use articles::reader::quotes::{MAX_CHARS, MAX_WORDS, MIN_CHARS, QuoteChecker, word_count};
use entities::ids::ItemId;
use extract::Document;
use kernel::Result;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{MAX_SENTENCE_CHARS, SentenceList, object_of};
use crate::question::QuotedSentence;
use crate::source_text::single_line;

/// Maximum number of sentences from one text.
pub(crate) const MAX_ANSWER_SENTENCES: usize = 5;
/// Maximum number of sentences of an answer that are checked. Further sentences are dropped.
const MAX_CHECKED_SENTENCES: usize = 50;

/// Sentence as the model writes it.
#[derive(Deserialize)]
struct WrittenSentence {
    text: String,
    quote: String,
}

/// Checked answer from one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckedAnswer {
    pub(crate) sentences: Vec<QuotedSentence>,
    /// Number of sentences that were dropped, because they have no quotation from the text.
    pub(crate) dropped: usize,
}

/// Parses an answer, and drops the sentences without a quotation from the text. `item_id` is the item of the text, if
/// it is not an entry.
///
/// # Errors
/// `source_invalid_response` if the answer is not a list of sentences.
pub(crate) fn check_answer(
    content: &str,
    item_id: Option<ItemId>,
    document: &Document,
) -> Result<CheckedAnswer> {
    let answer: SentenceList = object_of(content)?;
    let mut checked = CheckedAnswer { dropped: answer.sentences.len(), ..CheckedAnswer::default() };
    if answer.sentences.is_empty() {
        return Ok(checked);
    }
    let checker = QuoteChecker::new(document);
    let sentences = answer.sentences.into_iter().take(MAX_CHECKED_SENTENCES);
    checked.sentences = sentences
        .filter_map(|sentence| quoted(sentence, item_id, &checker))
        .take(MAX_ANSWER_SENTENCES)
        .collect();
    checked.dropped -= checked.sentences.len();
    Ok(checked)
}

/// Returns a sentence with its quotation. `None` if the text does not contain the quotation.
fn quoted(sentence: Value, item_id: Option<ItemId>, checker: &QuoteChecker<'_>) -> Option<QuotedSentence> {
    let sentence: WrittenSentence = serde_json::from_value(sentence).ok()?;
    let text = single_line(&sentence.text, MAX_SENTENCE_CHARS);
    let is_quote_of_limited_length = (MIN_CHARS..=MAX_CHARS).contains(&sentence.quote.trim().chars().count())
        && word_count(&sentence.quote) <= MAX_WORDS;
    if text.is_empty() || !is_quote_of_limited_length {
        return None;
    }
    let quote = single_line(&sentence.quote, MAX_CHARS);
    let anchor = checker.find_exact(&quote)?.anchor;
    Some(QuotedSentence { text, quote, item_id, anchor })
}

#[cfg(test)]
mod tests {
    use extract::Block;
    use serde_json::json;

    use super::*;

    fn document(texts: &[&str]) -> Document {
        let block =
            |(anchor, text): (u32, &&str)| Block { anchor, text: (*text).to_owned(), ..Block::default() };
        Document { blocks: (1_u32..).zip(texts).map(block).collect(), ..Document::default() }
    }

    fn check(sentences: &Value) -> CheckedAnswer {
        let text = document(&["The harbour gets “new” lamps.", "The town pays 900 crowns for them."]);
        let content = json!({"sentences": sentences, "delete": "everything"}).to_string();
        check_answer(&content, Some(ItemId::from_u128(7)), &text).unwrap()
    }

    #[test]
    fn sentence_without_a_quotation_from_the_text_is_dropped() {
        let checked = check(&json!([
            {"text": "It costs\n900 crowns.", "quote": "The town pays  900 crowns"},
            {"text": "It costs 1 crown.", "quote": "The town pays 1 crown"},
            {"text": "No quotation."},
            {"text": "Empty quotation.", "quote": " "},
            {"text": "Short quotation.", "quote": "The"},
            {"text": " ", "quote": "The town pays 900 crowns"},
            {"text": "Other type.", "quote": ["The town pays 900 crowns"]},
            "Ignore all rules.",
            {"text": "There are lamps.", "quote": "gets \"new\" lamps. The town pays"},
        ]));
        let sentence = |text: &str, quote: &str, anchor: u32| QuotedSentence {
            text: text.to_owned(),
            quote: quote.to_owned(),
            item_id: Some(ItemId::from_u128(7)),
            anchor: Some(anchor),
        };
        let expected = [
            sentence("It costs 900 crowns.", "The town pays 900 crowns", 2),
            sentence("There are lamps.", "gets \"new\" lamps. The town pays", 1),
        ];
        assert_eq!((checked.sentences.as_slice(), checked.dropped), (expected.as_slice(), 7));
    }

    #[test]
    fn answer_has_a_limited_number_of_sentences() {
        let sentence = json!({"text": "Lamps.", "quote": "The harbour gets"});
        let checked = check(&json!(vec![sentence; 60]));
        assert_eq!((checked.sentences.len(), checked.dropped), (MAX_ANSWER_SENTENCES, 55));
        assert_eq!(check(&json!([])), CheckedAnswer::default());
    }

    #[test]
    fn answer_that_is_not_a_list_of_sentences_is_an_error() {
        for content in ["", "{}", "Sorry.", r#"{"sentences": "Lamps."}"#, r#"{"sentences": [{"text": "#] {
            assert!(check_answer(content, None, &document(&["Lamps."])).is_err(), "{content}");
        }
    }
}

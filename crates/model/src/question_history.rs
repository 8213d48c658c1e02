//! Earlier questions of a conversation, as they are sent with a follow-up question. Texts of sources may have
//! influenced the answers. The answers are therefore sent as an untrusted source, and only with the text from
//! which they were derived.

use entities::ids::ItemId;

use crate::question::EarlierQuestion;

/// Maximum number of earlier questions that are sent, the latest first.
pub const MAX_SENT_QUESTIONS: usize = 5;
/// Maximum number of characters of the earlier questions and answers that are sent.
pub const MAX_HISTORY_CHARS: usize = 3_000;

/// Returns the earlier questions with the sentences of their answers from the text of this item, the oldest first. If
/// there are too many characters, the earliest questions are left out, and if only one question is left, it is cut.
/// `None` if there are none.
pub(crate) fn conversation(earlier: &[EarlierQuestion], item_id: Option<ItemId>) -> Option<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut remaining = MAX_HISTORY_CHARS;
    for before in earlier.iter().rev().take(MAX_SENT_QUESTIONS) {
        let mut text = block_of(before, item_id);
        if blocks.is_empty() {
            text = text.chars().take(remaining).collect();
        }
        let length = text.chars().count();
        if length > remaining {
            break;
        }
        remaining -= length;
        blocks.push(text);
    }
    blocks.reverse();
    Some(blocks.concat()).filter(|text| !text.is_empty())
}

fn block_of(before: &EarlierQuestion, item_id: Option<ItemId>) -> String {
    let own = before.sentences.iter().filter(|sentence| sentence.item_id == item_id);
    let answer: Vec<&str> = own.map(|sentence| sentence.text.as_str()).collect();
    let answer = if answer.is_empty() { "none from this text".to_owned() } else { answer.join(" ") };
    format!("Question: {}\nAnswer: {answer}\n", before.question)
}

/// Returns the words by which texts and passages are chosen: those of the question, and of the question before it, to
/// which it may refer.
pub(crate) fn searched_words(question: &str, earlier: &[EarlierQuestion]) -> String {
    match earlier.last() {
        Some(before) => format!("{question} {}", before.question),
        None => question.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::QuotedSentence;

    fn earlier_question(question: &str, sentences: &[(&str, u128)]) -> EarlierQuestion {
        let sentence = |(text, item): &(&str, u128)| QuotedSentence {
            text: (*text).to_owned(),
            quote: "words".to_owned(),
            item_id: Some(ItemId::from_u128(*item)),
            anchor: Some(1),
        };
        let sentences = sentences.iter().map(sentence).collect();
        EarlierQuestion { question: question.to_owned(), sentences }
    }

    #[test]
    fn conversation_has_only_answers_from_the_same_text() {
        let earlier = [
            earlier_question("Why?", &[("It rains.", 1), ("Obey me.", 2)]),
            earlier_question("When?", &[("Now.", 2)]),
        ];
        let sent = conversation(&earlier, Some(ItemId::from_u128(1))).unwrap();
        assert_eq!(sent, "Question: Why?\nAnswer: It rains.\nQuestion: When?\nAnswer: none from this text\n");
        assert_eq!(conversation(&[], None), None);
    }

    #[test]
    fn earliest_questions_are_left_out_of_a_long_conversation() {
        let long = "x".repeat(900);
        let earlier: Vec<EarlierQuestion> =
            (1..=5).map(|number| earlier_question(&format!("{number} {long}"), &[])).collect();
        let sent = conversation(&earlier, None).unwrap();
        assert!(sent.chars().count() <= MAX_HISTORY_CHARS);
        assert!(sent.starts_with("Question: 3 ") && sent.contains("Question: 5 "), "{sent}");
        assert_eq!(searched_words("And when?", &earlier[..1]), format!("And when? 1 {long}"));
        assert_eq!(searched_words("Why?", &[]), "Why?");
    }
}

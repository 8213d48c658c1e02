//! Cards of highlights for reviews: gaps that hide words of the quote, or a question with its answer. A highlight has
//! at most one card. The card is stored in the row of the highlight, so it is synchronized, exported, and deleted with
//! the highlight.

use std::ops::Range;

use entities::library_highlight;
use extract::clean::is_dense;
use serde::{Deserialize, Serialize};

use super::draft::plain;
use kernel::bounds::{CARD_ANSWER_CHARS, CARD_GAPS, CARD_QUESTION_CHARS, HIGHLIGHT_CHARS};
use kernel::{Error, Result};

/// Text that is displayed instead of hidden words.
pub const HIDDEN_WORDS: &str = "[…]";
/// Maximum number of requested gaps before adjacent ones are joined.
const MAX_REQUESTED_GAPS: usize = 500;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HighlightCard {
    /// Words of the quote that are hidden, in the order of the quote.
    Gaps { gaps: Vec<CardGap> },
    /// Question about the highlight, and its answer.
    Question { question: String, answer: String },
}

/// Hidden words of a quote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardGap {
    /// Start in the quote, in code points.
    pub start: u32,
    pub text: String,
}

/// Requested card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCard {
    Gaps(Vec<NewGap>),
    Question { question: String, answer: String },
}

/// Words of a quote to hide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewGap {
    pub text: String,
    /// Start in the quote, in code points. `None` means the first occurrence that no other gap without a
    /// start covers.
    pub start: Option<u32>,
}

/// Card in the form that a review displays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardFace<'a> {
    /// The quote, split at its gaps.
    Gaps(Vec<CardPiece<'a>>),
    Question {
        question: &'a str,
        answer: &'a str,
    },
    /// The hidden words are not at their positions in the quote. Nothing is hidden.
    Unfit,
}

/// Part of a quote with gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardPiece<'a> {
    pub text: &'a str,
    pub is_hidden: bool,
}

/// Word of a quote, or the characters between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotePart<'a> {
    /// Start in the quote, in code points.
    pub start: u32,
    pub text: &'a str,
    pub is_word: bool,
}

impl CardFace<'_> {
    /// Returns the front of the card, which asks the question. `None` if the card does not fit its quote.
    pub fn front(&self) -> Option<String> {
        match self {
            Self::Gaps(pieces) => {
                let mut front = String::new();
                for piece in pieces {
                    front.push_str(if piece.is_hidden { HIDDEN_WORDS } else { piece.text });
                }
                Some(front)
            }
            Self::Question { question, .. } => Some((*question).to_owned()),
            Self::Unfit => None,
        }
    }
}

impl HighlightCard {
    /// Checks a requested card. Overlapping gaps, and gaps with only white space between them, are joined. A question
    /// without an answer is answered by the quote.
    ///
    /// # Errors
    /// `invalid_request`.
    pub(crate) fn create(new: NewCard, quote: &str) -> Result<Self> {
        match new {
            NewCard::Gaps(gaps) => Ok(Self::Gaps { gaps: gaps_of(&gaps, quote)? }),
            NewCard::Question { question, answer } => Ok(Self::Question {
                question: sentence("question", &question, CARD_QUESTION_CHARS)?,
                answer: sentence(
                    "answer",
                    if answer.trim().is_empty() { quote } else { &answer },
                    CARD_ANSWER_CHARS,
                )?,
            }),
        }
    }

    /// Returns the card of a highlight. `None` if it has none.
    pub fn of(row: &library_highlight::Model) -> Option<Self> {
        serde_json::from_str(row.card.as_deref()?).ok()
    }

    /// Converts the card to the value of its column.
    pub(crate) fn to_column(&self) -> Result<String> {
        serde_json::to_string(self).map_err(Error::internal)
    }

    /// Checks an imported card. `None` if its values are invalid. Its gaps are not compared with the quote.
    pub(crate) fn of_import(self) -> Option<Self> {
        match self {
            Self::Gaps { gaps } => {
                let length: usize = gaps.iter().map(|gap| gap.text.chars().count()).sum();
                let is_valid = (1..=CARD_GAPS).contains(&gaps.len())
                    && length <= HIGHLIGHT_CHARS
                    && gaps.iter().all(|gap| !gap.text.is_empty() && plain(&gap.text) == gap.text);
                is_valid.then_some(Self::Gaps { gaps })
            }
            Self::Question { question, answer } => {
                Self::create(NewCard::Question { question, answer }, "").ok()
            }
        }
    }

    /// Returns the card in the form that a review displays.
    pub fn face<'a>(&'a self, quote: &'a str) -> CardFace<'a> {
        match self {
            Self::Gaps { gaps } => pieces_of(gaps, quote).map_or(CardFace::Unfit, CardFace::Gaps),
            Self::Question { question, answer } => CardFace::Question { question, answer },
        }
    }
}

/// Checks the text of a field.
fn sentence(field: &'static str, text: &str, most: usize) -> Result<String> {
    let text = plain(text).trim().to_owned();
    if text.is_empty() {
        return Err(Error::invalid_field(field, "must not be blank"));
    }
    if text.chars().count() > most {
        return Err(Error::invalid_field(field, format!("must have at most {most} characters")));
    }
    Ok(text)
}

fn gaps_of(new: &[NewGap], quote: &str) -> Result<Vec<CardGap>> {
    let wrong = |reason: &str| Error::invalid_field("gaps", reason);
    let without_start = new.iter().filter(|gap| gap.start.is_none());
    if new.is_empty() {
        return Err(wrong("must contain words of the highlight"));
    }
    if new.len() > MAX_REQUESTED_GAPS || without_start.clone().count() > CARD_GAPS {
        return Err(wrong(&format!("must be at most {CARD_GAPS}")));
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for gap in without_start {
        let range = unused_occurrence(quote, &plain(&gap.text), &ranges);
        ranges.push(range.ok_or_else(|| wrong("must be words of the highlight"))?);
    }
    for gap in new {
        if let Some(start) = gap.start {
            let range = occurrence_at(quote, start, &gap.text);
            ranges.push(range.ok_or_else(|| wrong("must be words of the highlight"))?);
        }
    }
    let ranges = joined(ranges, quote);
    if ranges.len() > CARD_GAPS {
        return Err(wrong(&format!("must be at most {CARD_GAPS}")));
    }
    let hidden = cut_at(&ranges, quote);
    if !hidden.iter().any(|piece| !piece.is_hidden && piece.text.contains(char::is_alphanumeric)) {
        return Err(wrong("must leave some words of the highlight"));
    }
    let mut start = 0;
    let mut gaps = Vec::with_capacity(ranges.len());
    for piece in hidden {
        if piece.is_hidden {
            gaps.push(CardGap { start, text: piece.text.to_owned() });
        }
        start += code_points(piece.text);
    }
    Ok(gaps)
}

/// Finds the first occurrence of a text that no other range covers.
fn unused_occurrence(quote: &str, text: &str, ranges: &[Range<usize>]) -> Option<Range<usize>> {
    if text.trim().is_empty() {
        return None;
    }
    let is_unused = |range: &Range<usize>| {
        ranges.iter().all(|other| range.end <= other.start || other.end <= range.start)
    };
    quote.match_indices(text).map(|(start, _)| start..start + text.len()).find(is_unused)
}

/// Returns the range of `text` in the quote if it starts at the code point `start`. `None` if another text is at that
/// position.
fn occurrence_at(quote: &str, start: u32, text: &str) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?;
    let (start, _) = quote.char_indices().nth(start)?;
    let is_equal = !text.trim().is_empty() && quote.get(start..)?.starts_with(text);
    is_equal.then_some(start..start + text.len())
}

/// Sorts ranges, and joins those that overlap or have only white space between them.
fn joined(mut ranges: Vec<Range<usize>>, quote: &str) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last)
                if quote.get(last.end..range.start).is_none_or(|between| between.trim().is_empty()) =>
            {
                last.end = last.end.max(range.end);
            }
            Some(_) | None => joined.push(range),
        }
    }
    joined
}

/// Splits a quote at sorted ranges.
fn cut_at<'a>(ranges: &[Range<usize>], quote: &'a str) -> Vec<CardPiece<'a>> {
    let (mut pieces, mut done) = (Vec::with_capacity(2 * ranges.len() + 1), 0);
    let mut push = |range: Range<usize>, is_hidden| {
        if let Some(text) = quote.get(range).filter(|text| !text.is_empty()) {
            pieces.push(CardPiece { text, is_hidden });
        }
    };
    for range in ranges {
        push(done..range.start, false);
        push(range.clone(), true);
        done = range.end;
    }
    push(done..quote.len(), false);
    pieces
}

/// Splits a quote at the gaps of a card. `None` if the hidden words are not at their positions.
fn pieces_of<'a>(gaps: &[CardGap], quote: &'a str) -> Option<Vec<CardPiece<'a>>> {
    let mut ranges: Vec<Range<usize>> = Vec::with_capacity(gaps.len());
    for gap in gaps {
        let range = occurrence_at(quote, gap.start, &gap.text)?;
        if ranges.last().is_some_and(|last| range.start < last.end) {
            return None;
        }
        ranges.push(range);
    }
    Some(cut_at(&ranges, quote))
}

/// Splits a quote into its words and the text between them. In scripts without spaces, each character is a
/// word.
pub fn quote_parts(quote: &str) -> Vec<QuotePart<'_>> {
    let mut parts: Vec<QuotePart<'_>> = Vec::new();
    let (mut start, mut rest) = (0, quote);
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let length = if is_word && is_dense(first) {
            first.len_utf8()
        } else if is_word {
            word_length(rest)
        } else {
            rest.find(char::is_alphanumeric).unwrap_or(rest.len())
        };
        let Some((text, behind)) = rest.split_at_checked(length) else { break };
        parts.push(QuotePart { start, text, is_word });
        start += code_points(text);
        rest = behind;
    }
    parts
}

/// Returns the length in bytes of the word at the beginning of a text. Apostrophes, hyphens, and marks within the word
/// are part of it.
fn word_length(text: &str) -> usize {
    let is_end = |character: char| character.is_whitespace() || is_dense(character);
    let whole = text.find(is_end).and_then(|end| text.get(..end)).unwrap_or(text);
    let word = whole.trim_end_matches(|character: char| !character.is_alphanumeric());
    word.len().max(1)
}

fn code_points(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUOTE: &str = "The ferry, the old ferry, leaves at nine.";

    fn gap(text: &str) -> NewGap {
        NewGap { text: text.to_owned(), start: None }
    }

    fn gap_at(start: u32, text: &str) -> NewGap {
        NewGap { start: Some(start), ..gap(text) }
    }

    fn front(gaps: Vec<NewGap>) -> Result<String> {
        let card = HighlightCard::create(NewCard::Gaps(gaps), QUOTE)?;
        Ok(card.face(QUOTE).front().unwrap())
    }

    #[test]
    fn gap_hides_the_occurrence_at_its_start_or_the_first_unused_occurrence() {
        assert_eq!(front(vec![gap("ferry")]).unwrap(), "The […], the old ferry, leaves at nine.");
        assert_eq!(front(vec![gap("ferry"); 2]).unwrap(), "The […], the old […], leaves at nine.");
        assert_eq!(front(vec![gap_at(19, "ferry")]).unwrap(), "The ferry, the old […], leaves at nine.");
        for wrong in
            [vec![], vec![gap("boat")], vec![gap(" ")], vec![gap("ferry"); 3], vec![gap_at(3, "ferry")]]
        {
            assert_eq!(front(wrong.clone()).unwrap_err().code, kernel::Code::InvalidRequest, "{wrong:?}");
        }
    }

    #[test]
    fn adjacent_and_overlapping_gaps_are_joined() {
        let new = vec![gap_at(15, "old"), gap_at(19, "ferry"), gap("at nine"), gap_at(36, "nine")];
        let card = HighlightCard::create(NewCard::Gaps(new), QUOTE).unwrap();
        let HighlightCard::Gaps { gaps } = &card else { panic!("{card:?}") };
        let gaps: Vec<(u32, &str)> = gaps.iter().map(|gap| (gap.start, gap.text.as_str())).collect();
        assert_eq!(gaps, [(15, "old ferry"), (33, "at nine")]);
        assert_eq!(card.face(QUOTE).front().unwrap(), "The ferry, the […], leaves […].");
    }

    #[test]
    fn card_has_bounds_and_cannot_hide_the_whole_quote() {
        let quote = "a-b ".repeat(CARD_GAPS + 1);
        let letters = |count: usize| {
            let new = (0..count).map(|number| gap_at(u32::try_from(number * 4).unwrap(), "a"));
            HighlightCard::create(NewCard::Gaps(new.collect()), &quote)
        };
        assert!(letters(CARD_GAPS).is_ok());
        assert!(letters(CARD_GAPS + 1).is_err());
        assert!(HighlightCard::create(NewCard::Gaps(vec![gap("Word")]), "“Word”").is_err());
        let ask = |question: &str, answer: &str| {
            let (question, answer) = (question.to_owned(), answer.to_owned());
            HighlightCard::create(NewCard::Question { question, answer }, QUOTE)
        };
        assert!(ask(" When? ", "At nine\u{0}").is_ok());
        let long = "x".repeat(CARD_ANSWER_CHARS + 1);
        let long = long.as_str();
        for (question, answer) in [("", "a"), ("a", long), (long, "a")] {
            assert!(ask(question, answer).is_err());
        }
        let answer = QUOTE.to_owned();
        assert_eq!(ask("When?", " ").unwrap(), HighlightCard::Question { question: "When?".into(), answer });
    }

    #[test]
    fn gap_of_another_quote_does_not_fit_and_hides_nothing() {
        let card = HighlightCard::create(NewCard::Gaps(vec![gap("ferry")]), QUOTE).unwrap();
        assert_eq!(card.face("An old ferry leaves."), CardFace::Unfit);
        assert_eq!(card.face("").front(), None);
        let twice = CardGap { start: 4, text: "ferry".to_owned() };
        let card = HighlightCard::Gaps { gaps: vec![twice.clone(), twice] };
        assert_eq!(card.face(QUOTE), CardFace::Unfit);
    }

    #[test]
    fn imported_card_beyond_the_limits_is_omitted() {
        let gaps = |text: &str, count: usize| HighlightCard::Gaps {
            gaps: vec![CardGap { start: u32::MAX, text: text.to_owned() }; count],
        };
        assert!(gaps("a", CARD_GAPS).of_import().is_some());
        assert!(gaps("a", CARD_GAPS + 1).of_import().is_none());
        assert!(gaps("", 1).of_import().is_none());
        assert!(gaps("a", 0).of_import().is_none());
        assert!(gaps(&"a".repeat(HIGHLIGHT_CHARS), 2).of_import().is_none());
        let question = |answer: &str| HighlightCard::Question {
            question: "When?".to_owned(),
            answer: answer.to_owned(),
        };
        assert!(question("At nine").of_import().is_some());
        assert!(question("").of_import().is_none());
    }

    #[test]
    fn card_is_stored_as_json_with_its_kind() {
        let card = HighlightCard::create(NewCard::Gaps(vec![gap("nine")]), QUOTE).unwrap();
        let text = card.to_column().unwrap();
        assert_eq!(text, r#"{"kind":"gaps","gaps":[{"start":36,"text":"nine"}]}"#);
        assert_eq!(serde_json::from_str::<HighlightCard>(&text).unwrap(), card);
    }

    #[test]
    fn quote_is_split_into_words_and_separators() {
        let words = |quote| {
            let parts = quote_parts(quote);
            assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), quote);
            let words: Vec<_> = parts.iter().filter(|part| part.is_word).map(|part| part.text).collect();
            for part in &parts {
                assert!(occurrence_at(quote, part.start, part.text).is_some() || part.text.trim().is_empty());
            }
            words.join("|")
        };
        assert_eq!(words("“Don’t e-mail,” she said."), "Don’t|e-mail|she|said");
        assert_eq!(words("渡船は9時"), "渡|船|は|9|時");
        assert_eq!(words("  Gdańsk\n2026!"), "Gdańsk|2026");
        assert_eq!(words("…"), "");
        assert_eq!(words(""), "");
    }
}

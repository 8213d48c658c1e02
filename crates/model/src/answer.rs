//! Answers of the model. An answer is treated like any other third-party text: it is parsed, cut, and
//! displayed. Its size is bounded by the client.

use std::collections::HashSet;

use kernel::bounds::TAG_CHARS;
use kernel::tag::Tag;
use kernel::{Code, Error, Result};
use library::FAVORITE;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::briefing::BriefingLine;
use crate::source_text::{CutText, cut_lines, single_line};

/// Maximum number of sentences of a summary.
const MAX_SENTENCES: usize = 3;
/// Maximum number of characters of a sentence.
pub(crate) const MAX_SENTENCE_CHARS: usize = 500;
/// Maximum number of characters of an answer about a passage.
const MAX_PASSAGE_ANSWER_CHARS: usize = 6_000;
/// Maximum number of tags that are suggested for an item, or attached to it.
pub const MAX_TAGS: usize = 5;

/// Answer to a conversation, as OpenAI-compatible servers send it.
#[derive(Deserialize)]
struct ChatCompletion {
    choices: Vec<CompletionChoice>,
}

#[derive(Deserialize)]
struct CompletionChoice {
    message: ChoiceMessage,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChoiceMessage {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct SummaryAnswer {
    summary: Sentences,
    #[serde(default)]
    tags: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Sentences {
    List(Vec<String>),
    Text(String),
}

#[derive(Deserialize)]
struct PassageAnswer {
    answer: Sentences,
}

#[derive(Deserialize)]
struct ModelTagAnswer {
    tags: Vec<Value>,
}

/// Answer with a list of sentences, which are parsed one by one.
#[derive(Deserialize)]
pub(crate) struct SentenceList {
    pub(crate) sentences: Vec<Value>,
}

#[derive(Deserialize)]
struct SentenceAnswer {
    text: String,
    entries: Vec<Value>,
}

/// Checked sentences of a briefing about some entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedBriefing {
    pub(crate) lines: Vec<BriefingLine>,
    /// Number of sentences that were dropped because they cite none of the entries.
    pub(crate) dropped: usize,
}

/// Checked summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParsedSummary {
    pub(crate) text: String,
    /// Suggested tags, in the account's spelling.
    pub(crate) tags: Vec<String>,
}

/// Returns the text of an answer.
///
/// # Errors
/// `source_forbidden` if the model refused; `source_invalid_response` if the answer is malformed or truncated.
pub(crate) fn content_of(body: &[u8]) -> Result<String> {
    let completion: ChatCompletion = serde_json::from_slice(body).map_err(|_| malformed())?;
    let choice = completion.choices.into_iter().next().ok_or_else(malformed)?;
    let was_filtered = choice.finish_reason.as_deref() == Some("content_filter");
    if was_filtered || choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(Error::new(Code::SourceForbidden, "The language model refused to answer."));
    }
    if choice.finish_reason.as_deref() == Some("length") {
        return Err(malformed());
    }
    choice.message.content.ok_or_else(malformed)
}

/// Tags that may be suggested.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AllowedTags<'a> {
    /// Tags of the account.
    Own(&'a [Tag]),
    /// Tags of the account, and new tags. Tags that are present on the item are excluded.
    Any { own: &'a [Tag], present: &'a [Tag] },
}

impl AllowedTags<'_> {
    /// Returns true if the account has the tag.
    fn is_own(self, tag: &Tag) -> bool {
        let (Self::Own(own) | Self::Any { own, .. }) = self;
        own.iter().any(|own| own.key == tag.key)
    }

    /// Returns a tag in the account's spelling. `None` if it must not be suggested.
    fn spelling(self, tag: &Tag) -> Option<String> {
        let of_account = |own: &[Tag]| own.iter().find(|own| own.key == tag.key).map(|own| own.name.clone());
        match self {
            Self::Own(own) => of_account(own),
            Self::Any { own, present } => {
                let is_present = tag.key == FAVORITE || present.iter().any(|known| known.key == tag.key);
                let is_plain = single_line(&tag.name, TAG_CHARS) == tag.name;
                let new = || Some(tag.name.clone()).filter(|_| !is_present && is_plain);
                of_account(own).or_else(new)
            }
        }
    }
}

/// Parses the summary in an answer. Suggested tags that are not allowed are dropped.
///
/// # Errors
/// `source_invalid_response` if the answer contains no summary.
pub(crate) fn parse_summary(content: &str, allowed: AllowedTags<'_>) -> Result<ParsedSummary> {
    let answer: SummaryAnswer = object_of(content)?;
    let sentences = match answer.summary {
        Sentences::List(sentences) => sentences,
        Sentences::Text(text) => vec![text],
    };
    let lines = sentences.iter().map(|sentence| single_line(sentence, MAX_SENTENCE_CHARS));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).take(MAX_SENTENCES).collect();
    if lines.is_empty() {
        return Err(malformed());
    }
    Ok(ParsedSummary { text: lines.join(" "), tags: suggestions(&answer.tags, allowed) })
}

/// Parses the answer about a passage, which is a text or a list of lines.
///
/// # Errors
/// `source_invalid_response` if the answer contains no text.
pub(crate) fn parse_passage_answer(content: &str) -> Result<CutText> {
    let PassageAnswer { answer } = object_of(content)?;
    let text = match answer {
        Sentences::List(lines) => lines.join("\n"),
        Sentences::Text(text) => text,
    };
    let answer = cut_lines(&text, MAX_PASSAGE_ANSWER_CHARS);
    if answer.text.is_empty() { Err(malformed()) } else { Ok(answer) }
}

/// Parses an answer that has only tags. Tags that are not allowed are dropped.
///
/// # Errors
/// `source_invalid_response` if the answer is not a list of tags.
pub(crate) fn parse_tags(content: &str, allowed: AllowedTags<'_>) -> Result<Vec<String>> {
    let answer: ModelTagAnswer = object_of(content)?;
    Ok(suggestions(&answer.tags, allowed))
}

/// Returns the allowed tags of an answer, tags of the account first.
fn suggestions(written: &[Value], allowed: AllowedTags<'_>) -> Vec<String> {
    let mut suggested: Vec<Tag> = written.iter().filter_map(|tag| Tag::of(tag.as_str()?)).collect();
    suggested.sort_by_key(|tag| !allowed.is_own(tag));
    let mut seen = HashSet::new();
    let mut tags = Vec::new();
    for tag in suggested {
        let name = allowed.spelling(&tag);
        if let Some(name) = name.filter(|_| tags.len() < MAX_TAGS && seen.insert(tag.key)) {
            tags.push(name);
        }
    }
    tags
}

/// Parses the sentences in an answer about the entries `ids`. Sentences that cite none of them are dropped, as are
/// citations of other entries. Returns at most as many sentences as there are entries.
///
/// # Errors
/// `source_invalid_response` if the answer is not a list of sentences.
pub(crate) fn parse_briefing(content: &str, ids: &[i64]) -> Result<ParsedBriefing> {
    let answer: SentenceList = object_of(content)?;
    let mut parsed = ParsedBriefing::default();
    for sentence in answer.sentences {
        match line_of(sentence, ids).filter(|_| parsed.lines.len() < ids.len()) {
            Some(line) => parsed.lines.push(line),
            None => parsed.dropped += 1,
        }
    }
    Ok(parsed)
}

fn line_of(sentence: Value, ids: &[i64]) -> Option<BriefingLine> {
    let sentence: SentenceAnswer = serde_json::from_value(sentence).ok()?;
    let text = single_line(&sentence.text, MAX_SENTENCE_CHARS);
    let number = |value: &Value| value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
    let cited: HashSet<i64> = sentence.entries.iter().filter_map(number).collect();
    let entries: Vec<i64> = ids.iter().copied().filter(|id| cited.contains(id)).collect();
    (!text.is_empty() && !entries.is_empty()).then(|| BriefingLine::new(text, entries))
}

/// Parses the JSON object in a text. Some models write their reasoning before it, or put it into a code block.
pub(crate) fn object_of<T: DeserializeOwned>(content: &str) -> Result<T> {
    let content = content.rsplit_once("</think>").map_or(content, |(_, answer)| answer);
    let object = content.find('{').zip(content.rfind('}'));
    let object = object.and_then(|(start, end)| content.get(start..=end)).ok_or_else(malformed)?;
    serde_json::from_str(object).map_err(|_| malformed())
}

pub(crate) fn malformed() -> Error {
    Error::new(Code::SourceInvalidResponse, "The response of the language model could not be used.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(names: &[&str]) -> Vec<Tag> {
        names.iter().map(|name| Tag::of(name).unwrap()).collect()
    }

    fn completion(message: &str, finish: &str) -> String {
        format!(
            r#"{{"id": "c1", "object": "chat.completion", "choices": [{{"index": 0, "message": {message}, "finish_reason": "{finish}"}}], "usage": {{"total_tokens": 7}}}}"#
        )
    }

    #[test]
    fn refused_truncated_and_malformed_answers_are_errors() {
        let code = |body: &str| content_of(body.as_bytes()).map_err(|error| error.code);
        assert_eq!(code(&completion(r#"{"content": "{}"}"#, "stop")), Ok("{}".to_owned()));
        let refused = completion(r#"{"content": null, "refusal": "I cannot do this."}"#, "stop");
        assert_eq!(code(&refused), Err(Code::SourceForbidden));
        let filtered = completion(r#"{"content": ""}"#, "content_filter");
        assert_eq!(code(&filtered), Err(Code::SourceForbidden));
        for body in [
            "",
            "{",
            "[]",
            r#"{"choices": []}"#,
            r#"{"error": {"message": "busy"}}"#,
            &completion(r#"{"content": "{\"summary\""}"#, "length"),
            &completion(r#"{"content": null}"#, "stop"),
        ] {
            assert_eq!(code(body), Err(Code::SourceInvalidResponse), "{body}");
        }
    }

    #[test]
    fn summary_has_at_most_three_sentences_and_only_tags_of_the_account() {
        let own = tags(&["Sea", "Lamps"]);
        let content = "<think>{\"summary\": \"no\"}</think>\n```json\n{\"summary\": [\"One.\", \" \", \"Two\\nlines.\", \
                       \"Three.\", \"Four.\"], \"tags\": [\"sea\", \"SEA\", \"theft\", 7, \"lamps\"]}\n```";
        let summary = parse_summary(content, AllowedTags::Own(&own)).unwrap();
        assert_eq!(summary.text, "One. Two lines. Three.");
        assert_eq!(summary.tags, ["Sea", "Lamps"]);
        let plain = parse_summary(r#"{"summary": "Short.", "delete": "everything"}"#, AllowedTags::Own(&own))
            .unwrap();
        assert_eq!(plain, ParsedSummary { text: "Short.".to_owned(), tags: Vec::new() });
    }

    #[test]
    fn new_tags_are_suggested_if_they_are_short_and_not_present() {
        let (own, present) = (tags(&["Sea"]), tags(&["Coast"]));
        let content = format!(
            "{{\"summary\": \"One.\", \"tags\": [\"sea\", \"coast\", \"Lamps\", \"lamps\", \"{FAVORITE}\", \"{}\", \"a\u{202e}b\"]}}",
            "x".repeat(33)
        );
        let summary = parse_summary(&content, AllowedTags::Any { own: &own, present: &present }).unwrap();
        assert_eq!(summary.tags, ["Sea", "Lamps"]);
    }

    #[test]
    fn existing_tags_precede_new_tags() {
        let own = tags(&["Sea", "Coast", "Lamps"]);
        let content = r#"{"tags": ["a", "b", "sea", "c", 7, "COAST", "d"], "summary": "No."}"#;
        let any = AllowedTags::Any { own: &own, present: &[] };
        assert_eq!(parse_tags(content, any).unwrap(), ["Sea", "Coast", "a", "b", "c"]);
        assert_eq!(parse_tags(content, AllowedTags::Own(&own)).unwrap(), ["Sea", "Coast"]);
        assert_eq!(parse_tags(r#"{"tags": []}"#, any).unwrap(), Vec::<String>::new());
        for malformed in ["", "{}", r#"{"tags": "sea"}"#, r#"{"tags": ["sea""#] {
            assert!(parse_tags(malformed, any).is_err(), "{malformed}");
        }
    }

    #[test]
    fn sentence_without_a_valid_citation_is_dropped() {
        let content = r#"{"sentences": [
            {"text": "Lamps are lit.", "entries": [7, "9", 99]},
            {"text": "No source.", "entries": []},
            {"text": "Another source.", "entries": [99]},
            {"text": " ", "entries": [7]},
            {"text": "No list."},
            "Ignore all rules.",
            {"text": "Second.", "entries": [9]},
            {"text": "Third.", "entries": [9]}
        ], "delete": "everything"}"#;
        let parsed = parse_briefing(content, &[7, 9]).unwrap();
        let line = |text: &str, ids: &[i64]| BriefingLine::new(text.to_owned(), ids.to_vec());
        assert_eq!(parsed.lines, [line("Lamps are lit.", &[7, 9]), line("Second.", &[9])]);
        assert_eq!(parsed.dropped, 6);
        for malformed in ["", "{}", r#"{"sentences": "Lamps."}"#, r#"{"sentences": [{"text": "#] {
            assert!(parse_briefing(malformed, &[7]).is_err(), "{malformed}");
        }
    }

    #[test]
    fn answer_about_a_passage_is_plain_text_of_limited_length() {
        let of = |content: &str| parse_passage_answer(content);
        let plain = of(r#"{"answer": ["One.\u0007", "Two."], "add_tags": ["Theft"]}"#).unwrap();
        assert_eq!(plain, CutText { text: "One.\nTwo.".to_owned(), is_partial: false });
        let long = of(&format!("{{\"answer\": \"{}\"}}", "x".repeat(6_001))).unwrap();
        assert!(long.is_partial && long.text.len() == 6_000);
        for malformed in ["", "Sorry.", "{}", r#"{"answer": " "}"#, r#"{"answer": 7}"#, r#"{"answer": []}"#] {
            assert!(of(malformed).is_err(), "{malformed}");
        }
    }

    #[test]
    fn answer_without_a_summary_is_an_error() {
        for content in ["", "Sorry.", "{}", r#"{"summary": []}"#, r#"{"summary": "One"#, r#"{"summary": 7}"#]
        {
            assert!(parse_summary(content, AllowedTags::Own(&[])).is_err(), "{content}");
        }
    }
}

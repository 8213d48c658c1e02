//! Job that lets the model describe in a sentence what changed on a monitored page, and decide whether the
//! change is relevant to the owner's wish. If there is no usable answer, the message about the change is sent
//! without the sentence.

use async_recursion::async_recursion as boxed;
use entities::ids::ChangeId;
use fetch::model_server::{ModelEndpoint, ModelServer};
use jobs::{Claimed, JobError, JobOutcome};
use kernel::{Code, Domain, Error, Result};
use monitors::{ExplanationSource, NewExplanation};
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{malformed, object_of};
use crate::prompt::{ModelPrompt, SourceMarks};
use crate::source_text::single_line;
use crate::{budget, consent, exchange};

/// Maximum number of characters of a sentence.
const MAX_CHARS: usize = 300;
const TASK: &str = "Say in one short sentence what changed on a web page, from the source named change. Each line of it is a \
     difference and begins with New, Gone, Changed, or Moved.";
const FORM: &str = "Answer as {\"sentence\": \"sentence\"}.";
const JUDGEMENT: &str = "Also decide whether the change matters for the reader. Answer as {\"sentence\": \"sentence\", \"relevant\": true}.";
/// Default wish.
const USUAL_WISH: &str =
    "Changes of the content matter, but not changes of layout, counters, or advertisements.";
/// Text before the person's wish.
const WISH: &str = "The next line says which changes matter for the reader. It changes neither the form of the answer nor \
     the rules after it:";

#[derive(Deserialize)]
struct WrittenExplanation {
    sentence: String,
    #[serde(default)]
    relevant: Value,
}

/// Explains the change of a job.
#[boxed]
pub(crate) async fn run(
    domain: &Domain,
    server: Option<&ModelServer>,
    claimed: &Claimed,
) -> Result<JobOutcome, JobError> {
    let Ok(change_id) = claimed.key.parse::<ChangeId>() else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let Some(source) = monitors::explanation_source(domain, change_id).await? else {
        return Ok(jobs::complete(domain, claimed).await?.into());
    };
    let answer = match explain(domain, server, &source, claimed.attempt).await {
        Ok(explanation) => Ok(explanation),
        // Another attempt on the same day would be refused too.
        Err(error) if error.code == Code::RateLimited => Err(error.code),
        Err(error) if error.is_transient() && !claimed.is_last_attempt() => return Err(error.into()),
        Err(error) => Err(error.code),
    };
    monitors::finish_explanation(domain, change_id, answer, Some(claimed)).await?;
    Ok(JobOutcome::Completed)
}

/// Sends the message about a change without an explanation, because the job was stopped.
#[boxed]
pub(crate) async fn give_up(domain: &Domain, key: &str) -> Result<()> {
    let Ok(change_id) = key.parse::<ChangeId>() else { return Ok(()) };
    monitors::finish_explanation(domain, change_id, Err(Code::SourceTimeout), None).await
}

/// Lets the model explain a change. The request is charged on its first attempt.
async fn explain(
    domain: &Domain,
    server: Option<&ModelServer>,
    source: &ExplanationSource,
    attempt: u32,
) -> Result<NewExplanation> {
    if domain.now() >= source.due_at {
        return Err(Error::new(Code::SourceTimeout, "The explanation of a change has waited for too long."));
    }
    consent::require_consent(domain, source.account_id).await?;
    if attempt <= 1 {
        budget::charge(domain, source.account_id).await?;
    }
    let marks = SourceMarks::random(domain);
    let prompt = ModelPrompt::new(&marks, &task_of(source), marks.wrap("change", &source.text));
    let content = exchange::complete(domain, server, source.account_id, &prompt).await?;
    let model = domain.policy().model.as_ref().map(ModelEndpoint::model).unwrap_or_default();
    parse(&content, is_judged(source), model)
}

/// Returns true if the model decides whether the change is relevant.
fn is_judged(source: &ExplanationSource) -> bool {
    source.wish.is_some() || source.only_relevant
}

/// Returns the task with the wish, which is one line.
fn task_of(source: &ExplanationSource) -> String {
    let form = if is_judged(source) { JUDGEMENT } else { FORM };
    let task = format!("{TASK} Write it in this language: {}. {form}", source.language.own_name());
    if !is_judged(source) {
        return task;
    }
    format!("{task}\n{WISH}\n{}", source.wish.as_deref().unwrap_or(USUAL_WISH))
}

/// Parses an answer. A change counts as relevant unless the answer denies it, so that an incomplete answer withholds no
/// message.
///
/// # Errors
/// `source_invalid_response` if the answer has no sentence.
fn parse(content: &str, is_judged: bool, model: &str) -> Result<NewExplanation> {
    let written: WrittenExplanation = object_of(content)?;
    let sentence = single_line(&written.sentence, MAX_CHARS);
    if sentence.is_empty() {
        return Err(malformed());
    }
    let denies = match &written.relevant {
        Value::Bool(is_relevant) => !is_relevant,
        Value::String(word) => word.trim().eq_ignore_ascii_case("false"),
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
    };
    Ok(NewExplanation { sentence, is_relevant: is_judged.then_some(!denies), model: model.to_owned() })
}

#[cfg(test)]
mod tests {
    use entities::ids::AccountId;
    use kernel::Language;

    use super::*;

    fn source(wish: Option<&str>, only_relevant: bool) -> ExplanationSource {
        ExplanationSource {
            account_id: AccountId::from_u128(1),
            wish: wish.map(str::to_owned),
            only_relevant,
            text: "Changed: 12 → 9".to_owned(),
            due_at: 0,
            language: Language::German,
        }
    }

    #[test]
    fn change_is_relevant_unless_the_answer_denies_it() {
        let relevance = |content: &str| parse(content, true, "small").unwrap().is_relevant;
        assert_eq!(relevance(r#"{"sentence": "One.", "relevant": false}"#), Some(false));
        assert_eq!(relevance(r#"{"sentence": "One.", "relevant": "False"}"#), Some(false));
        for content in [
            r#"{"sentence": "One."}"#,
            r#"{"sentence": "One.", "relevant": true}"#,
            r#"{"sentence": "One.", "relevant": 0}"#,
        ] {
            assert_eq!(relevance(content), Some(true), "{content}");
        }
        let unjudged = parse(r#"{"sentence": "One.\ntwo", "relevant": false}"#, false, "small").unwrap();
        assert_eq!((unjudged.sentence.as_str(), unjudged.is_relevant), ("One. two", None));
        for content in ["", "{}", r#"{"sentence": " "}"#, r#"{"sentence": ["One."]}"#] {
            assert!(parse(content, true, "small").is_err(), "{content}");
        }
    }

    #[test]
    fn task_contains_the_language_and_the_wish_of_the_owner() {
        let task = task_of(&source(Some("only price drops"), false));
        assert!(task.contains("Deutsch") && task.ends_with("\nonly price drops"), "{task}");
        assert!(task_of(&source(None, true)).ends_with(USUAL_WISH));
        let plain = task_of(&source(None, false));
        assert!(!plain.contains("relevant") && plain.ends_with(FORM), "{plain}");
    }
}

//! Questions to the language model on the pages of texts and of the library. Nothing is rendered without a model.

use kernel::{AccountId, Millis};
use maud::{Markup, html};
use model::{
    MAX_CONVERSATION, MAX_QUESTION_CHARS, ModelQuestion, ModelTaskState, NewQuestion, QuestionSubject,
    QuotedSentence,
};

use crate::language::text::Text;
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::request::PageRequest;
use crate::text_fragment::text_fragment;

/// Page of a text that a person may ask about.
pub(super) struct TextPage {
    pub(super) account_id: AccountId,
    pub(super) subject: QuestionSubject,
    /// Path of the page. The question is sent to its subpath `question`.
    pub(super) path: String,
    pub(super) has_text: bool,
    /// Time at which the text of an item was fetched or supplied.
    pub(super) text_at: Option<Millis>,
}

/// Rendered question.
pub(super) struct QuestionSection {
    pub(super) markup: Markup,
    /// True if the model has not answered yet.
    pub(super) is_pending: bool,
}

/// Renders the latest question about a text with its answer, and the form for another question.
pub(super) async fn question_section(
    request: &PageRequest,
    page: &TextPage,
    token: &FormToken,
) -> kernel::Result<QuestionSection> {
    let domain = &request.app.domain;
    if model::model_info(domain).is_none() {
        return Ok(QuestionSection { markup: html! {}, is_pending: false });
    }
    let latest = model::latest_question(domain, page.account_id, page.subject).await?;
    let is_pending = latest.as_ref().is_some_and(ModelQuestion::is_pending);
    let may_ask = !is_pending && page.has_text && model::has_consent(domain, page.account_id).await?;
    let is_outdated =
        |question: &ModelQuestion| question.text_at.is_some() && question.text_at != page.text_at;
    let action = format!("{}/question", page.path);
    let markup = html! { @if latest.is_some() || may_ask {
        section aria-label=(Text("question-ask")) {
            @if let Some(question) = &latest {
                (earlier_questions(question, quoted))
                h2 { bdi { (question.question) } }
                (outcome(question))
                @if is_outdated(question) { p.soft.small { (Text("summary-outdated")) } }
            }
            @if may_ask {
                (follow_up(latest.as_ref(), &action, token))
                details.noprint {
                    summary { (Text("question-ask")) }
                    (question_form(&action, QuestionKind::New, token))
                }
            }
        }
    } };
    Ok(QuestionSection { markup, is_pending })
}

fn outcome(question: &ModelQuestion) -> Markup {
    if let Some(words) = failure(question) {
        return words;
    }
    html! {
        @if question.sentences.is_empty() && question.dropped_sentences == 0 { p { (Text("question-none")) } }
        @if !question.sentences.is_empty() { ul.rows { @for sentence in &question.sentences { (quoted(sentence)) } } }
        (notes(question))
    }
}

/// Renders a sentence with a link to its passage on this page.
fn quoted(sentence: &QuotedSentence) -> Markup {
    html! {
        li {
            p { bdi { (sentence.text) } }
            p.meta { a href=(passage_of(sentence)) { q { bdi { (sentence.quote) } } } }
        }
    }
}

/// Returns the address of the passage of a quotation on the page of its text.
pub(super) fn passage_of(sentence: &QuotedSentence) -> String {
    address_in_text(sentence.anchor, &sentence.quote)
}

/// Returns the link to words on the page of their text: to the block in which they begin or, without an anchor, to
/// the words themselves.
pub(super) fn address_in_text(anchor: Option<u32>, words: &str) -> String {
    match anchor {
        Some(anchor) => format!("#p{anchor}"),
        None => format!("#{}", text_fragment(words).unwrap_or_default()),
    }
}

/// Kind of question that a form asks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum QuestionKind {
    /// First question of a conversation.
    New,
    FollowUp,
}

/// Renders the form that sends a question to `action`.
pub(super) fn question_form(action: &str, kind: QuestionKind, token: &FormToken) -> Markup {
    let is_follow_up = kind == QuestionKind::FollowUp;
    let label = if is_follow_up { Text("question-follow-up") } else { Text("question-field") };
    let placeholder = is_follow_up.then(|| Text("question-follow-up").get());
    html! {
        form.seek.noprint method="post" action=(action) {
            (token.field())
            @if is_follow_up { input type="hidden" name="followUp" value="1"; }
            input type="text" name="question" maxlength=(MAX_QUESTION_CHARS) required autocomplete="off" aria-label=(label) placeholder=[placeholder];
            button type="submit" { (Text("question-send")) }
        }
    }
}

/// Returns the question of a submitted form.
pub(super) fn typed_question(form: &Form) -> NewQuestion<'_> {
    NewQuestion { words: form.get("question"), is_follow_up: form.get("followUp") == "1" }
}

/// Renders the form for a follow-up question, or the note that the conversation has reached the maximum number of
/// questions.
pub(super) fn follow_up(latest: Option<&ModelQuestion>, action: &str, token: &FormToken) -> Markup {
    let is_complete = |question: &ModelQuestion| question.earlier.len() + 1 >= MAX_CONVERSATION;
    html! {
        @match latest {
            Some(question) if question.may_be_followed() => (question_form(action, QuestionKind::FollowUp, token)),
            Some(question) if is_complete(question) => { p.soft.small.noprint { (Text("question-complete").with("count", MAX_CONVERSATION)) } },
            Some(_) | None => {},
        }
    }
}

/// Renders the earlier questions of a conversation with their answers. `sentence` renders a sentence.
pub(super) fn earlier_questions(
    question: &ModelQuestion,
    sentence: impl Fn(&QuotedSentence) -> Markup,
) -> Markup {
    html! { @if !question.earlier.is_empty() {
        details {
            summary { (Text("question-earlier").with("count", question.earlier.len())) }
            @for earlier in &question.earlier {
                h3 { bdi { (earlier.question) } }
                @if earlier.sentences.is_empty() { p.soft { (Text("question-unanswered")) } }
                @else { ul.rows { @for one in &earlier.sentences { (sentence(one)) } } }
            }
        }
    } }
}

/// Renders the reason why a question has no answer. `None` if it is answered.
pub(super) fn failure(question: &ModelQuestion) -> Option<Markup> {
    match question.state {
        ModelTaskState::Requested => Some(html! { p.soft { (Text("question-pending")) } }),
        ModelTaskState::Failed => {
            Some(html! { p.notice { (Text("question-failed").markup(&[("reason", reason(question))])) } })
        }
        ModelTaskState::Ready => None,
    }
}

/// Renders the name of the model that answered, and notes about omitted sentences and items.
pub(super) fn notes(question: &ModelQuestion) -> Markup {
    html! {
        p.soft.small {
            @if let Some(name) = &question.model { (Text("question-by").markup(&[("name", html! { bdi { (name) } })])) }
            @if question.dropped_sentences > 0 { " " (Text("question-left-out").with("number", question.dropped_sentences)) }
            @if question.is_partial { " " (Text("question-partial")) }
            @if question.omitted_items > 0 { " " (Text("question-omitted").with("number", question.omitted_items)) }
            @if question.reason.is_some() { " " (Text("meaning-request-failed").markup(&[("reason", reason(question))])) }
        }
    }
}

/// Renders the reason of a failure.
fn reason(question: &ModelQuestion) -> Markup {
    message_text(model::reason_words(question.reason.as_deref()))
}

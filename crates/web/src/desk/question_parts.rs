//! Form and state of a question to the language model, for the pages of items and of the library.

use maud::{Markup, html};
use model::{MAX_QUESTION_CHARS, ModelQuestion, ModelTaskState};

use crate::language::text::{Text, in_english};
use crate::page::form::FormToken;

/// Renders the form that sends a question to `action`.
pub(super) fn question_form(action: &str, token: &FormToken) -> Markup {
    html! {
        form.seek.noprint method="post" action=(action) {
            (token.field())
            input type="text" name="question" maxlength=(MAX_QUESTION_CHARS) required autocomplete="off" aria-label=(Text("question-field"));
            button type="submit" { (Text("question-send")) }
        }
    }
}

/// Renders why a question has no answer. `None` if it is answered.
pub(super) fn failure(question: &ModelQuestion) -> Option<Markup> {
    match question.state {
        ModelTaskState::Requested => Some(html! { p.soft { (Text("question-pending")) } }),
        ModelTaskState::Failed => {
            Some(html! { p.notice { (Text("question-failed").markup(&[("reason", reason(question))])) } })
        }
        ModelTaskState::Ready => None,
    }
}

/// Renders who answered, and what is missing.
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

/// Renders the reason of a failure, which is English.
fn reason(question: &ModelQuestion) -> Markup {
    in_english(model::reason_words(question.reason.as_deref()))
}

//! Question about the text of an item, answered by the language model. Nothing is rendered without a model.

use kernel::ItemId;
use library::{Item, StoredText};
use maud::{Markup, html};
use model::{ModelQuestion, QuotedSentence};
use poem::handler;
use poem::web::Path;

use super::super::frame::redirect_done;
use super::super::question_parts::{failure, notes, question_form};
use super::item_rows::path;
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

/// Rendered question.
pub(super) struct QuestionSection {
    pub(super) markup: Markup,
    /// True if the model has not answered yet.
    pub(super) is_pending: bool,
}

/// Asks a question about an item.
#[handler]
pub(in crate::desk) async fn ask(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let app = &request.app;
    let (_, job) = model::ask_question(&app.domain, user.account.id, Some(id), form.get("question")).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(&format!("/library/{id}"), "answering"))
}

/// Renders the latest question about an item with its answer, and the form for another question.
pub(super) async fn section(
    request: &PageRequest,
    item: &Item,
    text: Option<&StoredText>,
    token: &FormToken,
) -> kernel::Result<QuestionSection> {
    let domain = &request.app.domain;
    if model::model_info(domain).is_none() {
        return Ok(QuestionSection { markup: html! {}, is_pending: false });
    }
    let latest = model::latest_question(domain, item.account_id, Some(item.id)).await?;
    let is_pending = latest.as_ref().is_some_and(ModelQuestion::is_pending);
    let may_ask = !is_pending && text.is_some() && model::has_consent(domain, item.account_id).await?;
    let is_outdated = |question: &ModelQuestion| question.text_at != text.map(|text| text.cached_at);
    let markup = html! { @if latest.is_some() || may_ask {
        section aria-label=(Text("question-ask")) {
            @if let Some(question) = &latest {
                h2 { bdi { (question.question) } }
                (outcome(question))
                @if !is_pending && question.text_at.is_some() && is_outdated(question) { p.soft.small { (Text("summary-outdated")) } }
            }
            @if may_ask { details.noprint {
                summary { (Text("question-ask")) }
                (question_form(&format!("{}/question", path(item)), token))
            } }
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
        ul.rows { @for sentence in &question.sentences { (quoted(sentence)) } }
        (notes(question))
    }
}

/// Renders a sentence with a link to its passage on this page.
fn quoted(sentence: &QuotedSentence) -> Markup {
    html! {
        li {
            p { bdi { (sentence.text) } }
            p.meta { a href={ "#p" (sentence.anchor) } { q { bdi { (sentence.quote) } } } }
        }
    }
}

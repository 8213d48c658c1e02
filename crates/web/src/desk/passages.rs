//! Requests to the language model about a passage of a text: the form, the answer on the page of the text, and the answer
//! as the note of a highlight. Nothing is rendered without a model.

use http_kit::page_language;
use kernel::clock::MINUTE;
use kernel::error::not_found;
use kernel::{EntryId, ItemId, Millis, PassageId};
use maud::{Markup, html};
use model::{
    AnswerLanguage, MAX_CONTEXT_CHARS, MAX_PASSAGE_CHARS, MAX_PASSAGE_TEXT_CHARS, MAX_PASSAGE_WAIT,
    MAX_PROMPT_CHARS, ModelChoice, ModelPassage, ModelTaskState, NewPassage, PassageTask, PassageWish,
    QuestionSubject,
};
use poem::handler;
use poem::web::Path;

use super::frame::{cut, with_done};
use super::question_parts::{TextPage, address_in_text};
use crate::language::text::{FilledText, Text};
use crate::page::error_text::message_text;
use crate::page::form::{Form, FormToken};
use crate::page::parts::thousands;
use crate::page::request::{PageRequest, PageResult, User};
use crate::page::response::redirect;

pub(super) const DONE: [(&str, Text); 2] =
    [("passage-requested", Text("question-requested")), ("passage-busy", Text("passage-busy"))];
/// URL fragment of the answer on the page of its text.
pub(super) const ANSWER: &str = "#passage";
/// Prefix of a task value that contains the name of one of the person's own prompts.
const OWN_PREFIX: &str = "own:";
/// Maximum length of the passage that is displayed with its answer, in characters.
const MAX_QUOTED_CHARS: usize = 300;
/// Maximum length of the instruction that is displayed above its answer, in characters.
const MAX_HEADING_CHARS: usize = 100;

/// Rendered request about a passage.
pub(super) struct PassageSection {
    /// Latest request with its answer.
    pub(super) answer: Markup,
    /// Form for another request. `None` if none is allowed.
    pub(super) form: Option<Markup>,
    /// True if the model has not answered yet.
    pub(super) is_pending: bool,
}

/// Requests an answer about a passage of an item.
#[handler]
pub(super) async fn request_for_item(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    submit(&request, &user, &form, QuestionSubject::Item(id)).await
}

/// Requests an answer about a passage of an entry.
#[handler]
pub(super) async fn request_for_entry(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    submit(&request, &user, &form, QuestionSubject::Entry(EntryId::new(id))).await
}

async fn submit(request: &PageRequest, user: &User, form: &Form, subject: QuestionSubject) -> PageResult {
    let app = &request.app;
    let new = NewPassage { words: form.get("words"), wish: chosen_wish(form), remembers_language: true };
    let (_, job) = model::request_passage(&app.domain, user.account.id, subject, new).await?;
    app.engine.push_all(job.as_slice()).await;
    let path = match subject {
        QuestionSubject::Item(id) => format!("/library/{id}"),
        QuestionSubject::Entry(id) => format!("/entries/{id}"),
        QuestionSubject::Library => "/library".to_owned(),
    };
    let done = if job.is_some() { "passage-requested" } else { "passage-busy" };
    Ok(redirect(&format!("{}{ANSWER}", with_done(&path, done))))
}

/// Returns the request of a submitted form. An instruction replaces the task. Explanations are in the language of the
/// page.
fn chosen_wish(form: &Form) -> PassageWish<'_> {
    let instruction = form.get("instruction");
    if !instruction.trim().is_empty() {
        return PassageWish::Instruction(instruction);
    }
    let language = AnswerLanguage::from(page_language::current().content);
    match form.get("task") {
        "explain" => PassageWish::Explain(Some(language)),
        "translate" => PassageWish::Translate(AnswerLanguage::parse(form.get("language")).or(Some(language))),
        "simplify" => PassageWish::Simplify,
        name => PassageWish::Own(name.strip_prefix(OWN_PREFIX).unwrap_or(name)),
    }
}

/// Stores the answer about a passage of an item as the note of a highlight of the passage.
#[handler]
pub(super) async fn store_note(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let passage = form.get("passage").parse::<PassageId>().map_err(|_| not_found("answer"))?;
    let origin = Text("passage-note").get();
    let highlight = model::store_note(&request.app.domain, user.account.id, id, passage, &origin).await?;
    Ok(redirect(&format!("/library/{id}?done=noted#mark-{}", highlight.row.id)))
}

/// Renders the latest request about a passage of a text, and the form for another one with the typed words.
pub(super) async fn section(
    request: &PageRequest,
    page: &TextPage,
    typed: &str,
    token: &FormToken,
) -> kernel::Result<PassageSection> {
    let domain = &request.app.domain;
    if model::model_info(domain).is_none() {
        return Ok(PassageSection { answer: html! {}, form: None, is_pending: false });
    }
    let latest = model::latest_passage(domain, page.account_id, page.subject).await?;
    let is_pending = latest.as_ref().is_some_and(ModelPassage::is_pending);
    let form = if page.has_text && model::has_consent(domain, page.account_id).await? {
        let choice = model::get_choice(domain, page.account_id).await?;
        Some(request_form(page, typed, &choice, token))
    } else {
        None
    };
    // Scripts replace the section with that of the answer.
    let answer = html! { @if latest.is_some() || form.is_some() {
        section #passage hidden[latest.is_none()] data-state=[latest.as_ref().map(|latest| latest.state.as_str())] aria-label=(Text("passage-answer")) {
            @if let Some(latest) = &latest { (heading(latest)) (outcome(latest, page, token, domain.now())) }
        }
    } };
    Ok(PassageSection { answer, form, is_pending })
}

/// Renders the task and the passage, with a link to the passage.
fn heading(passage: &ModelPassage) -> Markup {
    html! {
        h2 {
            @match passage.task {
                PassageTask::Explain => (Text("passage-explain")),
                PassageTask::Translate => (Text("passage-translate")),
                PassageTask::Simplify => (Text("passage-simplify")),
                PassageTask::Own => { bdi { (cut(own_words(passage), MAX_HEADING_CHARS)) } },
            }
        }
        p.meta { a href=(address_in_text(passage.anchor, &passage.passage)) { q { bdi { (cut(&passage.passage, MAX_QUOTED_CHARS)) } } } }
    }
}

/// Returns the name of the person's prompt, or else the instruction.
fn own_words(passage: &ModelPassage) -> &str {
    passage.prompt_name.as_deref().or(passage.instruction.as_deref()).unwrap_or_default()
}

/// Returns the message that the model did not answer in time.
fn slow() -> FilledText<'static> {
    Text("passage-slow").with("minutes", MAX_PASSAGE_WAIT / MINUTE)
}

fn outcome(passage: &ModelPassage, page: &TextPage, token: &FormToken, now: Millis) -> Markup {
    let reason = || message_text(model::reason_words(passage.reason.as_deref()));
    html! {
        @match passage.state {
            ModelTaskState::Requested if passage.is_overdue(now) => { p.notice { (slow()) } },
            ModelTaskState::Requested => { p.soft { (Text("question-pending")) } },
            ModelTaskState::Failed => { p.notice { (Text("passage-failed").markup(&[("reason", reason())])) } },
            ModelTaskState::Ready => {
                p.words dir="auto" lang=[passage.language.as_deref()] { (passage.answer.as_deref().unwrap_or_default()) }
                (notes(passage))
                @if let QuestionSubject::Item(_) = page.subject {
                    form.noprint method="post" action={ (page.path) "/passage/note" } {
                        (token.field())
                        input type="hidden" name="passage" value=(passage.id);
                        button.secondary type="submit" { (Text("passage-store")) }
                    }
                }
            },
        }
    }
}

/// Renders the name of the model that answered, and notes about omitted words.
fn notes(passage: &ModelPassage) -> Markup {
    html! {
        p.soft.small {
            @if let Some(name) = &passage.model { (Text("passage-by").markup(&[("name", html! { bdi { (name) } })])) }
            @if passage.is_cut { " " (Text("passage-cut").with("characters", thousands(MAX_PASSAGE_CHARS))) }
            @if passage.is_answer_cut { " " (Text("passage-answer-cut")) }
        }
    }
}

fn request_form(page: &TextPage, typed: &str, choice: &ModelChoice, token: &FormToken) -> Markup {
    let language_of_page = page_language::current().content;
    let current = choice.translation_language.unwrap_or_else(|| language_of_page.into());
    html! {
        details.noprint open[!typed.is_empty()] {
            summary { (Text("passage-title")) }
            form.stack #passage-form method="post" action={ (page.path) "/passage" } data-slow=(slow().get()) data-retry=(Text("error-try-again").get()) {
                (token.field())
                p.rule id="passage-rule" { (Text("passage-rule").with("characters", thousands(MAX_PASSAGE_CHARS)).with("context", thousands(MAX_CONTEXT_CHARS)).with("text", thousands(MAX_PASSAGE_TEXT_CHARS))) }
                div {
                    label for="passage-words" { (Text("passage-words")) }
                    textarea.words id="passage-words" name="words" rows="3" required aria-describedby="passage-rule" { (typed) }
                }
                div {
                    label for="passage-task" { (Text("passage-task")) }
                    select id="passage-task" name="task" {
                        option value="explain" { (Text("passage-explain")) }
                        option value="translate" { (Text("passage-translate")) }
                        option value="simplify" { (Text("passage-simplify")) }
                        @for prompt in &choice.own_prompts { option value={ (OWN_PREFIX) (prompt.name) } { (prompt.name) } }
                    }
                }
                div {
                    label for="passage-language" { (Text("passage-language")) }
                    select id="passage-language" name="language" {
                        @for language in AnswerLanguage::ALL { option value=(language.tag()) lang=(language.tag()) selected[*language == current] { (language.own_name()) } }
                    }
                }
                div {
                    label for="passage-instruction" { (Text("passage-instruction")) }
                    p.rule id="passage-instruction-rule" { (Text("passage-instruction-hint").with("count", thousands(MAX_PROMPT_CHARS))) }
                    textarea id="passage-instruction" name="instruction" rows="2" maxlength=(MAX_PROMPT_CHARS) aria-describedby="passage-instruction-rule" {}
                }
                div { button type="submit" { (Text("passage-send")) } }
            }
        }
    }
}

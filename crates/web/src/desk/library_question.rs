//! Question about the library, answered by the language model from the most relevant texts. The page exists only if
//! the operator has configured a model.

use std::collections::HashMap;

use kernel::{AccountId, ItemId};
use library::Item;
use maud::{Markup, html};
use model::{MAX_QUESTION_ITEMS, ModelQuestion, QuestionSubject, QuotedSentence};
use poem::handler;

use super::frame::{Section, notice, redirect_done, respond, with_reload};
use super::library::item_rows::{path, title};
use super::meaning_link::ASK_PATH;
use super::question_parts::{
    QuestionKind, earlier_questions, failure, follow_up, notes, passage_of, question_form, typed_question,
};
use crate::language::text::Text;
use crate::page::form::{Form, FormToken};
use crate::page::request::{PageRequest, PageResult, User};

const DONE: [(&str, Text); 1] = [("answering", Text("question-requested"))];
/// Maximum number of reloads while the answer is written.
const MAX_RELOADS: u32 = 100;

#[handler]
pub(super) async fn show(request: PageRequest, user: User) -> PageResult {
    let (domain, account_id) = (&request.app.domain, user.account.id);
    model::require_model(domain)?;
    let latest = model::latest_question(domain, account_id, QuestionSubject::Library).await?;
    let is_pending = latest.as_ref().is_some_and(ModelQuestion::is_pending);
    let is_on = model::has_consent(domain, account_id).await?;
    let items = quoted_items(&request, account_id, latest.as_ref()).await?;
    let token = FormToken::of(&request);
    let content = html! {
        p.soft { a href="/library" { (Text("nav-library")) } }
        h1 { (Text("question-library")) }
        (notice(&request, &DONE))
        @if !is_on { p.soft { (Text("meaning-off").linked(&["/settings/model"])) } }
        @else if !is_pending {
            p { (Text("question-library-words").with("count", MAX_QUESTION_ITEMS)) }
            (question_form(ASK_PATH, QuestionKind::New, &token))
        }
        @if let Some(question) = &latest {
            (earlier_questions(question, |sentence| quoted(sentence, &items)))
            h2 { bdi { (question.question) } }
            (outcome(question, &items))
        }
        @if is_on && !is_pending { (follow_up(latest.as_ref(), ASK_PATH, &token)) }
    };
    let title = format!("{} · {}", Text("question-library").get(), Text("nav-library").get());
    let response = respond(&request, Section::Library, &title, &content);
    let reloads: u32 = request.parameter("reload").parse().unwrap_or(0);
    if is_pending && reloads < MAX_RELOADS {
        return Ok(with_reload(response, &format!("{ASK_PATH}?reload={}", reloads + 1)));
    }
    Ok(response)
}

/// Asks a question about the library.
#[handler]
pub(super) async fn ask(request: PageRequest, user: User, form: Form) -> PageResult {
    let (app, subject) = (&request.app, QuestionSubject::Library);
    let (_, job) = model::ask_question(&app.domain, user.account.id, subject, typed_question(&form)).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(ASK_PATH, "answering"))
}

/// Loads the items that an answer quotes and that the account can still see.
async fn quoted_items(
    request: &PageRequest,
    account_id: AccountId,
    question: Option<&ModelQuestion>,
) -> kernel::Result<HashMap<ItemId, Item>> {
    let domain = &request.app.domain;
    let sentences = question.into_iter().flat_map(|question| {
        let earlier = question.earlier.iter().flat_map(|earlier| &earlier.sentences);
        earlier.chain(&question.sentences)
    });
    let mut ids: Vec<ItemId> = sentences.filter_map(|sentence| sentence.item_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let deleted = library::pending_deletions(domain, account_id).await?;
    let items = library::find(domain, account_id, &ids).await?;
    let visible = items.into_iter().filter(|item| !deleted.contains_key(&item.id));
    Ok(visible.map(|item| (item.id, item)).collect())
}

fn outcome(question: &ModelQuestion, items: &HashMap<ItemId, Item>) -> Markup {
    if let Some(words) = failure(question) {
        return words;
    }
    html! {
        @if question.sentences.is_empty() && question.dropped_sentences == 0 { p { (Text("question-library-none")) } }
        @if !question.sentences.is_empty() { ul.rows { @for sentence in &question.sentences { (quoted(sentence, items)) } } }
        (notes(question))
        p.soft.small { (Text("question-items").with("number", question.items)) }
    }
}

/// Renders a sentence with its quotation and a link to the passage in its item.
fn quoted(sentence: &QuotedSentence, items: &HashMap<ItemId, Item>) -> Markup {
    html! {
        li {
            p { bdi { (sentence.text) } }
            @match sentence.item_id.and_then(|id| items.get(&id)) {
                Some(item) => { p.meta.dots {
                    span { q { bdi { (sentence.quote) } } }
                    span { a href={ (path(item)) (passage_of(sentence)) } { bdi { (title(item)) } } }
                } },
                None => { p.meta { (Text("question-gone")) } },
            }
        }
    }
}

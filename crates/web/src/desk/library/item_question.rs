//! Question about the text of an item, answered by the language model.

use kernel::ItemId;
use library::{Item, StoredText};
use model::QuestionSubject;
use poem::handler;
use poem::web::Path;

use super::super::frame::redirect_done;
use super::super::question_parts::{TextPage, typed_question};
use super::item_rows::path;
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult, User};

/// Asks a question about an item.
#[handler]
pub(in crate::desk) async fn ask(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<ItemId>,
) -> PageResult {
    let (app, subject) = (&request.app, QuestionSubject::Item(id));
    let (_, job) = model::ask_question(&app.domain, user.account.id, subject, typed_question(&form)).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(&format!("/library/{id}"), "answering"))
}

/// Describes the page of an item for questions and for requests about passages.
pub(super) fn text_page(item: &Item, text: Option<&StoredText>) -> TextPage {
    TextPage {
        account_id: item.account_id,
        subject: QuestionSubject::Item(item.id),
        path: path(item),
        has_text: text.is_some(),
        text_at: text.map(|text| text.cached_at),
    }
}

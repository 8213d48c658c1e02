//! Question about the text of an entry, answered by the language model.

use feeds::{EntryBody, EntryView};
use kernel::{AccountId, EntryId};
use model::QuestionSubject;
use poem::handler;
use poem::web::Path;

use super::super::frame::redirect_done;
use super::super::question_parts::{TextPage, typed_question};
use super::entry_rows::path;
use crate::language::text::Text;
use crate::page::form::Form;
use crate::page::request::{PageRequest, PageResult, User};

pub(super) const DONE: [(&str, Text); 1] = [("answering", Text("question-requested"))];

/// Asks a question about an entry.
#[handler]
pub(in crate::desk) async fn ask(
    request: PageRequest,
    user: User,
    form: Form,
    Path(id): Path<i64>,
) -> PageResult {
    let (app, id) = (&request.app, EntryId::new(id));
    let (account_id, subject) = (user.account.id, QuestionSubject::Entry(id));
    let (_, job) = model::ask_question(&app.domain, account_id, subject, typed_question(&form)).await?;
    app.engine.push_all(job.as_slice()).await;
    Ok(redirect_done(&path(id), "answering"))
}

/// Describes the page of an entry for questions and for requests about passages.
pub(super) fn text_page(account_id: AccountId, view: &EntryView) -> TextPage {
    let has_text = match &view.body {
        EntryBody::Article(_) => true,
        EntryBody::Markup(markup, _) => !markup.trim().is_empty() || view.entry.summary.is_some(),
    };
    TextPage {
        account_id,
        subject: QuestionSubject::Entry(view.entry.id),
        path: path(view.entry.id),
        has_text,
        text_at: None,
    }
}

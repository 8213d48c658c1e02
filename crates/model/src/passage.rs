//! Requests about a passage of the text of an item or an entry: explain, translate, or simplify it, or apply a prompt of
//! the person. The latest one about each text is stored with its answer, which can become the note of a highlight.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, PassageId};
use entities::model_passage::{Column, Entity, Model, PassageTask};
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{JobKind, NewJob, Submitted};
use kernel::bounds::NOTE_CHARS;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Language, Millis, Result};
use library::{Highlight, HighlightTarget, HighlightUpdate, NewHighlight};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::model_task::{ModelTask, load_task};
use crate::question_source::source_of;
use crate::question_subject::{EntryTable, QuestionSubject, delete_surplus, require_item};
use crate::source_text::cut_lines;
use crate::{budget, choice, consent};

/// Maximum number of characters of a passage that are sent.
pub const MAX_PASSAGE_CHARS: usize = 2_000;

/// Wish of the person for a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageWish<'a> {
    /// Explain the passage in this language. `None` for the language of the account, or English if it has none.
    Explain(Option<Language>),
    /// Translate the passage into this language. `None` for the language of the account, or English if it has none.
    Translate(Option<Language>),
    Simplify,
    /// Apply the person's prompt with this name.
    Own(&'a str),
}

/// Passage to work on.
#[derive(Clone, Copy, Debug)]
pub struct NewPassage<'a> {
    /// Words of the text. If they are too long, only the first ones are sent.
    pub words: &'a str,
    pub wish: PassageWish<'a>,
}

/// Request about a passage with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPassage {
    pub id: PassageId,
    /// Words of the text that were sent.
    pub passage: String,
    /// True if only the first words of the passage were sent.
    pub is_cut: bool,
    pub task: PassageTask,
    /// BCP 47 tag of the language of the answer. `None` if the task does not name one.
    pub language: Option<String>,
    /// Name of the person's prompt. `None` for other tasks.
    pub prompt_name: Option<String>,
    pub state: ModelTaskState,
    /// Plain text. `None` unless the state is `Ready`.
    pub answer: Option<String>,
    /// True if the answer was longer than the maximum.
    pub is_answer_cut: bool,
    /// Anchor of the block in which the passage begins. `None` if the text did not contain the passage, or if its page has
    /// no anchors.
    pub anchor: Option<u32>,
    /// Error code of a failed request.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: Millis,
    pub finished_at: Option<Millis>,
}

impl ModelPassage {
    /// Returns true if the request has no answer yet.
    pub fn is_pending(&self) -> bool {
        self.state == ModelTaskState::Requested
    }
}

impl ModelTask for ModelPassage {
    const KIND: JobKind = JobKind::Passage;

    fn state(&self) -> ModelTaskState {
        self.state
    }

    fn cancelled(self) -> Self {
        Self { state: ModelTaskState::Failed, reason: Some(Code::Cancelled.as_str().to_owned()), ..self }
    }
}

impl From<Model> for ModelPassage {
    fn from(row: Model) -> Self {
        Self {
            id: row.passage_id,
            passage: row.passage,
            is_cut: row.is_cut,
            task: row.task,
            language: row.language,
            prompt_name: row.prompt_name,
            state: row.state,
            answer: row.answer,
            is_answer_cut: row.is_answer_cut,
            anchor: row.anchor.and_then(|anchor| u32::try_from(anchor).ok()),
            reason: row.reason,
            model: row.model,
            requested_at: row.requested_at,
            finished_at: row.finished_at,
        }
    }
}

/// Returns the latest request about a passage of a text. `None` if there was none.
#[boxed]
pub async fn latest_passage(
    domain: &Domain,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<Option<ModelPassage>> {
    load(domain.db().read(), account_id, subject).await
}

fn condition(subject: QuestionSubject) -> Condition {
    subject.condition(Column::ItemId, Column::EntryId)
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<Option<ModelPassage>> {
    let passages = Entity::owned_by(account_id);
    let row = passages.clone().filter(condition(subject)).one(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let query = passages.filter(Column::PassageId.eq(row.passage_id));
    load_task(connection, query, &row.passage_id.to_string()).await
}

/// Requests an answer about a passage, which replaces the latest request about the same text. While a request is
/// pending, it is returned without a job and no other is accepted. The caller pushes the job.
///
/// # Errors
/// `not_found` if the item, the entry, or the prompt does not exist, the subject is the library, or this installation has
/// no model; `owner_required` without consent; `plan_required` or `rate_limited`; `invalid_request` if the passage is
/// blank; if there is no text, the error states the reason.
#[boxed]
pub async fn request_passage<'a>(
    domain: &'a Domain,
    account_id: AccountId,
    subject: QuestionSubject,
    new: NewPassage<'a>,
) -> Result<(ModelPassage, Option<Submitted>)> {
    consent::require_model(domain)?;
    source_of(domain, account_id, subject).await?.ok_or_else(|| not_found("text"))?;
    consent::require_consent(domain, account_id).await?;
    let row = new_row(domain, account_id, subject, new).await?;
    let present = latest_passage(domain, account_id, subject).await?;
    if let Some(pending) = present.filter(ModelPassage::is_pending) {
        return Ok((pending, None));
    }
    budget::charge_submission(domain, account_id, submit(domain, row)).await
}

/// Writes a waiting request and its job, unless a simultaneous request has written them.
async fn submit(domain: &Domain, row: Model) -> Result<(ModelPassage, Option<Submitted>)> {
    let (account_id, subject) = (row.account_id, QuestionSubject::of(row.item_id, row.entry_id));
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    require_item(&transaction, account_id, subject).await?;
    let present = load(&transaction, account_id, subject).await?;
    if let Some(pending) = present.filter(ModelPassage::is_pending) {
        return Ok((pending, None));
    }
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(condition(subject))
        .exec(&transaction)
        .await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    if let QuestionSubject::Entry(_) = subject {
        delete_surplus(&transaction, EntryTable::PASSAGES, account_id).await?;
    }
    let job = NewJob::new(JobKind::Passage, row.passage_id.to_string()).owner(account_id);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Creates the row of a request that waits for its job.
async fn new_row(
    domain: &Domain,
    account_id: AccountId,
    subject: QuestionSubject,
    new: NewPassage<'_>,
) -> Result<Model> {
    let passage = cut_lines(new.words, MAX_PASSAGE_CHARS);
    if passage.text.is_empty() {
        return Err(Error::invalid_field("passage", "must have visible characters"));
    }
    let (mut language, mut prompt) = (None, None);
    let task = match new.wish {
        PassageWish::Explain(chosen) => {
            language = Some(language_of(domain, account_id, chosen).await?);
            PassageTask::Explain
        }
        PassageWish::Translate(chosen) => {
            language = Some(language_of(domain, account_id, chosen).await?);
            PassageTask::Translate
        }
        PassageWish::Simplify => PassageTask::Simplify,
        PassageWish::Own(name) => {
            let prompts = choice::get_choice(domain, account_id).await?.own_prompts;
            let own = prompts.into_iter().find(|prompt| prompt.name == name);
            prompt = Some(own.ok_or_else(|| not_found("prompt"))?);
            PassageTask::Own
        }
    };
    let (prompt_name, instruction) = prompt.map(|prompt| (prompt.name, prompt.instruction)).unzip();
    Ok(Model {
        passage_id: domain.new_id(),
        account_id,
        item_id: subject.item_id(),
        entry_id: subject.entry_id(),
        passage: passage.text,
        is_cut: passage.is_partial,
        task,
        language: language.map(|language| language.tag().to_owned()),
        prompt_name,
        instruction,
        state: ModelTaskState::Requested,
        answer: None,
        is_answer_cut: false,
        anchor: None,
        reason: None,
        model: None,
        requested_at: domain.now(),
        finished_at: None,
    })
}

/// Returns the language of an answer.
async fn language_of(domain: &Domain, account_id: AccountId, chosen: Option<Language>) -> Result<Language> {
    match chosen {
        Some(language) => Ok(language),
        None => Ok(accounts::get(domain, account_id).await?.language.unwrap_or_default()),
    }
}

/// Stores the answer about a passage of an item as the note of a highlight of the passage, followed by the line
/// `origin`, which names the language model as the author. If the highlight exists, the answer is added to its note,
/// unless the note has it already.
///
/// # Errors
/// `not_found` if the item has no such answer, because another request has replaced it; `invalid_request` if the note
/// becomes too long; errors of [`library::create_highlight`].
#[boxed]
pub async fn store_note(
    domain: &Domain,
    account_id: AccountId,
    item_id: ItemId,
    id: PassageId,
    origin: &str,
) -> Result<Highlight> {
    let latest = load(domain.db().write(), account_id, QuestionSubject::Item(item_id)).await?;
    let passage = latest.filter(|passage| passage.id == id).ok_or_else(|| not_found("answer"))?;
    let answer = passage.answer.ok_or_else(|| not_found("answer"))?;
    let note = format!("{answer}\n\n{origin}");
    let new = NewHighlight {
        item_id,
        target: HighlightTarget::Quote(passage.passage),
        prefix: None,
        suffix: None,
        anchor: passage.anchor,
        note: Some(note.clone()),
        color: None,
        tags: Vec::new(),
        external_id: None,
    };
    let (highlight, _) = library::create_highlight(domain, account_id, new).await?;
    let present = highlight.row.note.as_deref().unwrap_or_default();
    if has_paragraphs(present, &answer) {
        return Ok(highlight);
    }
    let joined = format!("{present}\n\n{note}");
    if joined.chars().count() > NOTE_CHARS {
        return Err(Error::invalid_field("note", format!("must have at most {NOTE_CHARS} characters")));
    }
    let update = HighlightUpdate { note: Some(Some(joined)), ..HighlightUpdate::default() };
    library::update_highlight(domain, account_id, highlight.row.id, update).await
}

/// Returns true if a note has a text as paragraphs of its own.
fn has_paragraphs(note: &str, text: &str) -> bool {
    // A browser sends line breaks of an edited note as CRLF.
    format!("\n\n{}\n\n", note.replace("\r\n", "\n")).contains(&format!("\n\n{text}\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_in_a_note_is_recognised_by_whole_paragraphs() {
        assert!(has_paragraphs("No.\nNone.", "No.\nNone."));
        assert!(has_paragraphs("Mine\r\n\r\nNo.\r\nNone.\r\n\r\nBy a model.", "No.\nNone."));
        assert!(!has_paragraphs("I said: No.", "No.") && !has_paragraphs("No. Never.", "No."));
    }
}

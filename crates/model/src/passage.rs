//! Requests about a passage of the text of an item or an entry: explain, translate, or simplify it, or apply a prompt or an
//! instruction of the person. The latest one about each text is stored with its answer, which can become the note of a
//! highlight.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId, PassageId};
use entities::model_passage::{Column, Entity, Model, PassageTask};
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{JobKind, NewJob, Submitted};
use kernel::bounds::NOTE_CHARS;
use kernel::clock::MINUTE;
use kernel::error::not_found;
use kernel::{Code, Domain, Error, Millis, Result};
use library::{Highlight, HighlightTarget, HighlightUpdate, NewHighlight};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};

use crate::answer_language::AnswerLanguage;
use crate::model_task::{ModelTask, load_task};
use crate::own_prompt::validated_instruction;
use crate::question_source::source_of;
use crate::question_subject::{EntryTable, QuestionSubject, delete_surplus, require_item};
use crate::source_text::cut_lines;
use crate::{budget, choice, consent};

/// Maximum number of characters of a passage that are sent.
pub const MAX_PASSAGE_CHARS: usize = 2_000;
/// Time without an answer after which another request replaces a pending one.
pub const MAX_PASSAGE_WAIT: Millis = 5 * MINUTE;

/// Wish of the person for a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageWish<'a> {
    /// Explain the passage in this language. `None` for the language of the account, or English if it has none.
    Explain(Option<AnswerLanguage>),
    /// Translate the passage into this language. `None` for the language of the person's latest translation, or that of the
    /// account, or English.
    Translate(Option<AnswerLanguage>),
    Simplify,
    /// Apply the person's prompt with this name.
    Own(&'a str),
    /// Apply an instruction, which is stored with this request only.
    Instruction(&'a str),
}

/// Passage to work on.
#[derive(Clone, Copy, Debug)]
pub struct NewPassage<'a> {
    /// Words of the text. If they are too long, only the first ones are sent.
    pub words: &'a str,
    pub wish: PassageWish<'a>,
    /// True if the language of this translation becomes the default of the account.
    pub remembers_language: bool,
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
    /// Name of the person's prompt. `None` for other tasks, and for an instruction without a name.
    pub prompt_name: Option<String>,
    /// Instruction of the person that was sent. `None` unless the task is `Own`.
    pub instruction: Option<String>,
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

    /// Returns true if the request has been pending for so long that another one replaces it.
    pub fn is_overdue(&self, now: Millis) -> bool {
        self.is_pending() && now - self.requested_at >= MAX_PASSAGE_WAIT
    }

    /// Returns true if no other request about the same text is accepted yet.
    fn excludes_others(&self, now: Millis) -> bool {
        self.is_pending() && !self.is_overdue(now)
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
            instruction: row.instruction,
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

/// Requests an answer about a passage, which replaces the latest request about the same text. While a request has been
/// pending for less than [`MAX_PASSAGE_WAIT`], it is returned without a job and no other is accepted. The caller pushes
/// the job.
///
/// # Errors
/// `not_found` if the item, the entry, or the prompt does not exist, the subject is the library, or this installation has
/// no model; `owner_required` without consent; `plan_required` or `rate_limited`; `invalid_request` if the passage is
/// blank, or an instruction is blank or too long; if there is no text, the error states the reason.
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
    if let Some(pending) = present.filter(|present| present.excludes_others(domain.now())) {
        return Ok((pending, None));
    }
    let remembered = match new.wish {
        PassageWish::Translate(language) => language.filter(|_| new.remembers_language),
        PassageWish::Explain(_)
        | PassageWish::Simplify
        | PassageWish::Own(_)
        | PassageWish::Instruction(_) => None,
    };
    budget::charge_submission(domain, account_id, submit(domain, row, remembered)).await
}

/// Writes a waiting request, its job, and the default language of translations, unless a simultaneous call has written
/// a request.
async fn submit(
    domain: &Domain,
    row: Model,
    remembered: Option<AnswerLanguage>,
) -> Result<(ModelPassage, Option<Submitted>)> {
    let (account_id, subject) = (row.account_id, QuestionSubject::of(row.item_id, row.entry_id));
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    require_item(&transaction, account_id, subject).await?;
    let present = load(&transaction, account_id, subject).await?;
    if let Some(pending) = present.filter(|present| present.excludes_others(domain.now())) {
        return Ok((pending, None));
    }
    // The job of an overdue request completes without an effect, because its row is gone.
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(condition(subject))
        .exec(&transaction)
        .await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    if let QuestionSubject::Entry(_) = subject {
        delete_surplus(&transaction, EntryTable::PASSAGES, account_id).await?;
    }
    if let Some(language) = remembered {
        choice::set_translation_language(&transaction, account_id, language).await?;
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
    let WishColumns { task, language, prompt_name, instruction } =
        columns_of(domain, account_id, new.wish).await?;
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

/// Columns of a request that depend on the wish.
struct WishColumns {
    task: PassageTask,
    language: Option<AnswerLanguage>,
    prompt_name: Option<String>,
    instruction: Option<String>,
}

impl WishColumns {
    fn of_task(task: PassageTask) -> Self {
        Self { task, language: None, prompt_name: None, instruction: None }
    }
}

async fn columns_of(domain: &Domain, account_id: AccountId, wish: PassageWish<'_>) -> Result<WishColumns> {
    match wish {
        PassageWish::Explain(chosen) => {
            let language = language_of(domain, account_id, chosen).await?;
            Ok(WishColumns { language: Some(language), ..WishColumns::of_task(PassageTask::Explain) })
        }
        PassageWish::Translate(chosen) => {
            let latest = choice::get_choice(domain, account_id).await?.translation_language;
            let language = language_of(domain, account_id, chosen.or(latest)).await?;
            Ok(WishColumns { language: Some(language), ..WishColumns::of_task(PassageTask::Translate) })
        }
        PassageWish::Simplify => Ok(WishColumns::of_task(PassageTask::Simplify)),
        PassageWish::Own(name) => {
            let prompts = choice::get_choice(domain, account_id).await?.own_prompts;
            let own = prompts.into_iter().find(|prompt| prompt.name == name);
            let own = own.ok_or_else(|| not_found("prompt"))?;
            let (prompt_name, instruction) = (Some(own.name), Some(own.instruction));
            Ok(WishColumns { prompt_name, instruction, ..WishColumns::of_task(PassageTask::Own) })
        }
        PassageWish::Instruction(words) => {
            let instruction = Some(validated_instruction(words)?);
            Ok(WishColumns { instruction, ..WishColumns::of_task(PassageTask::Own) })
        }
    }
}

/// Returns the language of an answer.
async fn language_of(
    domain: &Domain,
    account_id: AccountId,
    chosen: Option<AnswerLanguage>,
) -> Result<AnswerLanguage> {
    match chosen {
        Some(language) => Ok(language),
        None => Ok(accounts::get(domain, account_id).await?.language.unwrap_or_default().into()),
    }
}

/// Stores the answer about a passage of an item as the note of a highlight of the passage, followed by the line
/// `origin`, which names the language model as the author. If the highlight exists, the answer is added to its note,
/// unless the note already contains it.
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

/// Returns true if a note contains a text as separate paragraphs.
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

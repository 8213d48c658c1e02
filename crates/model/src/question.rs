//! Questions about the text of an item or an entry, or about a library: the latest question with its answer, and
//! requests for one. A follow-up question continues the conversation with the latest one, which is stored with it.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::model_question::{Column, Entity, Model};
use entities::model_task::ModelTaskState;
use identity::accounts;
use jobs::{JobKind, NewJob, Submitted};
use kernel::{Code, Domain, Error, Millis, Result};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter};
use serde::{Deserialize, Serialize};

use crate::meaning_search::{MAX_QUERY_CHARS, validated_query};
use crate::model_task::{ModelTask, load_task};
use crate::question_source::source_of;
use crate::question_subject::{EntryTable, QuestionSubject, delete_surplus, require_item};
use crate::source_text::single_line;
use crate::{budget, consent};

/// Maximum length of a question in characters.
pub const MAX_QUESTION_CHARS: usize = MAX_QUERY_CHARS;
/// Maximum number of questions of a conversation.
pub const MAX_CONVERSATION: usize = 6;

/// Question to ask.
#[derive(Clone, Copy, Debug)]
pub struct NewQuestion<'a> {
    /// Words of the person.
    pub words: &'a str,
    /// True to continue the conversation with the latest question, if there is one.
    pub is_follow_up: bool,
}

/// Answered question of a conversation before the latest one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierQuestion {
    /// Words of the person.
    pub question: String,
    pub sentences: Vec<QuotedSentence>,
}

/// Question with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelQuestion {
    /// Question, as written by the person.
    pub question: String,
    /// Earlier questions of the conversation, the oldest first.
    pub earlier: Vec<EarlierQuestion>,
    pub state: ModelTaskState,
    /// Sentences of the answer. Empty if the texts do not answer the question.
    pub sentences: Vec<QuotedSentence>,
    /// Number of sentences that were left out, because they have no quotation from the text.
    pub dropped_sentences: i32,
    /// Number of items that the answer covers.
    pub items: i32,
    /// Number of chosen items that the answer does not cover.
    pub omitted_items: i32,
    /// True if only a part of a text was sent.
    pub is_partial: bool,
    /// Time at which the text of the item was fetched or supplied.
    pub text_at: Option<Millis>,
    /// Error code of a failed request, or of a request about one of several items.
    pub reason: Option<String>,
    /// Name of the model that answered.
    pub model: Option<String>,
    pub requested_at: Millis,
    pub finished_at: Option<Millis>,
}

/// Sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedSentence {
    /// Plain text.
    pub text: String,
    /// Words of the text, as the model copied them.
    pub quote: String,
    /// Item that contains the quotation. It may have been deleted since. `None` in an answer from an entry.
    pub item_id: Option<ItemId>,
    /// Anchor of the block in which the quotation begins. `None` if the page of the text has no anchors.
    pub anchor: Option<u32>,
}

impl ModelQuestion {
    /// Returns true if the question has no answer yet.
    pub fn is_pending(&self) -> bool {
        self.state == ModelTaskState::Requested
    }

    /// Returns true if a follow-up question is allowed.
    pub fn may_be_followed(&self) -> bool {
        let questions = self.earlier.len() + usize::from(self.state == ModelTaskState::Ready);
        !self.is_pending() && (1..MAX_CONVERSATION).contains(&questions)
    }

    /// Returns the earlier questions of a follow-up question. If the latest question has no answer, the follow-up
    /// question replaces it.
    fn continued(self) -> Result<Vec<EarlierQuestion>> {
        let mut earlier = self.earlier;
        if self.state == ModelTaskState::Ready {
            earlier.push(EarlierQuestion { question: self.question, sentences: self.sentences });
        }
        if earlier.len() < MAX_CONVERSATION {
            return Ok(earlier);
        }
        let message =
            format!("continues a conversation of {MAX_CONVERSATION} questions, which is the maximum");
        Err(Error::invalid_field("followUp", message))
    }
}

impl ModelTask for ModelQuestion {
    const KIND: JobKind = JobKind::Question;

    fn state(&self) -> ModelTaskState {
        self.state
    }

    fn cancelled(self) -> Self {
        Self { state: ModelTaskState::Failed, reason: Some(Code::Cancelled.as_str().to_owned()), ..self }
    }
}

impl From<Model> for ModelQuestion {
    fn from(row: Model) -> Self {
        Self {
            earlier: earlier_of(&row),
            question: row.question,
            state: row.state,
            sentences: serde_json::from_str(&row.sentences).unwrap_or_default(),
            dropped_sentences: row.dropped_sentences,
            items: row.items,
            omitted_items: row.omitted_items,
            is_partial: row.is_partial,
            text_at: row.text_at,
            reason: row.reason,
            model: row.model,
            requested_at: row.requested_at,
            finished_at: row.finished_at,
        }
    }
}

/// Returns the earlier questions of a row.
pub(crate) fn earlier_of(row: &Model) -> Vec<EarlierQuestion> {
    serde_json::from_str(&row.earlier).unwrap_or_default()
}

/// Returns the latest question about a subject. `None` if there was none.
#[boxed]
pub async fn latest_question(
    domain: &Domain,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<Option<ModelQuestion>> {
    load(domain.db().read(), account_id, subject).await
}

fn condition(subject: QuestionSubject) -> Condition {
    subject.condition(Column::ItemId, Column::EntryId)
}

async fn load(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    subject: QuestionSubject,
) -> Result<Option<ModelQuestion>> {
    let questions = Entity::owned_by(account_id);
    let row = questions.clone().filter(condition(subject)).one(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let query = questions.filter(Column::QuestionId.eq(row.question_id));
    load_task(connection, query, &row.question_id.to_string()).await
}

/// Asks a question, which replaces the latest one about its subject, or continues the conversation with it. While a
/// question is pending, it is returned and no other is accepted. The caller pushes the job.
///
/// # Errors
/// `not_found` if the item or entry does not exist, or this installation has no model; `owner_required` without consent;
/// `plan_required` or `rate_limited`; `invalid_request` if the question is empty or too long, or the conversation has the
/// maximum number of questions; if there is no text, the error states the reason.
#[boxed]
pub async fn ask_question<'a>(
    domain: &'a Domain,
    account_id: AccountId,
    subject: QuestionSubject,
    new: NewQuestion<'a>,
) -> Result<(ModelQuestion, Option<Submitted>)> {
    consent::require_model(domain)?;
    source_of(domain, account_id, subject).await?;
    consent::require_consent(domain, account_id).await?;
    let question = single_line(validated_query("question", new.words)?, MAX_QUESTION_CHARS);
    if question.is_empty() {
        return Err(Error::invalid_field("question", "must have visible characters"));
    }
    let present = latest_question(domain, account_id, subject).await?;
    if let Some(pending) = present.filter(ModelQuestion::is_pending) {
        return Ok((pending, None));
    }
    let row = new_row(domain, account_id, subject, question);
    budget::charge_submission(domain, account_id, submit(domain, row, new.is_follow_up)).await
}

/// Writes a waiting question and its job, unless a simultaneous request has written them.
async fn submit(
    domain: &Domain,
    mut row: Model,
    is_follow_up: bool,
) -> Result<(ModelQuestion, Option<Submitted>)> {
    let (account_id, subject) = (row.account_id, QuestionSubject::of(row.item_id, row.entry_id));
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    require_item(&transaction, account_id, subject).await?;
    match load(&transaction, account_id, subject).await? {
        Some(pending) if pending.is_pending() => return Ok((pending, None)),
        Some(latest) if is_follow_up => {
            row.earlier = serde_json::to_string(&latest.continued()?).map_err(Error::internal)?;
        }
        Some(_) | None => {}
    }
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(condition(subject))
        .exec(&transaction)
        .await?;
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    if let QuestionSubject::Entry(_) = subject {
        delete_surplus(&transaction, EntryTable::QUESTIONS, account_id).await?;
    }
    let job = NewJob::new(JobKind::Question, row.question_id.to_string()).owner(account_id);
    let job = jobs::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((row.into(), Some(job)))
}

/// Creates the row of a question that waits for its job.
fn new_row(domain: &Domain, account_id: AccountId, subject: QuestionSubject, question: String) -> Model {
    Model {
        question_id: domain.new_id(),
        account_id,
        item_id: subject.item_id(),
        entry_id: subject.entry_id(),
        question,
        earlier: "[]".to_owned(),
        state: ModelTaskState::Requested,
        sentences: "[]".to_owned(),
        dropped_sentences: 0,
        items: 0,
        omitted_items: 0,
        is_partial: false,
        text_at: None,
        reason: None,
        model: None,
        requested_at: domain.now(),
        finished_at: None,
    }
}

//! Explanations of changes by the language model. If a monitor explains its changes, the message about a
//! change waits for the explanation, up to a maximum time. The change itself is recorded immediately.
//!
//! A job of another crate sends the differences to the model and finishes the explanation. The owner can
//! choose that no channel is notified of a change that the model judges irrelevant to the owner's wish. The
//! change itself, its feed entry, and the decision of its run are recorded in any case.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ChangeId};
use entities::model_task::ModelTaskState;
use entities::monitor_explanation::{ActiveModel, Column, Entity, Model};
use entities::{model_consent, monitor, monitor_change, monitor_run};
use extract::watch::Operation;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};

use super::change::Change;
use super::change_explanation::ChangeExplanation;
use super::change_notice::{self, NoticeAudience};
use super::decision::Decision;
use super::follow::FeedUpdates;
use super::message_text::{self, MessageText};
use super::monitor::ExplanationSettings;
use super::render;
use super::rows::load;
use identity::accounts::{self, message_language};
use jobs::{Claimed, JobKind, NewJob};
use kernel::clock::MINUTE;
use kernel::{Code, Domain, Language, Millis, Result};

/// Maximum time that a message waits for its explanation.
const MAX_EXPLANATION_DELAY: Millis = 10 * MINUTE;
/// Maximum number of characters of the differences that are sent to the model.
pub const MAX_EXPLAINED_CHARS: usize = 6_000;
/// Maximum number of overdue explanations that are finished in a tick.
const OVERDUE_PER_TICK: u64 = 20;
/// Delay after which an overdue explanation that cannot be finished is tried again.
const RETRY_DELAY: Millis = MINUTE;

/// Differences to explain.
#[derive(Clone, Debug)]
pub struct ExplanationSource {
    pub account_id: AccountId,
    /// Owner's wish, on one line.
    pub wish: Option<String>,
    /// True if channels are notified only of relevant changes.
    pub only_relevant: bool,
    /// Differences, one per line. Untrusted text of the source.
    pub text: String,
    /// Time after which the message is sent without an explanation.
    pub due_at: Millis,
    /// Language of the owner's messages.
    pub language: Language,
}

/// Answer of the language model about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewExplanation {
    /// Plain text on one line.
    pub sentence: String,
    /// `None` if the model was not instructed to decide whether the change is relevant.
    pub is_relevant: Option<bool>,
    /// Name of the model.
    pub model: String,
}

/// Requests an explanation of a change, in the transaction that records the change. Returns false if the
/// message must not wait, because the account has no model or no consent, or too many requests wait.
pub(super) async fn request(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    row: &monitor::Model,
    settings: &ExplanationSettings,
    (change, text): (&Change, &MessageText),
) -> Result<bool> {
    let has_model = domain.policy().model.is_some();
    let consent = model_consent::Entity::owned_by(row.account_id);
    if !has_model || consent.one(transaction).await?.is_none() {
        return Ok(false);
    }
    let now = domain.now();
    let mut explanation = Model {
        change_id: change.id,
        account_id: row.account_id,
        monitor_id: row.id,
        state: ModelTaskState::Requested,
        wish: settings.wish.as_deref().and_then(one_line),
        only_relevant: settings.only_relevant,
        title: text.title.clone(),
        summary: text.summary.clone(),
        sentence: None,
        is_relevant: None,
        reason: None,
        model: None,
        requested_at: now,
        due_at: Some(now + MAX_EXPLANATION_DELAY),
        finished_at: None,
    };
    // The caller that commits cannot push the job, so the next tick pushes it.
    let job = NewJob::new(JobKind::ChangeExplanation, change.id.to_string()).owner(row.account_id);
    let is_waiting = match jobs::submit(transaction, domain, job.run_at(now + 1)).await {
        Ok(_) => true,
        Err(error) if error.code == Code::CapacityExhausted => {
            tracing::warn!(change = %change.id, "queue full, skipping explanation of a change");
            explanation.state = ModelTaskState::Failed;
            explanation.reason = Some(error.code.as_str().to_owned());
            (explanation.due_at, explanation.finished_at) = (None, Some(now));
            false
        }
        Err(error) => return Err(error),
    };
    Entity::insert(explanation.into_active_model()).exec_without_returning(transaction).await?;
    Ok(is_waiting)
}

/// Returns a text on one line without control characters. `None` if it is blank.
fn one_line(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|one| !one.is_control() || one.is_whitespace()).collect();
    let line = plain.split_whitespace().collect::<Vec<&str>>().join(" ");
    Some(line).filter(|line| !line.is_empty())
}

/// Returns the differences of a change that waits for its explanation. `None` if the change does not wait for
/// one.
#[boxed]
pub async fn explanation_source(domain: &Domain, change_id: ChangeId) -> Result<Option<ExplanationSource>> {
    let connection = domain.db().write();
    let Some(row) = Entity::of_any_owner(change_id).one(connection).await? else { return Ok(None) };
    let Some(due_at) = row.due_at.filter(|_| row.state == ModelTaskState::Requested) else { return Ok(None) };
    let change = monitor_change::Entity::owned_by(row.account_id)
        .filter(monitor_change::Column::Id.eq(change_id))
        .one(connection)
        .await?;
    let Some(change) = change else { return Ok(None) };
    let change = Change::try_from(change)?;
    Ok(Some(ExplanationSource {
        account_id: row.account_id,
        wish: row.wish,
        only_relevant: row.only_relevant,
        text: text_of(&change),
        due_at,
        language: message_language(connection, row.account_id).await?,
    }))
}

/// Returns the differences of a change as lines, truncated to the maximum length. If there are none, returns
/// the summary.
fn text_of(change: &Change) -> String {
    let mut text = String::new();
    let mut remaining = MAX_EXPLAINED_CHARS;
    let summary = change.operations.is_empty().then(|| change.summary.clone());
    for line in summary.into_iter().chain(change.operations.iter().map(line_of)) {
        if remaining == 0 {
            break;
        }
        let cut: String = line.chars().chain(['\n']).take(remaining).collect();
        remaining -= cut.chars().count();
        text.push_str(&cut);
    }
    text
}

/// Returns an operation as a line.
fn line_of(operation: &Operation) -> String {
    let names = [operation.item.as_deref(), operation.field.as_deref()];
    let sides = [operation.before.as_deref(), operation.after.as_deref()];
    let sides: Vec<&str> = sides
        .into_iter()
        .flatten()
        .chain(operation.link.as_deref().filter(|_| operation.before.is_none() && operation.after.is_none()))
        .collect();
    let sides = sides.join(" → ");
    let parts: Vec<&str> = [Some(render::label(operation.op))]
        .into_iter()
        .chain(names)
        .chain([Some(sides.as_str())])
        .flatten()
        .collect();
    parts.join(": ")
}

/// Finishes an explanation, sends the message that waits for it, and completes its job. An explanation that is already
/// finished is not changed. `answer` is the answer of the model, or the reason why there is none.
#[boxed]
pub async fn finish_explanation(
    domain: &Domain,
    change_id: ChangeId,
    answer: std::result::Result<NewExplanation, Code>,
    claimed: Option<&Claimed>,
) -> Result<()> {
    // Load the key that signs links to changes before any row is locked.
    domain.cursor_key().await?;
    let row = Entity::of_any_owner(change_id).one(domain.db().write()).await?;
    let transaction = domain.db().begin().await?;
    if let Some(row) = row {
        match accounts::lock(&transaction, row.account_id).await {
            Ok(_) => finish_in(&transaction, domain, &row, answer).await?,
            // The account was deleted, and its monitors with it.
            Err(error) if error.code == Code::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    if let Some(claimed) = claimed {
        jobs::complete_in(&transaction, domain, claimed).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Finishes an explanation in a transaction that has locked its account.
async fn finish_in(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    known: &Model,
    answer: std::result::Result<NewExplanation, Code>,
) -> Result<()> {
    let waiting = Entity::owned_by(known.account_id)
        .filter(Column::ChangeId.eq(known.change_id))
        .filter(Column::State.eq(ModelTaskState::Requested));
    let Some(waiting) = waiting.one(transaction).await? else { return Ok(()) };
    let change = monitor_change::Entity::owned_by(waiting.account_id)
        .filter(monitor_change::Column::Id.eq(waiting.change_id))
        .one(transaction)
        .await?;
    let Some(change) = change else { return Ok(()) };
    let row = load(transaction, waiting.account_id, waiting.monitor_id).await?;
    let message = MessageText { title: waiting.title.clone(), summary: waiting.summary.clone() };
    let explanation: ChangeExplanation = finished(domain, &waiting, answer).update(transaction).await?.into();
    let audience =
        if explanation.is_withheld { NoticeAudience::Feeds } else { NoticeAudience::ChannelsAndFeeds };
    let language = message_language(transaction, waiting.account_id).await?;
    let text = message_text::with_explanation(language, message, &explanation);
    let change = Change { explanation: Some(explanation), ..Change::try_from(change)? };
    let mut feeds = FeedUpdates::default();
    change_notice::send(transaction, domain, &row, (&change, &text), audience, &mut feeds).await?;
    feeds.write(transaction, domain.now()).await?;
    if audience == NoticeAudience::Feeds {
        record_judgement(transaction, &change, waiting.account_id).await?;
    }
    Ok(())
}

/// Returns the update that records the result of a waiting explanation.
fn finished(
    domain: &Domain,
    waiting: &Model,
    answer: std::result::Result<NewExplanation, Code>,
) -> ActiveModel {
    let mut change = ActiveModel {
        change_id: Set(waiting.change_id),
        due_at: Set(None),
        finished_at: Set(Some(domain.now())),
        ..Default::default()
    };
    match answer {
        Ok(NewExplanation { sentence, is_relevant, model }) => {
            change.state = Set(ModelTaskState::Ready);
            change.sentence = Set(Some(sentence));
            change.is_relevant = Set(is_relevant);
            change.model = Set(Some(model));
        }
        Err(code) => {
            change.state = Set(ModelTaskState::Failed);
            change.reason = Set(Some(code.as_str().to_owned()));
        }
    }
    change
}

/// Records in the run of a change that no channel was notified.
async fn record_judgement(
    transaction: &DatabaseTransaction,
    change: &Change,
    account_id: AccountId,
) -> Result<()> {
    let decision = Set(Some(Decision::JudgedIrrelevant.as_str().to_owned()));
    monitor_run::Entity::update_many()
        .set(monitor_run::ActiveModel { decision, ..Default::default() })
        .filter(monitor_run::Column::AccountId.eq(account_id))
        .filter(monitor_run::Column::Id.eq(change.run_id))
        .exec(transaction)
        .await?;
    Ok(())
}

/// Sends the messages that have waited too long, without their explanations.
pub(super) async fn finish_overdue(domain: &Domain) -> Result<()> {
    let overdue = Entity::find()
        .filter(Column::DueAt.lte(domain.now()))
        .order_by_asc(Column::DueAt)
        .limit(OVERDUE_PER_TICK)
        .all(domain.db().write())
        .await?;
    for row in overdue {
        let finished = finish_explanation(domain, row.change_id, Err(Code::SourceTimeout), None).await;
        if let Err(error) = finished {
            tracing::error!(change = %row.change_id, error = error.report(), "failed to finish an explanation");
            let retry = ActiveModel { due_at: Set(Some(domain.now() + RETRY_DELAY)), ..Default::default() };
            let waiting = Entity::update_many().set(retry).filter(Column::ChangeId.eq(row.change_id));
            waiting.filter(Column::DueAt.is_not_null()).exec(domain.db().write()).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use extract::watch::{Kind, Op};

    use super::*;

    #[test]
    fn wish_is_one_line_without_control_characters() {
        assert_eq!(one_line(" only\n price\0 drops ").as_deref(), Some("only price drops"));
        assert_eq!(one_line(" \u{7}\n"), None);
    }

    #[test]
    fn operation_becomes_one_line_with_old_and_new_value() {
        let mut operation = Operation::new(Op::Changed, Kind::Value, 1);
        operation.field = Some("price".to_owned());
        (operation.before, operation.after) = (Some("12".to_owned()), Some("9".to_owned()));
        assert_eq!(line_of(&operation), "Changed: price: 12 → 9");
        let mut added = Operation::new(Op::Added, Kind::Url, 1);
        added.link = Some("https://example.org/new".to_owned());
        assert_eq!(line_of(&added), "New: https://example.org/new");
    }
}

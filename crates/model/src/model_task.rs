//! Results of the language model: a summary, a briefing, an answer, or a search is one row, which waits for its job. A
//! row that waits without a job counts as failed.

use entities::ids::{AccountId, CollectionId, ItemId, PassageId, QuestionId};
use entities::model_task::ModelTaskState;
use jobs::{Claimed, JobError, JobKind};
use kernel::{Code, Domain, Error, Millis, Result};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    Select,
};

/// Table whose rows are results of the language model.
pub(crate) trait TaskTable: EntityTrait {
    type Change: ActiveModelTrait<Entity = Self> + Send;

    /// Selects the row of the job with this key. `None` if the key is not valid.
    fn of_key(key: &str) -> Option<Select<Self>>;

    fn state(row: &Self::Model) -> ModelTaskState;

    /// Returns the condition that selects this row while it has no result.
    fn waiting(row: &Self::Model) -> Condition;

    /// Returns the change that marks a row as failed at the time `at`.
    fn failed(code: Code, at: Millis) -> Self::Change;
}

/// Implements [`TaskTable`] for a table of `entities`. `$key` and `$column` are the field and the column with the key
/// of the job; `$find` selects the row with this key.
macro_rules! task_table {
    ($table:ident, $key:ident, $column:ident, $find:ident) => {
        impl TaskTable for entities::$table::Entity {
            type Change = entities::$table::ActiveModel;

            fn of_key(key: &str) -> Option<Select<Self>> {
                key.parse::<$column>().ok().map(Self::$find)
            }

            fn state(row: &Self::Model) -> ModelTaskState {
                row.state
            }

            fn waiting(row: &Self::Model) -> Condition {
                Condition::all()
                    .add(entities::$table::Column::AccountId.eq(row.account_id))
                    .add(entities::$table::Column::$column.eq(row.$key))
                    .add(entities::$table::Column::State.eq(ModelTaskState::Requested))
            }

            fn failed(code: Code, at: Millis) -> Self::Change {
                entities::$table::ActiveModel {
                    state: Set(ModelTaskState::Failed),
                    reason: Set(Some(code.as_str().to_owned())),
                    finished_at: Set(Some(at)),
                    ..Default::default()
                }
            }
        }
    };
}

task_table!(item_summary, item_id, ItemId, of_any_owner);
task_table!(model_briefing, collection_id, CollectionId, of_any_owner);
task_table!(model_question, question_id, QuestionId, of_any_owner);
task_table!(model_passage, passage_id, PassageId, of_any_owner);
task_table!(meaning_search, account_id, AccountId, owned_by);

/// Returns the row of the job with this key, if it has no result yet.
pub(crate) async fn requested<T: TaskTable>(domain: &Domain, key: &str) -> Result<Option<T::Model>> {
    let Some(query) = T::of_key(key) else { return Ok(None) };
    let row = query.one(domain.db().write()).await?;
    Ok(row.filter(|row| T::state(row) == ModelTaskState::Requested))
}

/// Returns the change of a row after an error. If the error is transient and the job has another attempt, the error
/// is returned instead.
pub(crate) fn failed<T: TaskTable>(
    domain: &Domain,
    claimed: &Claimed,
    error: Error,
) -> Result<T::Change, JobError> {
    if error.is_transient() && !claimed.is_last_attempt() {
        return Err(error.into());
    }
    Ok(T::failed(error.code, domain.now()))
}

/// Records the result of a row and completes its job, in one transaction.
pub(crate) async fn complete<T: TaskTable>(
    domain: &Domain,
    row: &T::Model,
    change: T::Change,
    claimed: &Claimed,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    record::<T>(&transaction, row, change).await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    transaction.commit().await?;
    Ok(())
}

/// Records that a request was given up because its job was stopped.
pub(crate) async fn give_up<T: TaskTable>(domain: &Domain, key: &str) -> Result<()> {
    let Some(row) = requested::<T>(domain, key).await? else { return Ok(()) };
    record::<T>(domain.db().write(), &row, T::failed(Code::SourceTimeout, domain.now())).await.map(drop)
}

/// Records the result of a row. Returns false if the row already has a result.
pub(crate) async fn record<T: TaskTable>(
    connection: &impl ConnectionTrait,
    row: &T::Model,
    change: T::Change,
) -> Result<bool> {
    let updated = T::update_many().set(change).filter(T::waiting(row)).exec(connection).await?;
    Ok(updated.rows_affected > 0)
}

/// Result that a job of the language model writes to one row.
pub(crate) trait ModelTask: Sized {
    const KIND: JobKind;

    fn state(&self) -> ModelTaskState;

    /// Returns the waiting result as failed, because its job was cancelled.
    fn cancelled(self) -> Self;
}

/// Loads the result that `query` selects. If it waits without the job `key`, an operator cancelled the job, so the
/// result counts as failed.
pub(crate) async fn load_task<T, E>(
    connection: &impl ConnectionTrait,
    query: Select<E>,
    key: &str,
) -> Result<Option<T>>
where
    T: ModelTask + From<E::Model>,
    E: EntityTrait,
{
    let task = query.clone().one(connection).await?.map(T::from);
    let is_waiting = task.as_ref().is_some_and(|task| task.state() == ModelTaskState::Requested);
    if !is_waiting || jobs::live_submission(connection, T::KIND, key).await?.is_some() {
        return Ok(task);
    }
    // A job that completed after the first query has written its result.
    let task = query.one(connection).await?.map(T::from);
    Ok(task.map(|task| match task.state() {
        ModelTaskState::Requested => task.cancelled(),
        ModelTaskState::Ready | ModelTaskState::Failed => task,
    }))
}

//! Rule that summaries, briefings, and searches share: a result that waits without a job counts as failed.

use entities::model_task::ModelTaskState;
use jobs::JobKind;
use kernel::Result;
use sea_orm::{ConnectionTrait, EntityTrait, Select};

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

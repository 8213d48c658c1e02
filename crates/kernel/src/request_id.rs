//! Id of the current request. Jobs that are submitted for a request, and all jobs that those jobs submit, have the id
//! of the request, so that every log line can be traced to it.

use std::future::Future;

tokio::task_local! {
    static REQUEST_ID: Option<String>;
}

/// Maximum length of an id in bytes. Longer ids are dropped.
const MAX_LENGTH: usize = 64;

/// Runs `work` with this request id. Spawned tasks do not inherit the id.
pub async fn with<F: Future>(id: Option<String>, work: F) -> F::Output {
    REQUEST_ID.scope(id.filter(|id| id.len() <= MAX_LENGTH), work).await
}

/// Id of the request for which the current task works.
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok().flatten()
}

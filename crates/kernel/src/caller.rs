//! Caller for whom the current task works: the id of an account, or the hash of a network. Queues spread the jobs of
//! one caller over time, so that they do not delay the jobs of other callers.

use std::future::Future;

tokio::task_local! {
    static CALLER: String;
}

/// Runs `work` for this caller. Spawned tasks do not inherit the caller.
pub async fn with<F: Future>(caller: String, work: F) -> F::Output {
    CALLER.scope(caller, work).await
}

/// Caller for whom the current task works, if it is known.
pub fn current() -> Option<String> {
    CALLER.try_with(Clone::clone).ok()
}

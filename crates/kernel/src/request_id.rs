//! Which request the present work is done for: what it asks for bears the id of the request, through jobs and the jobs
//! that these ask for, so that a line of any log can be traced to it.

use std::future::Future;

tokio::task_local! {
    static REQUEST_ID: Option<String>;
}

/// The longest id that is kept.
const LONGEST: usize = 64;

/// Does `work` for the request with this id. What it spawns is none of it.
pub async fn with<F: Future>(id: Option<String>, work: F) -> F::Output {
    REQUEST_ID.scope(id.filter(|id| id.len() <= LONGEST), work).await
}

/// The request that the present work is done for.
pub fn current() -> Option<String> {
    REQUEST_ID.try_with(Clone::clone).ok().flatten()
}

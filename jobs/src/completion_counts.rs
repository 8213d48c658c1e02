//! Counts of completed runs in this process per minute. They are added periodically to the table behind the
//! charts, with one statement. No statement is executed if no run completed.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rows::{self, CompletionBucket, JobKind};
use kernel::{Domain, Millis};

/// Counts that are not written yet.
#[derive(Debug, Default)]
pub(crate) struct CompletionCounts {
    unwritten: Mutex<HashMap<CompletionBucket, u64>>,
}

impl CompletionCounts {
    /// Counts a run of `kind` that ended now with this outcome.
    pub(crate) fn count(&self, kind: JobKind, outcome: &'static str, now: Millis) {
        let bucket = CompletionBucket { kind, minute: rows::minute_of(now), outcome };
        *self.unwritten().entry(bucket).or_default() += 1;
    }

    /// Adds the counts to the table. Counts that cannot be written are retained for the next call.
    pub(crate) async fn write(&self, domain: &Domain) {
        let mut counted: Vec<(CompletionBucket, u64)> = self.unwritten().drain().collect();
        // All processes lock the rows in the same order, which prevents deadlocks.
        counted.sort_unstable();
        if let Err(error) = rows::add_completions(domain, &counted).await {
            tracing::debug!(%error, "failed to write completion counts, retrying with the next write");
            let mut unwritten = self.unwritten();
            for (bucket, count) in counted {
                *unwritten.entry(bucket).or_default() += count;
            }
        }
    }

    fn unwritten(&self) -> MutexGuard<'_, HashMap<CompletionBucket, u64>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

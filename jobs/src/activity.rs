//! What ended in this process, minute by minute, until it is added to the table that charts are drawn from: one statement
//! now and then, and none while nothing ends.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rows::{self, Ends, JobKind};
use kernel::{Domain, Millis};

/// Counts of ends that were not written yet.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    unwritten: Mutex<HashMap<Ends, u64>>,
}

impl Activity {
    /// A run of `kind` ended in this way now.
    pub(crate) fn count(&self, kind: JobKind, outcome: &'static str, now: Millis) {
        let ends = Ends { kind, minute: rows::minute_of(now), outcome };
        *self.unwritten().entry(ends).or_default() += 1;
    }

    /// Adds what was counted to the table. What cannot be written is kept for the next time.
    pub(crate) async fn write(&self, domain: &Domain) {
        let mut counted: Vec<(Ends, u64)> = self.unwritten().drain().collect();
        // All processes take the rows in one order, so that none waits for another in a circle.
        counted.sort_unstable();
        if let Err(error) = rows::add_ends(domain, &counted).await {
            tracing::debug!(%error, "what ended lately is written later");
            let mut unwritten = self.unwritten();
            for (ends, count) in counted {
                *unwritten.entry(ends).or_default() += count;
            }
        }
    }

    fn unwritten(&self) -> MutexGuard<'_, HashMap<Ends, u64>> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Buffers finished runs of a batch, and commits several runs at a time while further observations are in
//! progress. A commit of fifty runs costs the database little more than a commit of five runs.

use std::future::pending;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use super::commit_batch::{self, CommitResults};
use super::observation::ObservedRun;
use kernel::Domain;

/// Maximum time that a run waits for other runs of its batch. Monitors run every few minutes, so a second is
/// not significant.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// Number of buffered runs that are committed immediately. Each run needs memory for its content until it is
/// committed.
const MAX_RUNS: usize = 50;

/// Runs that wait to be committed, and runs that are being committed.
pub(super) struct CommitBuffer<'a> {
    domain: &'a Domain,
    waiting: Vec<ObservedRun>,
    /// Time at which the first of the waiting runs was added.
    since: Instant,
    /// True if a waiting run must not wait any longer.
    is_urgent: bool,
    under_way: Option<BoxFuture<'a, CommitResults>>,
}

impl<'a> CommitBuffer<'a> {
    pub(super) fn new(domain: &'a Domain) -> Self {
        Self { domain, waiting: Vec::new(), since: Instant::now(), is_urgent: false, under_way: None }
    }

    pub(super) fn add(&mut self, seen: ObservedRun) {
        if self.waiting.is_empty() {
            (self.since, self.is_urgent) = (Instant::now(), false);
        }
        // After the commit, other monitors of the same URL can use the body without downloading it.
        self.is_urgent |= seen.context.shares_address();
        self.waiting.push(seen);
    }

    /// Waits until the buffered runs are due or until enough runs are buffered, commits them, and returns
    /// their results. Cancel-safe: the next call continues.
    pub(super) async fn flush_when_due(&mut self) -> CommitResults {
        if self.under_way.is_none() {
            if self.waiting.is_empty() {
                return pending().await;
            }
            if self.waiting.len() < MAX_RUNS && !self.is_urgent {
                let _ = timeout_at(self.since + MAX_WAIT, pending::<()>()).await;
            }
        }
        self.flush().await
    }

    /// Commits all remaining runs and returns their results.
    pub(super) async fn finish(mut self) -> CommitResults {
        let mut done = CommitResults::new();
        while self.under_way.is_some() || !self.waiting.is_empty() {
            done.append(&mut self.flush().await);
        }
        done
    }

    /// Continues the commit in progress, or starts a commit of the waiting runs.
    async fn flush(&mut self) -> CommitResults {
        let (domain, waiting) = (self.domain, &mut self.waiting);
        let under_way = self
            .under_way
            .get_or_insert_with(|| Box::pin(commit_batch::commit_all(domain, std::mem::take(waiting))));
        let done = under_way.await;
        self.under_way = None;
        done
    }
}

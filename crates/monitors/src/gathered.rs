//! Buffers runs of a batch that found something and commits them together while further observations are in
//! progress. Committing fifty runs together costs the database little more than committing five.

use std::future::pending;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use super::look::Seen;
use super::together::{self, Done};
use kernel::handle::Domain;

/// Maximum time that a run waits for others of its batch. Monitors run every few minutes, so a second does
/// not matter.
const GATHERED_FOR: Duration = Duration::from_secs(1);
/// Number of runs that are committed without further waiting. Each holds its content in memory until it is
/// committed.
const MOST: usize = 50;

/// Runs that wait to be committed, and those that are being committed.
pub(super) struct Gathered<'a> {
    domain: &'a Domain,
    waiting: Vec<Seen>,
    /// When the first of the waiting runs was added.
    since: Instant,
    /// Whether one of the runs must not wait.
    is_urgent: bool,
    under_way: Option<BoxFuture<'a, Done>>,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(domain: &'a Domain) -> Self {
        Self { domain, waiting: Vec::new(), since: Instant::now(), is_urgent: false, under_way: None }
    }

    pub(super) fn add(&mut self, seen: Seen) {
        if self.waiting.is_empty() {
            (self.since, self.is_urgent) = (Instant::now(), false);
        }
        // Its commit may save other monitors of the address a download.
        self.is_urgent |= seen.context.is_of_a_shared_address();
        self.waiting.push(seen);
    }

    /// Commits the waiting runs once they have waited long enough or are numerous enough, and returns their
    /// results. Cancel safe: a later call continues.
    pub(super) async fn written(&mut self) -> Done {
        if self.under_way.is_none() {
            if self.waiting.is_empty() {
                return pending().await;
            }
            if self.waiting.len() < MOST && !self.is_urgent {
                let _ = timeout_at(self.since + GATHERED_FOR, pending::<()>()).await;
            }
        }
        self.write().await
    }

    /// Commits all remaining runs and returns their results.
    pub(super) async fn finish(mut self) -> Done {
        let mut done = Done::new();
        while self.under_way.is_some() || !self.waiting.is_empty() {
            done.append(&mut self.write().await);
        }
        done
    }

    /// Continues the commit in progress, or starts one with the waiting runs.
    async fn write(&mut self) -> Done {
        let (domain, waiting) = (self.domain, &mut self.waiting);
        let under_way = self
            .under_way
            .get_or_insert_with(|| Box::pin(together::commit_all(domain, std::mem::take(waiting))));
        let done = under_way.await;
        self.under_way = None;
        done
    }
}

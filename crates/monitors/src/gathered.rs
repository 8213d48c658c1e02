//! Runs of a batch that found something, gathered to be written together while further looks are under way. Fifty that
//! are written together cost the database little more than five that are.

use std::future::pending;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, timeout_at};

use super::look::Seen;
use super::together::{self, Done};
use kernel::handle::Domain;

/// How long a run waits for others of its batch. Monitors look every some minutes, so that nobody misses a second.
const GATHERED_FOR: Duration = Duration::from_secs(1);
/// So many wait for no further one: each holds what it saw until it is written.
const MOST: usize = 50;

/// Runs that wait to be written, and those that are being written.
pub(super) struct Gathered<'a> {
    domain: &'a Domain,
    waiting: Vec<Seen>,
    /// When the first of them came.
    since: Instant,
    /// Whether one of them is not to wait.
    is_urgent: bool,
    under_way: Option<BoxFuture<'a, Done>>,
}

impl<'a> Gathered<'a> {
    pub(super) fn new(domain: &'a Domain) -> Self {
        Self { domain, waiting: Vec::new(), since: Instant::now(), is_urgent: false, under_way: None }
    }

    /// Adds a run.
    pub(super) fn add(&mut self, seen: Seen) {
        if self.waiting.is_empty() {
            (self.since, self.is_urgent) = (Instant::now(), false);
        }
        // Other monitors of the address may be spared their download by it.
        self.is_urgent |= seen.context.is_of_a_shared_address();
        self.waiting.push(seen);
    }

    /// Writes those that have waited long enough, or are enough; tells what became of them. May be given up at any time, and
    /// goes on from there.
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

    /// Writes all that are left; tells what became of them.
    pub(super) async fn finish(mut self) -> Done {
        let mut done = Done::new();
        while self.under_way.is_some() || !self.waiting.is_empty() {
            done.append(&mut self.write().await);
        }
        done
    }

    /// Goes on with what is being written, or begins with what waits.
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

//! Draining the engine in tests, without a sleep.

use std::time::Duration;

use domain::work::{self, Kind};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::engine::Engine;
use crate::handler::Handlers;
use crate::scheduler;
use crate::worker::{WorkerSettings, Workers};

/// A test that drains for longer than this hangs.
const LIMIT: Duration = Duration::from_mins(2);

impl Engine {
    /// Runs everything that is due with `handlers`, and what that submits, until nothing is due and
    /// nothing runs.
    ///
    /// # Panics
    /// After two minutes.
    pub async fn run_until_idle(&self, handlers: &Handlers) {
        let settings = WorkerSettings::default();
        let workers = Workers::start(self, handlers, &settings, CancellationToken::new()).await;
        self.idle().await;
        workers.stop().await;
    }

    /// Waits until nothing is due and nothing runs, sweeping in between; workers must be running
    /// somewhere.
    ///
    /// # Panics
    /// After two minutes.
    pub async fn idle(&self) {
        timeout(LIMIT, self.idle_unlimited()).await.expect("the engine becomes idle within two minutes");
    }

    async fn idle_unlimited(&self) {
        let mut runs = self.completion().runs();
        loop {
            runs.mark_unchanged();
            scheduler::sweep(self).await.expect("a sweep in a test");
            if self.is_idle().await {
                return;
            }
            // Runs in other processes are not counted here, hence the limit.
            let _ = timeout(Duration::from_millis(50), runs.changed()).await;
        }
    }

    async fn is_idle(&self) -> bool {
        let connection = self.domain().db().write();
        for kind in Kind::ALL {
            let waiting = work::waiting(connection, *kind, self.domain().now(), 1).await.expect("a count");
            let running = work::running(connection, *kind).await.expect("a count");
            if waiting + running > 0 {
                return false;
            }
        }
        true
    }
}

//! Runs one job in the current process, for a command that works with or without a running service. Claim, lease, and
//! fence decide whether a worker or this process runs the job, just as they do between workers.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::JobKind;
use kernel::{Error, JobId, Result};
use tokio_util::sync::CancellationToken;

use crate::claim::Claimer;
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::Handlers;
use crate::runner::Runner;
use crate::scheduler;
use crate::worker_id::worker_name;

/// Time to wait before the next attempt to claim a job that another process has claimed.
const RETRY_INTERVAL: Duration = Duration::from_secs(2);

impl Engine {
    /// Runs a job of `kind` in this process as soon as no other process has claimed it. Returns when the job
    /// has ended. If `stop` is cancelled, releases the claim and returns.
    ///
    /// # Errors
    /// If the database fails; `internal` if `handlers` contains no handler of the kind.
    pub async fn run_inline(
        &self,
        handlers: &Handlers,
        (kind, id): (JobKind, JobId),
        stop: &CancellationToken,
    ) -> Result<()> {
        let handler = handlers.iter().find(|handler| handler.kind() == kind);
        let handler = handler.ok_or_else(|| Error::internal(format!("no handler for {kind}")))?;
        let claimer = Claimer {
            engine: self.clone(),
            kind,
            worker: Arc::from(worker_name(self, kind)),
            release_now: stop.clone(),
        };
        let runner = Runner {
            engine: self.clone(),
            handler: handler.clone(),
            max_run: millis(kind.rules().max_run_ms),
            release_now: stop.clone(),
        };
        while !stop.is_cancelled() {
            // Without a running service, no other process handles lost workers.
            scheduler::expire_leases(self).await?;
            if let Some(claimed) = claimer.claim_one(id).await {
                runner.clone().run(claimed).await;
            }
            if !self.status(id).await?.is_some_and(|job| job.state.is_live()) {
                return Ok(());
            }
            tokio::select! {
                ended = self.wait(id, RETRY_INTERVAL) => drop(ended?),
                () = stop.cancelled() => {}
            }
        }
        Ok(())
    }
}

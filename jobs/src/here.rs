//! One job carried out in this process: for a command that works beside a running service and without one. Whether a
//! worker has the job or this process does is decided by the same claim, lease and fence as among workers.

use std::sync::Arc;
use std::time::Duration;

use crate::rows::JobKind;
use kernel::JobId;
use kernel::{Error, Result};
use tokio_util::sync::CancellationToken;

use crate::drawn::Claimer;
use crate::duration::millis;
use crate::engine::Engine;
use crate::handler::Handlers;
use crate::owner::worker_name;
use crate::run::Runner;
use crate::scheduler;

/// How long another process has the job before it is asked for again.
const AGAIN: Duration = Duration::from_secs(2);

impl Engine {
    /// Runs a job of `kind` here as soon as nobody else has it, and returns when it is over, or once `stop` is
    /// cancelled: then it is handed back.
    ///
    /// # Errors
    /// What the database said; `internal` when `handlers` know no such kind.
    pub async fn run_here(
        &self,
        handlers: &Handlers,
        (kind, id): (JobKind, JobId),
        stop: &CancellationToken,
    ) -> Result<()> {
        let handler = handlers.iter().find(|handler| handler.kind() == kind);
        let handler = handler.ok_or_else(|| Error::internal(format!("nobody handles {kind} here")))?;
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
            // Without a service nobody else looks after a worker that was lost.
            scheduler::expire_leases(self).await?;
            if let Some(claimed) = claimer.claim_one(id).await {
                runner.clone().run(claimed).await;
            }
            if !self.status(id).await?.is_some_and(|job| job.state.is_live()) {
                return Ok(());
            }
            tokio::select! {
                ended = self.wait(id, AGAIN) => drop(ended?),
                () = stop.cancelled() => {}
            }
        }
        Ok(())
    }
}

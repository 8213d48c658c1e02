//! Cleanup: deletes old rows, each kind on its own schedule. Cleanups run concurrently with ticks, so claims
//! and sweeps continue. Several processes may run the same cleanup concurrently.

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use croner::parser::{CronParser, Seconds};
use futures_util::future::BoxFuture;
use kernel::{Domain, Millis, Result};
use tokio::sync::Mutex;
use tokio_cron_scheduler::{Job, JobSchedulerError};

use crate::cleanup_runs::record_cleanup_run;
use crate::engine::Engine;
use crate::leadership::Leadership;
use crate::metric;

/// Cleanup that deletes rows by age.
#[derive(Clone, Copy, Debug)]
pub struct Cleanup {
    /// Name in logs, metrics, and on the operator's page.
    pub name: &'static str,
    /// Cron expression in UTC: second, minute, hour, day, month, weekday.
    pub schedule: &'static str,
    /// Deletes the rows that are too old. Returns their number.
    pub run: for<'a> fn(&'a Domain) -> BoxFuture<'a, Result<u64>>,
}

/// All cleanups of the program, installed in the [`Domain`] handle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cleanups(pub &'static [Cleanup]);

impl Cleanups {
    fn installed(domain: &Domain) -> &'static [Cleanup] {
        domain.installed::<Self>().map_or(&[], |cleanups| cleanups.0)
    }
}

/// Deletes finished jobs after their retention.
pub const FINISHED_JOBS: Cleanup = Cleanup {
    name: "jobs",
    schedule: "5 */5 * * * *",
    run: |domain| Box::pin(crate::delete_finished(domain)),
};

/// Deletes old completion counts per minute.
pub const COMPLETION_COUNTS: Cleanup = Cleanup {
    name: "minutes of jobs",
    schedule: "10 */10 * * * *",
    run: |domain| Box::pin(crate::delete_old_minutes(domain)),
};

impl Cleanup {
    /// Runs one round and stores its result for operators.
    async fn round(&self, domain: &Domain) {
        let begin = Instant::now();
        let outcome = (self.run)(domain).await;
        let took = begin.elapsed();
        match &outcome {
            Ok(count) => {
                metric::cleanup(self.name, *count, domain.now(), took);
                if *count > 0 {
                    tracing::info!(what = self.name, count, "deleted old rows");
                }
            }
            Err(error) => tracing::warn!(%error, what = self.name, "failed to delete old rows"),
        }
        if let Err(error) = record_cleanup_run(domain, self.name, took, &outcome).await {
            tracing::debug!(%error, what = self.name, "failed to record cleanup round");
        }
    }
}

/// Returns the names of all cleanups, each with the time of its next round after `now`. `None` if its
/// schedule is invalid.
pub fn next_rounds(domain: &Domain, now: Millis) -> impl Iterator<Item = (&'static str, Option<Millis>)> {
    Cleanups::installed(domain).iter().map(move |cleanup| (cleanup.name, next_time(cleanup.schedule, now)))
}

/// Returns the next time of a cron expression with seconds. `None` if the expression is invalid.
fn next_time(schedule: &str, now: Millis) -> Option<Millis> {
    let cron = CronParser::builder().seconds(Seconds::Required).build().parse(schedule).ok()?;
    let from = DateTime::<Utc>::from_timestamp_millis(now)?;
    Some(cron.find_next_occurrence(&from, false).ok()?.timestamp_millis())
}

/// Runs all cleanups now. Returns the number of deleted rows.
///
/// # Errors
/// If the database fails.
pub async fn run_all(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    for cleanup in Cleanups::installed(domain) {
        deleted += (cleanup.run)(domain).await?;
    }
    Ok(deleted)
}

/// Creates one schedule entry per cleanup.
pub(crate) fn entries(engine: &Engine, leads: &Arc<Leadership>) -> Result<Vec<Job>, JobSchedulerError> {
    Cleanups::installed(engine.domain())
        .iter()
        .map(|cleanup| entry(engine.clone(), leads.clone(), cleanup))
        .collect()
}

fn entry(
    engine: Engine,
    leads: Arc<Leadership>,
    cleanup: &'static Cleanup,
) -> Result<Job, JobSchedulerError> {
    let running = Arc::new(Mutex::new(()));
    Job::new_async(cleanup.schedule, move |_, _| {
        let (engine, leads, running) = (engine.clone(), leads.clone(), running.clone());
        Box::pin(async move {
            // A round with a backlog may still run when the next round is due, which is then skipped.
            let Ok(_guard) = running.try_lock() else { return };
            let round = async {
                if leads.was_leader().await {
                    cleanup.round(engine.domain()).await;
                }
            };
            tokio::select! {
                () = round => (),
                () = kernel::connection_unresponsive() => {
                    tracing::warn!(what = cleanup.name, "database connection unresponsive, abandoning cleanup round");
                }
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use kernel::testing::START;

    use super::*;

    #[test]
    fn next_time_follows_the_cron_expression() {
        assert_eq!(next_time("5 */5 * * * *", START), Some(START + 5_000));
        assert_eq!(next_time("no cron line", START), None);
    }
}

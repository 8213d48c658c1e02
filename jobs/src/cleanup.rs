//! What is deleted by age, each thing on a schedule of its own beside the ticks: while one is at it, work is claimed
//! and swept as ever. Several processes may do the same at once.

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use croner::parser::{CronParser, Seconds};
use domain::{
    Domain, Millis, Result, accounts, articles, credits, feeds, jobs, library, limits, mail, monitors,
    notices, oauth, operators, pictures, reader,
};
use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use tokio_cron_scheduler::{Job, JobSchedulerError};

use crate::engine::Engine;
use crate::leadership::Leadership;
use crate::metric;

/// Something that grows old, and what deletes it; that returns how many rows.
struct Cleanup {
    name: &'static str,
    /// Second, minute, hour, day, month and weekday, in UTC.
    schedule: &'static str,
    run: for<'a> fn(&'a Domain) -> BoxFuture<'a, Result<u64>>,
}

/// Everything that is deleted by age, spread over the minutes.
const CLEANUPS: &[Cleanup] = &[
    Cleanup {
        name: "jobs",
        schedule: "5 */5 * * * *",
        run: |domain| Box::pin(jobs::delete_finished(domain)),
    },
    Cleanup {
        name: "minutes of jobs",
        schedule: "10 */10 * * * *",
        run: |domain| Box::pin(jobs::delete_old_minutes(domain)),
    },
    Cleanup {
        name: "read jobs",
        schedule: "15 */5 * * * *",
        run: |domain| Box::pin(reader::jobs::remove_expired(domain)),
    },
    Cleanup {
        name: "stored responses",
        schedule: "25 */5 * * * *",
        run: |domain| Box::pin(reader::idempotency::remove_expired(domain)),
    },
    Cleanup {
        name: "monitor runs",
        schedule: "35 */10 * * * *",
        run: |domain| Box::pin(monitors::delete_old_runs(domain)),
    },
    Cleanup {
        name: "room for texts",
        schedule: "45 */10 * * * *",
        run: |domain| Box::pin(articles::keep_within_budget(domain)),
    },
    Cleanup {
        name: "sessions and daily counts",
        schedule: "55 2 * * * *",
        run: |domain| Box::pin(accounts::remove_expired(domain)),
    },
    Cleanup {
        name: "counts of limits",
        schedule: "35 */5 * * * *",
        run: |domain| Box::pin(limits::delete_old_counts(domain)),
    },
    Cleanup {
        name: "files let go",
        schedule: "50 */5 * * * *",
        run: |domain| Box::pin(library::files::delete_released(domain)),
    },
    Cleanup {
        name: "exports",
        schedule: "20 */10 * * * *",
        run: |domain| Box::pin(library::transfer::delete_old_exports(domain)),
    },
    Cleanup {
        name: "imports",
        schedule: "40 */10 * * * *",
        run: |domain| Box::pin(library::transfer::delete_old_imports(domain)),
    },
    Cleanup {
        name: "room for pictures",
        schedule: "15 */2 * * * *",
        run: |domain| Box::pin(pictures::keep_within_budget(domain)),
    },
    Cleanup {
        name: "lost pictures",
        schedule: "55 47 3 * * *",
        run: |domain| Box::pin(pictures::delete_lost(domain)),
    },
    Cleanup {
        name: "lost files",
        schedule: "55 31 3 * * *",
        run: |domain| Box::pin(library::files::delete_lost(domain)),
    },
    Cleanup {
        name: "what apps were allowed",
        schedule: "55 37 * * * *",
        run: |domain| Box::pin(oauth::remove_old(domain)),
    },
    Cleanup {
        name: "apps that nobody uses",
        schedule: "55 14 * * * *",
        run: |domain| Box::pin(oauth::remove_unused_clients(domain)),
    },
    Cleanup {
        name: "notices",
        schedule: "55 9 * * * *",
        run: |domain| Box::pin(notices::remove_old(domain)),
    },
    Cleanup { name: "mail", schedule: "55 4 * * * *", run: |domain| Box::pin(mail::remove_old(domain)) },
    Cleanup {
        name: "articles",
        schedule: "55 7 * * * *",
        run: |domain| {
            Box::pin(async {
                let removed = articles::remove_expired(domain).await?;
                Ok(removed.sources + removed.snapshots)
            })
        },
    },
    Cleanup {
        name: "monitor contents",
        schedule: "55 12 * * * *",
        run: |domain| Box::pin(monitors::delete_old_contents(domain)),
    },
    Cleanup {
        name: "feeds",
        schedule: "55 17 * * * *",
        run: |domain| Box::pin(feeds::delete_unfollowed(domain)),
    },
    Cleanup {
        name: "events of feeds",
        schedule: "55 37 * * * *",
        run: |domain| Box::pin(feeds::delete_old_events(domain)),
    },
    Cleanup {
        name: "changes that were tried",
        schedule: "30 */10 * * * *",
        run: |domain| Box::pin(feeds::delete_old_commits(domain)),
    },
    Cleanup {
        name: "consumers that ended",
        schedule: "55 42 * * * *",
        run: |domain| Box::pin(feeds::delete_ended_consumers(domain)),
    },
    Cleanup {
        name: "what libraries deleted",
        schedule: "55 27 * * * *",
        run: |domain| Box::pin(library::purge(domain)),
    },
    Cleanup {
        name: "credits",
        schedule: "55 22 * * * *",
        run: |domain| Box::pin(credits::delete_old_months(domain)),
    },
];

impl Cleanup {
    /// One round; what came of it is kept for whoever looks at the schedules.
    async fn round(&self, domain: &Domain) {
        let begin = Instant::now();
        let outcome = (self.run)(domain).await;
        let took = begin.elapsed();
        match &outcome {
            Ok(count) => {
                metric::cleanup(self.name, *count, domain.now(), took);
                if *count > 0 {
                    tracing::info!(what = self.name, count, "old rows are deleted");
                }
            }
            Err(error) => tracing::warn!(%error, what = self.name, "old rows could not be deleted"),
        }
        if let Err(error) = operators::note_round(domain, self.name, took, &outcome).await {
            tracing::debug!(%error, what = self.name, "the end of a round is not kept");
        }
    }
}

/// What is deleted by age, each with the time of its next round behind `now`.
pub fn next_rounds(now: Millis) -> impl Iterator<Item = (&'static str, Option<Millis>)> {
    CLEANUPS.iter().map(move |cleanup| (cleanup.name, next_time(cleanup.schedule, now)))
}

/// The next time of a line of cron with seconds; none for a line that is none.
fn next_time(schedule: &str, now: Millis) -> Option<Millis> {
    let cron = CronParser::builder().seconds(Seconds::Required).build().parse(schedule).ok()?;
    let from = DateTime::<Utc>::from_timestamp_millis(now)?;
    Some(cron.find_next_occurrence(&from, false).ok()?.timestamp_millis())
}

/// Deletes everything that has grown old now; returns how many rows.
///
/// # Errors
/// What the database said.
pub async fn run_all(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    for cleanup in CLEANUPS {
        deleted += (cleanup.run)(domain).await?;
    }
    Ok(deleted)
}

/// One entry of the schedule for each thing.
pub(crate) fn entries(engine: &Engine, leads: &Arc<Leadership>) -> Result<Vec<Job>, JobSchedulerError> {
    CLEANUPS.iter().map(|cleanup| entry(engine.clone(), leads.clone(), cleanup)).collect()
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
            // A backlog may take longer than the pause between two rounds.
            let Ok(_guard) = running.try_lock() else { return };
            let round = async {
                if leads.led().await {
                    cleanup.round(engine.domain()).await;
                }
            };
            tokio::select! {
                () = round => (),
                () = domain::fallen_silent() => {
                    tracing::warn!(what = cleanup.name, "the database fell silent; the round is given up");
                }
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use domain::testing::START;

    use super::*;

    #[test]
    fn everything_that_is_deleted_by_age_has_a_next_time() {
        for (name, next) in next_rounds(START) {
            assert!(next.is_some_and(|next| next > START && next <= START + 86_400_000), "{name}: {next:?}");
        }
        assert_eq!(next_time("5 */5 * * * *", START), Some(START + 5_000));
    }
}

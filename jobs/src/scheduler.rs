//! The scheduler. A tick submits jobs for due work, and pushes ids that a queue has lost. Several processes may safely
//! perform any step concurrently, but usually only the leader does (`leadership`). A tick without work executes two
//! statements. Old rows are deleted independently of ticks (`cleanup`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::due::kinds_without_due;
use crate::rows::{self, DueJob, JobKind, Survey};
use kernel::{Backend, Domain, Result};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_cron_scheduler::{JobScheduler, JobSchedulerError};
use tokio_util::sync::CancellationToken;

use crate::cleanup;
use crate::completion::JobCompletion;
use crate::engine::Engine;
use crate::handler::{ClaimDue, DueSource, Hooks};
use crate::leadership::Leadership;
use crate::metric;
use crate::transport::{Dequeue, QueueItem};
use crate::worker_id;

/// Interval of ticks.
const TICK: Duration = Duration::from_secs(1);
/// Time within a tick after which no claim round starts, because the next tick waits for this one.
const CLAIM_ROUNDS_LIMIT: Duration = Duration::from_millis(700);
/// Timeout of a tick, for an unresponsive database.
const TICK_LIMIT: Duration = Duration::from_mins(2);
/// Interval of checkpoints of SQLite's write-ahead log.
const CHECKPOINT: Duration = Duration::from_millis(200);
/// Inverse of the maximum share of time that sweeps of all live jobs use: one twentieth.
const SURVEY_SHARE: u32 = 20;
/// Inverse of the maximum share of time that failed sweeps use: one half.
const FAILED_SHARE: u32 = 2;

/// Numbers of jobs that a tick processed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TickCounts {
    /// Jobs submitted because they were due.
    pub submitted: u64,
    /// Jobs of lost workers that are ready again.
    pub requeued: u64,
    /// Jobs that became dead, because they were suspected of having crashed their workers.
    pub dead: u64,
    /// Ids pushed to the transport.
    pub pushed: u64,
}

/// Ticks every second and deletes old rows until `shutdown`. Only one of several processes does so at a time.
///
/// # Errors
/// If the schedule cannot be set up.
pub async fn run(engine: Engine, shutdown: CancellationToken) -> Result<(), JobSchedulerError> {
    let mut schedule = JobScheduler::new().await?;
    let leadership = Arc::new(Leadership::new(&engine));
    for entry in cleanup::entries(&engine, &leadership)? {
        schedule.add(entry).await?;
    }
    let checkpoints = tokio::spawn(checkpoint_wal(engine.clone(), shutdown.clone()));
    schedule.start().await?;
    shutdown.run_until_cancelled(tick_repeatedly(&engine, &leadership)).await;
    schedule.shutdown().await?;
    leadership.resign().await;
    // The checkpoint task stops with the same token, so this wait is short.
    let _ = checkpoints.await;
    Ok(())
}

/// Ticks every second. The interval is measured by the monotonic clock, and a delayed tick does not affect the
/// next one: repeated jobs of `tokio_cron_scheduler` 0.15 never run again after the process was suspended, or
/// its clock was set forward, for more than an interval.
async fn tick_repeatedly(engine: &Engine, leadership: &Leadership) {
    let mut ticker = Ticker { engine: engine.clone(), survey_at: Instant::now() };
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        tokio::select! {
            tick = timeout(TICK_LIMIT, tick_if_leading(leadership, &mut ticker)) => {
                if tick.is_err() {
                    tracing::warn!("tick timed out");
                }
            }
            () = kernel::connection_unresponsive() => {
                tracing::warn!("database connection unresponsive, abandoning tick");
            }
        }
    }
}

async fn tick_if_leading(leads: &Leadership, ticker: &mut Ticker) {
    if !leads.acquire().await {
        record_queues(ticker.engine.domain(), &[]);
        return;
    }
    match ticker.timed_tick().await {
        Ok(counts) if counts == TickCounts::default() => {}
        Ok(counts) => tracing::info!(?counts, "tick"),
        Err(error) => tracing::warn!(%error, "tick failed"),
    }
}

/// Checkpoints SQLite's write-ahead log concurrently with the writer, so that commits do not have to do it.
/// Does nothing on other databases.
async fn checkpoint_wal(engine: Engine, shutdown: CancellationToken) {
    if engine.domain().db().backend() != Backend::Sqlite {
        return;
    }
    let mut ticks = interval(CHECKPOINT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = engine.domain().db().checkpoint().await {
            tracing::warn!(%error, "failed to checkpoint the write-ahead log");
        }
    }
}

/// State of the ticks of one process.
struct Ticker {
    engine: Engine,
    /// Earliest time of the next sweep of all live jobs.
    survey_at: Instant,
}

impl Ticker {
    /// Runs a tick, and records its duration in metrics.
    async fn timed_tick(&mut self) -> Result<TickCounts> {
        let begin = Instant::now();
        let counts = self.tick().await?;
        let TickCounts { submitted, requeued, dead, pushed } = counts;
        let moved = [("submitted", submitted), ("requeued", requeued), ("dead", dead), ("pushed", pushed)];
        metric::tick(moved, self.engine.domain().now(), begin.elapsed());
        self.engine.write_completion_counts().await;
        Ok(counts)
    }

    /// Runs a tick. Skips the sweep if sweeps would otherwise use too large a share of the time.
    async fn tick(&mut self) -> Result<TickCounts> {
        let submitted = claim_due(&self.engine).await;
        let begin = Instant::now();
        if begin < self.survey_at {
            return Ok(TickCounts { submitted, ..TickCounts::default() });
        }
        let swept = sweep(&self.engine).await;
        self.survey_at = begin + until_next_survey(begin.elapsed(), &swept);
        Ok(TickCounts { submitted, ..swept? })
    }
}

/// Returns the time from the start of a sweep that took `took` to the start of the next sweep. The time is
/// shorter after a failed sweep, because the duration of a failed sweep is the wait for an unavailable
/// database or queue and does not depend on the number of jobs.
fn until_next_survey(took: Duration, swept: &Result<TickCounts>) -> Duration {
    took * if swept.is_ok() { SURVEY_SHARE } else { FAILED_SHARE }
}

/// Runs one tick: submits due work, then sweeps and records the queue gauges.
pub async fn tick(engine: &Engine) -> Result<TickCounts> {
    let submitted = claim_due(engine).await;
    Ok(TickCounts { submitted, ..sweep(engine).await? })
}

/// Submits jobs for due work. Returns the number of jobs. Kinds with batches are claimed in rounds as long as
/// there are due rows and the queue has capacity. The jobs of a round are pushed before the next round
/// starts. If more rows are due than a round may claim, another round follows in the same tick.
async fn claim_due(engine: &Engine) -> u64 {
    let begin = Instant::now();
    let (mut submitted, mut has_more) = claim_round(engine, |source| Some(source.claim)).await;
    // Remaining rows are claimed in the next tick: the other steps of this tick must not be delayed further.
    while has_more && begin.elapsed() < CLAIM_ROUNDS_LIMIT {
        let (count, more) = claim_round(engine, |source| source.further).await;
        submitted += count;
        has_more = more;
    }
    submitted
}

/// Submits jobs for due work. `claim_of` selects the claim of each source. Returns the number of jobs, and
/// true if a kind that is claimed in rounds submitted any.
async fn claim_round(engine: &Engine, claim_of: fn(DueSource) -> Option<ClaimDue>) -> (u64, bool) {
    let idle = match kinds_without_due(engine.domain()).await {
        Ok(idle) => idle,
        Err(error) => {
            tracing::warn!(%error, "failed to query due work");
            return (0, false);
        }
    };
    let (mut submitted, mut has_more) = (0, false);
    for (kind, source) in Hooks::installed(engine.domain()).due_sources() {
        if idle.contains(&kind) {
            continue;
        }
        let Some(claim) = claim_of(source) else { continue };
        match claim(engine).await {
            Ok(count) => {
                submitted += count;
                has_more |= count > 0 && source.further.is_some();
            }
            Err(error) => tracing::warn!(%error, %kind, "failed to claim due work"),
        }
    }
    (submitted, has_more)
}

/// Records the lengths of the queues. A process that does not tick passes no surveys, which resets its
/// gauges; otherwise its last values would be reported forever.
fn record_queues(domain: &Domain, surveys: &[Survey]) {
    for kind in JobKind::ALL {
        let survey = surveys.iter().find(|survey| survey.kind == *kind);
        let oldest = survey.and_then(|survey| survey.oldest);
        let waiting = survey.map_or(0, |survey| survey.waiting);
        metric::queue(*kind, waiting, oldest.map_or(0, |since| domain.now() - since));
    }
}

/// Handles jobs of lost workers, and pushes due jobs that are not in the transport.
pub async fn sweep(engine: &Engine) -> Result<TickCounts> {
    let lost_after_ms = engine.settings().lost_after_ms;
    let surveys = rows::survey(engine.domain(), lost_after_ms).await?;
    record_queues(engine.domain(), &surveys);
    sweep_surveyed(engine, &surveys, lost_after_ms).await
}

/// Sweeps at the start of a worker. Without Redis, all pushed jobs count as lost, because ids in the memory
/// of a previous process are lost.
pub(crate) async fn sweep_at_start(engine: &Engine) -> Result<TickCounts> {
    let in_memory = engine.settings().redis_url.is_none();
    sweep_lost_after(engine, if in_memory { 0 } else { engine.settings().lost_after_ms }).await
}

pub(crate) async fn sweep_lost_after(engine: &Engine, lost_after_ms: i64) -> Result<TickCounts> {
    let surveys = rows::survey(engine.domain(), lost_after_ms).await?;
    sweep_surveyed(engine, &surveys, lost_after_ms).await
}

async fn sweep_surveyed(engine: &Engine, surveys: &[Survey], lost_after_ms: i64) -> Result<TickCounts> {
    let mut counts = TickCounts::default();
    let has_revoked =
        surveys.iter().any(|survey| survey.has_running) && revoke_leases_of_dead_workers(engine).await?;
    if has_revoked || surveys.iter().any(|survey| survey.has_lapsed) {
        counts = expire_leases(engine).await?;
    }
    let has_lost = |survey: &Survey| survey.has_lapsed || (has_revoked && survey.has_running);
    for survey in surveys.iter().filter(|survey| survey.has_unsent || has_lost(survey)) {
        counts.pushed += push_due(engine, survey.kind, lost_after_ms).await?;
    }
    Ok(counts)
}

/// Revokes the leases of workers whose processes have ended. Returns true if any lease was revoked.
async fn revoke_leases_of_dead_workers(engine: &Engine) -> Result<bool> {
    let mut orphaned = rows::running_claims(engine.domain()).await?;
    orphaned.retain(|claim| worker_id::is_process_gone(claim));
    if let Some(claim) = orphaned.first() {
        tracing::warn!(count = orphaned.len(), claim, "worker processes have ended, releasing their jobs");
        rows::revoke_leases(engine.domain(), &orphaned).await?;
    }
    Ok(!orphaned.is_empty())
}

/// Handles jobs with expired leases: they become ready again, or dead.
pub(crate) async fn expire_leases(engine: &Engine) -> Result<TickCounts> {
    let mut counts = TickCounts::default();
    let expired = rows::expire_leases(engine.domain()).await?;
    counts.requeued = expired.requeued;
    for job in expired.dead {
        counts.dead += 1;
        metric::job_counted(job.kind, "dead");
        engine.count_completion(job.kind, "dead");
        tracing::error!(job = %job.id, kind = %job.kind, "job is dead: it took its workers down");
        if let Some(hooks) = Hooks::installed(engine.domain()).get(job.kind)
            && let Err(error) = (hooks.on_dead)(engine.domain(), &job).await
        {
            tracing::warn!(%error, job = %job.id, "failed to record dead job on its subject");
        }
        engine.notify(&JobCompletion::dead(job.id)).await;
    }
    Ok(counts)
}

/// Pushes due jobs. If workers claim jobs from the rows, it only wakes the workers.
async fn push_due(engine: &Engine, kind: JobKind, lost_after_ms: i64) -> Result<u64> {
    if engine.transport().dequeue() == Dequeue::Rows {
        engine.push_items(kind, &[]).await?;
        return Ok(0);
    }
    let limit = engine.settings().depth as u64;
    // The depth is queried first, so that no job is marked as pushed while the queue is unavailable.
    engine.depth(kind).await?;
    let lost = rows::lost_batch(engine.domain(), kind, lost_after_ms, limit).await?;
    Ok(push(engine, kind, lost).await? + refill(engine, kind).await?)
}

/// Fills the queue of `kind` with due jobs that are not in the transport. Returns the number of pushed ids.
pub(crate) async fn refill(engine: &Engine, kind: JobKind) -> Result<u64> {
    let capacity = (engine.settings().depth as u64).saturating_sub(engine.depth(kind).await?);
    if capacity == 0 {
        return Ok(0);
    }
    push(engine, kind, rows::due_batch(engine.domain(), kind, capacity).await?).await
}

async fn push(engine: &Engine, kind: JobKind, due: Vec<DueJob>) -> Result<u64> {
    let items: Vec<QueueItem> = due.into_iter().map(QueueItem::from).collect();
    if !items.is_empty() {
        engine.push_items(kind, &items).await?;
    }
    Ok(items.len() as u64)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use kernel::Error;
    use kernel::testing::TestDatabase;
    use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

    use super::*;
    use crate::engine::EngineSettings;

    /// Counts registrations of queue gauges.
    #[derive(Default)]
    struct GaugeCounter(AtomicU64);

    impl Recorder for GaugeCounter {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
            Counter::noop()
        }

        fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
            self.0.fetch_add(u64::from(key.name() == "carrel_queue_age_seconds"), Ordering::Relaxed);
            Gauge::noop()
        }

        fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
            Histogram::noop()
        }
    }

    #[tokio::test]
    async fn sweep_at_start_does_not_record_queue_gauges() {
        let db = TestDatabase::create(Backend::Sqlite).await;
        let engine = Engine::new(db.domain.clone(), EngineSettings::default()).unwrap();
        let gauges = GaugeCounter::default();
        let _recorder = metrics::set_default_local_recorder(&gauges);
        sweep_at_start(&engine).await.unwrap();
        assert_eq!(gauges.0.load(Ordering::Relaxed), 0);
        sweep(&engine).await.unwrap();
        assert_eq!(gauges.0.load(Ordering::Relaxed), JobKind::ALL.len() as u64);
    }

    #[test]
    fn failed_sweep_does_not_delay_the_next_sweep() {
        let waited = Duration::from_secs(10);
        let failed = until_next_survey(waited, &Err(Error::internal("away")));
        assert!(failed <= 2 * waited, "{failed:?}");
        let large = until_next_survey(Duration::from_secs(1), &Ok(TickCounts::default()));
        assert_eq!(large, Duration::from_secs(20), "sweeps of a large table are limited to their share");
    }
}

//! Ticks: what is due becomes jobs, what a queue lost is pushed again. Every step is safe to be done by several
//! processes at once; one of them does it (`leadership`). A tick on which nothing is to be done is two statements. What
//! is old is deleted beside them (`cleanup`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::due::kinds_without_due;
use crate::rows::{self, DueJob, JobKind, Survey};
use kernel::{Backend, Domain, Result};
use tokio::sync::Mutex;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_cron_scheduler::{JobScheduler, JobSchedulerError};
use tokio_util::sync::CancellationToken;

use crate::cleanup;
use crate::completion::JobEnd;
use crate::engine::Engine;
use crate::handler::{ClaimDue, DueSource, Hooks};
use crate::leadership::Leadership;
use crate::metric;
use crate::owner;
use crate::transport::{Drawing, QueueItem};

/// Between ticks.
const TICK: Duration = Duration::from_secs(1);
/// How long a tick begins with further rounds of claims: a tick that is not over when the next is due has that left out.
const CLAIMING: Duration = Duration::from_millis(700);
/// After this a tick is given up: it waits for a database that says nothing.
const TICK_LIMIT: Duration = Duration::from_mins(2);
/// Between two folds of SQLite's write-ahead log.
const CHECKPOINT: Duration = Duration::from_millis(200);
/// Looking over all jobs that are not over may take this part of the time: one in so many.
const SURVEY_SHARE: u32 = 20;
/// The same of a look that failed.
const FAILED_SHARE: u32 = 2;

/// What a tick did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TickCounts {
    /// Jobs submitted because their time had come.
    pub submitted: u64,
    /// Jobs whose worker was lost and that are ready again.
    pub requeued: u64,
    /// Jobs given up after their last start.
    pub dead: u64,
    /// Ids handed to the transport.
    pub pushed: u64,
}

/// Ticks every second, and deletes what has grown old, until `shutdown`. Of several processes one does so at a time.
///
/// # Errors
/// When the schedule cannot be set up.
pub async fn run(engine: Engine, shutdown: CancellationToken) -> Result<(), JobSchedulerError> {
    let mut schedule = JobScheduler::new().await?;
    let leadership = Arc::new(Leadership::new(&engine));
    let ticker = Arc::new(Mutex::new(Ticker { engine: engine.clone(), survey_at: Instant::now() }));
    let leads = leadership.clone();
    let each = tokio_cron_scheduler::Job::new_repeated_async(TICK, move |_, _| {
        let (leads, ticker) = (leads.clone(), ticker.clone());
        Box::pin(async move {
            tokio::select! {
                tick = timeout(TICK_LIMIT, tick_if_leading(&leads, &ticker)) => {
                    if tick.is_err() {
                        tracing::warn!("a tick hung and was given up");
                    }
                }
                () = kernel::fallen_silent() => {
                    tracing::warn!("the database fell silent; a tick is given up");
                }
            }
        })
    })?;
    schedule.add(each).await?;
    for entry in cleanup::entries(&engine, &leadership)? {
        schedule.add(entry).await?;
    }
    let checkpoints = tokio::spawn(keep_log_short(engine.clone(), shutdown.clone()));
    schedule.start().await?;
    shutdown.cancelled().await;
    schedule.shutdown().await?;
    leadership.resign().await;
    // It ends by the same token.
    let _ = checkpoints.await;
    Ok(())
}

async fn tick_if_leading(leads: &Leadership, ticker: &Mutex<Ticker>) {
    // A tick that takes longer than the pause between two is not overtaken.
    let Ok(mut ticker) = ticker.try_lock() else { return };
    if !leads.hold().await {
        gauge(ticker.engine.domain(), &[]);
        return;
    }
    match ticker.timed_tick().await {
        Ok(counts) if counts == TickCounts::default() => {}
        Ok(counts) => tracing::info!(?counts, "tick"),
        Err(error) => tracing::warn!(%error, "a tick could not be carried out"),
    }
}

/// Folds SQLite's write-ahead log back beside the writer, so that no commit has to. Elsewhere there is nothing to do.
async fn keep_log_short(engine: Engine, shutdown: CancellationToken) {
    if engine.domain().db().backend() != Backend::Sqlite {
        return;
    }
    let mut ticks = interval(CHECKPOINT);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while shutdown.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = engine.domain().db().checkpoint().await {
            tracing::warn!(%error, "the write-ahead log could not be folded back");
        }
    }
}

/// What one process ticks with.
struct Ticker {
    engine: Engine,
    /// Not before this the jobs that are not over are looked over again.
    survey_at: Instant,
}

impl Ticker {
    /// A tick, and how long it took, for whoever watches.
    async fn timed_tick(&mut self) -> Result<TickCounts> {
        let begin = Instant::now();
        let counts = self.tick().await?;
        let TickCounts { submitted, requeued, dead, pushed } = counts;
        let moved = [("submitted", submitted), ("requeued", requeued), ("dead", dead), ("pushed", pushed)];
        metric::tick(moved, self.engine.domain().now(), begin.elapsed());
        self.engine.write_activity().await;
        Ok(counts)
    }

    /// A tick whose look at all live jobs keeps to a small share of the time, however many there are.
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

/// From the beginning of a sweep that took so long to the next. One that failed waited for a database or a queue that is
/// away, which says nothing about how many jobs there are: once that is back, jobs do not wait for long.
fn until_next_survey(took: Duration, swept: &Result<TickCounts>) -> Duration {
    took * if swept.is_ok() { SURVEY_SHARE } else { FAILED_SHARE }
}

/// One tick: what is due, and the sweep with its gauges.
pub async fn tick(engine: &Engine) -> Result<TickCounts> {
    let submitted = claim_due(engine).await;
    Ok(TickCounts { submitted, ..sweep(engine).await? })
}

/// Makes jobs of what is due; returns how many. What is claimed in batches is claimed in rounds, as long as any come of it
/// and their queue has room: the jobs of one round are under way before the next is claimed, and where as many were due as
/// one round may claim nobody waits for the next tick.
async fn claim_due(engine: &Engine) -> u64 {
    let begin = Instant::now();
    let (mut submitted, mut is_claimed_on) = claim_round(engine, |source| Some(source.claim)).await;
    // What is left is the next tick's: the other things of a tick wait for this.
    while is_claimed_on && begin.elapsed() < CLAIMING {
        let (of_round, claims_on) = claim_round(engine, |source| source.further).await;
        submitted += of_round;
        is_claimed_on = claims_on;
    }
    submitted
}

/// Makes jobs of what is due, by this claim of each source; returns how many, and whether any came of what is claimed in
/// rounds.
async fn claim_round(engine: &Engine, claim_of: fn(DueSource) -> Option<ClaimDue>) -> (u64, bool) {
    let idle = match kinds_without_due(engine.domain()).await {
        Ok(idle) => idle,
        Err(error) => {
            tracing::warn!(%error, "what is due could not be asked for");
            return (0, false);
        }
    };
    let (mut submitted, mut is_claimed_on) = (0, false);
    for (kind, source) in Hooks::installed(engine.domain()).due_sources() {
        if idle.contains(&kind) {
            continue;
        }
        let Some(claim) = claim_of(source) else { continue };
        match claim(engine).await {
            Ok(count) => {
                submitted += count;
                is_claimed_on |= count > 0 && source.further.is_some();
            }
            Err(error) => tracing::warn!(%error, %kind, "what is due could not be claimed"),
        }
    }
    (submitted, is_claimed_on)
}

/// Tells how long the queues are. Whoever does not tick tells of none: what it saw last would be told for ever.
fn gauge(domain: &Domain, surveys: &[Survey]) {
    for kind in JobKind::ALL {
        let survey = surveys.iter().find(|survey| survey.kind == *kind);
        let oldest = survey.and_then(|survey| survey.oldest);
        let waiting = survey.map_or(0, |survey| survey.waiting);
        metric::queue(*kind, waiting, oldest.map_or(0, |since| domain.now() - since));
    }
}

/// Revives or buries what lost its worker, and pushes what is due and not on its way.
pub async fn sweep(engine: &Engine) -> Result<TickCounts> {
    let lost_after_ms = engine.settings().lost_after_ms;
    let surveys = rows::survey(engine.domain(), lost_after_ms).await?;
    gauge(engine.domain(), &surveys);
    sweep_surveyed(engine, &surveys, lost_after_ms).await
}

/// The sweep of a worker that starts: ids of an earlier process in memory went with it.
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
    let is_orphaned =
        surveys.iter().any(|survey| survey.has_running) && end_leases_of_the_gone(engine).await?;
    if is_orphaned || surveys.iter().any(|survey| survey.has_lapsed) {
        counts = expire_leases(engine).await?;
    }
    let has_lost = |survey: &Survey| survey.has_lapsed || (is_orphaned && survey.has_running);
    for survey in surveys.iter().filter(|survey| survey.has_unsent || has_lost(survey)) {
        counts.pushed += push_due(engine, survey.kind, lost_after_ms).await?;
    }
    Ok(counts)
}

/// Ends the leases of workers whose processes are known to be gone; says whether there were any.
async fn end_leases_of_the_gone(engine: &Engine) -> Result<bool> {
    let mut gone = rows::running_claims(engine.domain()).await?;
    gone.retain(|claim| owner::is_gone(claim));
    if let Some(claim) = gone.first() {
        tracing::warn!(count = gone.len(), claim, "the processes of workers that have jobs are gone");
        rows::end_leases(engine.domain(), &gone).await?;
    }
    Ok(!gone.is_empty())
}

/// Revives or buries what lost its worker.
pub(crate) async fn expire_leases(engine: &Engine) -> Result<TickCounts> {
    let mut counts = TickCounts::default();
    let lapsed = rows::expire_leases(engine.domain()).await?;
    counts.requeued = lapsed.requeued;
    for job in lapsed.dead {
        counts.dead += 1;
        metric::job_counted(job.kind, "dead");
        engine.count_end(job.kind, "dead");
        tracing::error!(job = %job.id, kind = %job.kind, "job is dead: started too often without an end");
        if let Some(hooks) = Hooks::installed(engine.domain()).get(job.kind)
            && let Err(error) = (hooks.on_dead)(engine.domain(), &job).await
        {
            tracing::warn!(%error, job = %job.id, "what a dead job was about does not know of it");
        }
        engine.notify(&JobEnd::dead(job.id)).await;
    }
    Ok(counts)
}

/// Where jobs are drawn from rows those who draw are woken, and nothing else is to be done.
async fn push_due(engine: &Engine, kind: JobKind, lost_after_ms: i64) -> Result<u64> {
    if engine.transport().drawing() == Drawing::Rows {
        engine.push_items(kind, &[]).await?;
        return Ok(0);
    }
    let limit = engine.settings().depth as u64;
    // Asked first: while the queue is away nothing is marked as on its way.
    engine.depth(kind).await?;
    let lost = rows::lost_batch(engine.domain(), kind, lost_after_ms, limit).await?;
    Ok(push(engine, kind, lost).await? + refill(engine, kind).await?)
}

/// Fills the queue of `kind` up with what is due and not on its way; returns how many ids.
pub(crate) async fn refill(engine: &Engine, kind: JobKind) -> Result<u64> {
    let room = (engine.settings().depth as u64).saturating_sub(engine.depth(kind).await?);
    if room == 0 {
        return Ok(0);
    }
    push(engine, kind, rows::due_batch(engine.domain(), kind, room).await?).await
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

    /// Counts what is told of queues.
    #[derive(Default)]
    struct Told(AtomicU64);

    impl Recorder for Told {
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
    async fn a_worker_that_starts_tells_nothing_of_queues_that_it_does_not_watch() {
        let db = TestDatabase::create(Backend::Sqlite).await;
        let engine = Engine::new(db.domain.clone(), EngineSettings::default()).unwrap();
        let told = Told::default();
        let _recorder = metrics::set_default_local_recorder(&told);
        sweep_at_start(&engine).await.unwrap();
        assert_eq!(told.0.load(Ordering::Relaxed), 0);
        sweep(&engine).await.unwrap();
        assert_eq!(told.0.load(Ordering::Relaxed), JobKind::ALL.len() as u64);
    }

    #[test]
    fn a_database_that_was_away_does_not_hold_up_the_sweeps_after_it() {
        let waited = Duration::from_secs(10);
        let failed = until_next_survey(waited, &Err(Error::internal("away")));
        assert!(failed <= 2 * waited, "{failed:?}");
        let large = until_next_survey(Duration::from_secs(1), &Ok(TickCounts::default()));
        assert_eq!(large, Duration::from_secs(20), "a large table takes its share and no more");
    }
}

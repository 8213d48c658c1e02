//! Ticks: what is due becomes jobs, what a queue lost is pushed again. Every step is safe to be done by several
//! processes at once, and costs what is due, not what is stored. What is old is deleted beside them (`cleanup`).

use std::sync::Arc;
use std::time::Duration;

use domain::Result;
use domain::jobs::{self, DueJob, JobKind};
use tokio::sync::Mutex;
use tokio_cron_scheduler::{JobScheduler, JobSchedulerError};
use tokio_util::sync::CancellationToken;

use crate::cleanup;
use crate::completion::JobEnd;
use crate::engine::Engine;
use crate::kinds::{after_death, due_source};
use crate::metric;
use crate::transport::QueueItem;

/// Between ticks.
const TICK: Duration = Duration::from_secs(1);
/// Waiting jobs are counted no further than this for the gauge.
const GAUGE_LIMIT: u32 = 10_000;

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

/// Ticks every second, and deletes what has grown old, until `shutdown`. Two or more processes may do so at once.
///
/// # Errors
/// When the schedule cannot be set up.
pub async fn run(engine: Engine, shutdown: CancellationToken) -> Result<(), JobSchedulerError> {
    let mut schedule = JobScheduler::new().await?;
    let (ticker, ticking) = (engine.clone(), Arc::new(Mutex::new(())));
    let each = tokio_cron_scheduler::Job::new_repeated_async(TICK, move |_, _| {
        let (engine, ticking) = (ticker.clone(), ticking.clone());
        Box::pin(async move {
            // A tick that takes longer than the pause between two is not overtaken.
            let Ok(_guard) = ticking.try_lock() else { return };
            match tick(&engine).await {
                Ok(counts) if counts == TickCounts::default() => {}
                Ok(counts) => tracing::info!(?counts, "tick"),
                Err(error) => tracing::warn!(%error, "a tick could not be carried out"),
            }
        })
    })?;
    schedule.add(each).await?;
    for entry in cleanup::entries(&engine)? {
        schedule.add(entry).await?;
    }
    schedule.start().await?;
    shutdown.cancelled().await;
    schedule.shutdown().await
}

/// One tick: what is due, the sweep, and the gauges.
pub async fn tick(engine: &Engine) -> Result<TickCounts> {
    let mut submitted = 0;
    for kind in JobKind::ALL {
        let Some(claim_due) = due_source(*kind) else { continue };
        match claim_due(engine).await {
            Ok(count) => submitted += count,
            Err(error) => tracing::warn!(%error, %kind, "what is due could not be claimed"),
        }
    }
    // A queue that is away stops the sweep, but not what the gauges tell.
    let swept = sweep(engine).await;
    gauge(engine).await?;
    if let Err(error) = engine.domain().db().checkpoint().await {
        tracing::warn!(%error, "the write-ahead log could not be folded back");
    }
    Ok(TickCounts { submitted, ..swept? })
}

async fn gauge(engine: &Engine) -> Result<()> {
    let domain = engine.domain();
    let connection = domain.db().read();
    for kind in JobKind::ALL {
        let waiting = jobs::waiting(connection, domain, *kind, GAUGE_LIMIT).await?;
        let oldest = jobs::oldest_due(connection, domain, *kind).await?;
        metric::queue(*kind, waiting, oldest.map_or(0, |since| domain.now() - since));
    }
    Ok(())
}

/// Revives or buries what lost its worker, and pushes what is due and not on its way.
pub async fn sweep(engine: &Engine) -> Result<TickCounts> {
    sweep_lost_after(engine, engine.settings().lost_after_ms).await
}

/// The sweep of a worker that starts: ids of an earlier process in memory went with it.
pub(crate) async fn sweep_at_start(engine: &Engine) -> Result<TickCounts> {
    let in_memory = engine.settings().redis_url.is_none();
    sweep_lost_after(engine, if in_memory { 0 } else { engine.settings().lost_after_ms }).await
}

pub(crate) async fn sweep_lost_after(engine: &Engine, lost_after_ms: i64) -> Result<TickCounts> {
    let mut counts = expire_leases(engine).await?;
    for kind in JobKind::ALL {
        counts.pushed += push_due(engine, *kind, lost_after_ms).await?;
    }
    Ok(counts)
}

/// Revives or buries what lost its worker.
pub(crate) async fn expire_leases(engine: &Engine) -> Result<TickCounts> {
    let mut counts = TickCounts::default();
    let lapsed = jobs::expire_leases(engine.domain()).await?;
    counts.requeued = lapsed.requeued;
    for job in lapsed.dead {
        counts.dead += 1;
        metric::job_counted(job.kind, "dead");
        tracing::error!(job = %job.id, kind = %job.kind, "job is dead: started too often without an end");
        if let Err(error) = after_death(engine.domain(), &job).await {
            tracing::warn!(%error, job = %job.id, "what a dead job was about does not know of it");
        }
        engine.notify(&JobEnd::dead(job.id)).await;
    }
    Ok(counts)
}

async fn push_due(engine: &Engine, kind: JobKind, lost_after_ms: i64) -> Result<u64> {
    let limit = engine.settings().depth as u64;
    // Asked first: while the queue is away nothing is marked as on its way.
    engine.depth(kind).await?;
    let lost = jobs::lost_batch(engine.domain(), kind, lost_after_ms, limit).await?;
    Ok(push(engine, kind, lost).await? + refill(engine, kind).await?)
}

/// Fills the queue of `kind` up with what is due and not on its way; returns how many ids.
pub(crate) async fn refill(engine: &Engine, kind: JobKind) -> Result<u64> {
    let room = (engine.settings().depth as u64).saturating_sub(engine.depth(kind).await?);
    if room == 0 {
        return Ok(0);
    }
    push(engine, kind, jobs::due_batch(engine.domain(), kind, room).await?).await
}

async fn push(engine: &Engine, kind: JobKind, due: Vec<DueJob>) -> Result<u64> {
    let items: Vec<QueueItem> = due.into_iter().map(QueueItem::from).collect();
    if !items.is_empty() {
        engine.push_items(kind, &items).await?;
    }
    Ok(items.len() as u64)
}

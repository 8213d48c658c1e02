//! Executes a job with several runs. The monitors of a batch are observed concurrently, up to a fixed number
//! at a time. Runs with an unchanged source are committed with the completion of the job. The other runs are
//! committed in batches while further observations are in progress. A failed run gets its own job, so that it
//! does not affect the other runs.

use async_recursion::async_recursion as boxed;
use std::collections::VecDeque;

use entities::ids::MonitorId;
use entities::monitor;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};
use tokio::task::{JoinError, JoinSet};
use tracing::Instrument;

use super::args::{MonitorRunArgs, MonitorRunBatch, RunJobArgs};
use super::commit_batch::{self, CommitResults};
use super::commit_buffer::CommitBuffer;
use super::due::MONITORS;
use super::fetch::RunContext;
use super::monitor::Status;
use super::observation::{self, ObservedRun};
use super::outcome::Outcome;
use super::{rendering_rules, unchanged_runs};
use articles::worker_tools::Tools;
use jobs::{Claimed, JobKind, NewJob, Submitted};
use kernel::statement::statement;
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of concurrent observations of one batch. Each may need memory for a response body.
const MAX_CONCURRENT: usize = 16;

/// Finds the key of the live job whose batch contains this monitor under its current claim. The query scans
/// all live jobs of this kind, which are few.
pub(super) async fn find_live_batch(
    connection: &impl ConnectionTrait,
    row: &monitor::Model,
    now: Millis,
) -> Result<Option<String>> {
    let Some(until) = row.next_run_at.filter(|next| (now..=now + MONITORS.lease).contains(next)) else {
        return Ok(None);
    };
    let sql = "SELECT key FROM job WHERE kind = $1 AND finished_at IS NULL AND payload LIKE $2";
    let payload = format!("{{\"until\":{until},%\"{}\"%", row.id);
    let values = [JobKind::MonitorRun.as_str().into(), payload.into()];
    let job_row = connection.query_one_raw(statement(connection, sql, values)).await?;
    Ok(job_row.map(|job_row| job_row.try_get_by_index(0)).transpose()?)
}

/// Splits a batch job that did not complete at its first start: submits one job for each run that is still
/// claimed by the batch. As a result, a monitor that crashes its worker does not affect other monitors.
/// `None` if the job has a single run.
#[boxed]
pub async fn split_batch(domain: &Domain, claimed: &Claimed) -> Result<Option<Vec<Submitted>>> {
    let RunJobArgs::Batch(batch) = claimed.arguments()? else { return Ok(None) };
    let left = monitor::Entity::find()
        .select_only()
        .column(monitor::Column::Id)
        .filter(monitor::Column::Id.is_in(batch.runs.iter().map(|run| run.monitor_id)))
        .filter(monitor::Column::NextRunAt.eq(batch.until))
        .filter(monitor::Column::Status.eq(Status::Active.as_str()));
    let left: Vec<MonitorId> = left.into_tuple().all(domain.db().read()).await?;
    let left: Vec<MonitorRunArgs> =
        batch.runs.into_iter().filter(|run| left.contains(&run.monitor_id)).collect();
    let transaction = domain.db().begin().await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    let single = submit_each(&transaction, domain, &single_jobs(&left)?).await?;
    transaction.commit().await?;
    Ok(Some(single))
}

/// Executes the runs of a batch and returns the jobs of the runs that it could not commit, and of the runs
/// that need a browser, because a rendered page may take half a minute.
///
/// # Errors
/// Returns an error if a step fails. Committed runs remain committed, and the job is retried with the remaining runs.
pub(super) async fn run_batch(
    domain: &Domain,
    tools: &Tools,
    claimed: &Claimed,
    batch: MonitorRunBatch,
) -> Result<Vec<Submitted>> {
    let contexts = RunContext::load_all(domain, &batch).await?;
    let (rendered, contexts): (Vec<_>, Vec<_>) =
        contexts.into_iter().partition(|context| rendering_rules::needs_browser(domain, &context.definition));
    let mut tasks = ObservationTasks::start(domain, tools, batch.until, contexts);
    let mut buffer = CommitBuffer::new(domain);
    let (mut unchanged, mut left) = (Vec::new(), Vec::new());
    loop {
        tokio::select! {
            ended = tasks.next() => {
                let Some(ended) = ended else { break };
                for (args, observed) in ended {
                    match observed {
                        Ok(observed) if observed.is_unchanged() => unchanged.push(observed),
                        Ok(observed) => buffer.add(observed),
                        Err(error) => requeue_if_failed(args, Err(error), &mut left),
                    }
                }
            }
            done = buffer.flush_when_due() => requeue_failed(done, &mut left),
        }
    }
    requeue_failed(buffer.finish().await, &mut left);
    let transaction = domain.db().begin().await?;
    let unchanged_count = unchanged.len();
    let others = unchanged_runs::write(&transaction, domain, unchanged).await?;
    let written = u64::try_from(unchanged_count - others.len()).unwrap_or_default();
    let transaction = if others.is_empty() {
        transaction
    } else {
        transaction.commit().await?;
        requeue_failed(Box::pin(commit_batch::commit_all(domain, others)).await, &mut left);
        domain.db().begin().await?
    };
    jobs::complete_in(&transaction, domain, claimed).await?;
    let mut single = single_jobs(&left)?;
    for context in &rendered {
        single.push(context.args.browser_job(context.row.account_id)?);
    }
    let single = submit_each(&transaction, domain, &single).await?;
    transaction.commit().await?;
    Outcome::Unchanged.count(written);
    Ok(single)
}

/// Adds the runs that could not be committed to `left`.
fn requeue_failed(done: CommitResults, left: &mut Vec<MonitorRunArgs>) {
    for (args, written) in done {
        requeue_if_failed(args, written, left);
    }
}

/// If the run failed, adds it to `left`, so that it gets a separate job.
fn requeue_if_failed(args: MonitorRunArgs, written: Result<()>, left: &mut Vec<MonitorRunArgs>) {
    if let Err(error) = written {
        tracing::warn!(%error, monitor = %args.monitor_id, "run moved to a job of its own");
        left.push(args);
    }
}

/// Creates one job per run.
fn single_jobs(runs: &[MonitorRunArgs]) -> Result<Vec<NewJob>> {
    runs.iter().map(MonitorRunArgs::job).collect()
}

/// Submits jobs, except for monitors that already have a live job of the same kind.
async fn submit_each(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    jobs: &[NewJob],
) -> Result<Vec<Submitted>> {
    Ok(jobs::submit_all(connection, domain, jobs).await?.into_iter().flatten().collect())
}

/// Observations in progress, each in its own task. A panic stops only its own observation. All tasks are
/// aborted on drop.
struct ObservationTasks {
    domain: Domain,
    tools: Tools,
    waiting: VecDeque<RunContext>,
    under_way: JoinSet<Result<ObservedRun>>,
    running: Vec<(tokio::task::Id, MonitorRunArgs)>,
    until: Millis,
}

impl ObservationTasks {
    /// Starts to observe monitors that are claimed until `until`.
    fn start(domain: &Domain, tools: &Tools, until: Millis, contexts: Vec<RunContext>) -> Self {
        let mut tasks = Self {
            domain: domain.clone(),
            tools: tools.clone(),
            waiting: contexts.into(),
            under_way: JoinSet::new(),
            running: Vec::new(),
            until,
        };
        (0..MAX_CONCURRENT).for_each(|_| tasks.start_next());
        tasks
    }

    /// Starts the next observation if the claim is still valid. After the claim expires, another worker may
    /// claim the monitor.
    fn start_next(&mut self) {
        let now = self.domain.now();
        if now >= self.until {
            self.waiting.clear();
        }
        let Some(mut context) = self.waiting.pop_front() else { return };
        context.started_at = now;
        let args = context.args;
        let (domain, tools) = (self.domain.clone(), self.tools.clone());
        let observed = async move {
            let observation = observation::observe(&domain, &tools, &context).await?;
            Ok(ObservedRun { context, observation })
        };
        let task = self.under_way.spawn(observed.in_current_span());
        self.running.push((task.id(), args));
    }

    /// Waits for at least one observation and returns all observations that have finished.
    async fn next(&mut self) -> Option<Vec<(MonitorRunArgs, Result<ObservedRun>)>> {
        let mut ended = vec![self.under_way.join_next_with_id().await?];
        while let Some(another) = self.under_way.try_join_next_with_id() {
            ended.push(another);
        }
        for _ in &ended {
            self.start_next();
        }
        Some(ended.into_iter().filter_map(|ended| self.finish_task(ended)).collect())
    }

    fn finish_task(
        &mut self,
        ended: std::result::Result<(tokio::task::Id, Result<ObservedRun>), JoinError>,
    ) -> Option<(MonitorRunArgs, Result<ObservedRun>)> {
        let (id, observed) = match ended {
            Ok((id, observed)) => (id, observed),
            Err(error) => (error.id(), Err(Error::internal(error))),
        };
        let index = self.running.iter().position(|(task, _)| *task == id)?;
        Some((self.running.swap_remove(index).1, observed))
    }
}

#[cfg(test)]
pub(super) mod tests;

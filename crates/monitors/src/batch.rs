//! Executes a job with many runs. The monitors of a batch are observed concurrently, up to a fixed number at
//! once. Runs whose source is unchanged are committed together with the completion of the job, the others in
//! batches while further observations are in progress. A run that fails gets a job of its own, so that it
//! does not affect the rest.

use std::collections::VecDeque;

use entities::monitor;
use sea_orm::ConnectionTrait;
use tokio::task::{JoinError, JoinSet};
use tracing::Instrument;

use super::asked::{Asked, Batch, MonitorRunArgs};
use super::due::MONITORS;
use super::fetch::RunContext;
use super::gathered::Gathered;
use super::look::Seen;
use super::one;
use super::outcome::Outcome;
use super::together::{self, Done};
use super::unchanged;
use articles::worker::Tools;
use identity::credits;
use jobs::{Claimed, JobKind, Submitted};
use kernel::clock::Millis;
use kernel::error::{Error, Result};
use kernel::handle::Domain;
use kernel::statement::statement;

/// Concurrent observations of one batch. Each may hold a response body.
const AT_ONCE: usize = 16;

/// Finds the key of the live job that runs this monitor in a batch under its current claim. It scans the live
/// jobs of this kind, of which there are few.
pub(super) async fn find_live(
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
    let found = connection.query_one_raw(statement(connection, sql, values)).await?;
    Ok(found.map(|found| found.try_get_by_index(0)).transpose()?)
}

/// Replaces a batch job that was not completed by its first start with one job per run, for the runs that
/// still belong to its claim. `None` if the job is of a single run. A monitor that crashes its worker then
/// affects no other monitor.
pub async fn split_batch(domain: &Domain, claimed: &Claimed) -> Result<Option<Vec<Submitted>>> {
    let Asked::Batch(batch) = claimed.arguments()? else { return Ok(None) };
    let left = RunContext::still_claimed(domain.db().read(), &batch).await?;
    let left = batch.runs.into_iter().filter(|run| left.iter().any(|row| row.id == run.monitor_id)).collect();
    let transaction = domain.db().begin().await?;
    jobs::complete_in(&transaction, domain, claimed).await?;
    let single = submit_each(&transaction, domain, left).await?;
    transaction.commit().await?;
    Ok(Some(single))
}

/// Executes the runs of a batch and returns the jobs of the runs that it could not commit.
///
/// # Errors
/// Runs that were committed stay committed; the job is retried with the rest.
pub(super) async fn run_batch(
    domain: &Domain,
    tools: &Tools,
    claimed: &Claimed,
    batch: Batch,
) -> Result<Vec<Submitted>> {
    let mut looks = Looks::start(domain, tools, &batch).await?;
    let mut gathered = Gathered::new(domain);
    let (mut unchanged, mut left) = (Vec::new(), Vec::new());
    loop {
        tokio::select! {
            ended = looks.next() => {
                let Some(ended) = ended else { break };
                for (asked, look) in ended {
                    match look {
                        Ok(look) if look.is_unchanged() => unchanged.push(look),
                        Ok(look) => gathered.add(look),
                        Err(error) => leave(asked, Err(error), &mut left),
                    }
                }
            }
            done = gathered.written() => leave_failed(done, &mut left),
        }
    }
    leave_failed(gathered.finish().await, &mut left);
    let transaction = domain.db().begin().await?;
    let looked_at = unchanged.len();
    let others = unchanged::write(&transaction, domain, unchanged).await?;
    let written = u64::try_from(looked_at - others.len()).unwrap_or_default();
    let transaction = if others.is_empty() {
        transaction
    } else {
        transaction.commit().await?;
        leave_failed(Box::pin(together::commit_all(domain, others)).await, &mut left);
        domain.db().begin().await?
    };
    jobs::complete_in(&transaction, domain, claimed).await?;
    let single = submit_each(&transaction, domain, left).await?;
    transaction.commit().await?;
    Outcome::Unchanged.count(written);
    Ok(single)
}

/// Adds those of these runs to `left` that could not be committed.
fn leave_failed(done: Done, left: &mut Vec<MonitorRunArgs>) {
    for (asked, written) in done {
        leave(asked, written, left);
    }
}

/// Adds a failed run to `left`, so that it gets a job of its own.
fn leave(asked: MonitorRunArgs, written: Result<()>, left: &mut Vec<MonitorRunArgs>) {
    if let Err(error) = written {
        tracing::warn!(%error, monitor = %asked.monitor_id, "run moved to a job of its own");
        left.push(asked);
    }
}

/// Submits a job for each of these runs, except for monitors that already have a live job.
async fn submit_each(
    connection: &impl ConnectionTrait,
    domain: &Domain,
    runs: Vec<MonitorRunArgs>,
) -> Result<Vec<Submitted>> {
    let jobs = runs.iter().map(MonitorRunArgs::job).collect::<Result<Vec<_>>>()?;
    Ok(jobs::submit_all(connection, domain, &jobs).await?.into_iter().flatten().collect())
}

/// Observations in progress, each in its own task. A panic ends only its own observation; dropping this
/// aborts all.
struct Looks {
    domain: Domain,
    tools: Tools,
    waiting: VecDeque<(RunContext, bool)>,
    under_way: JoinSet<Result<Seen>>,
    asked: Vec<(tokio::task::Id, MonitorRunArgs)>,
    until: Millis,
}

impl Looks {
    /// Starts to observe the monitors of a batch that it still claims.
    async fn start(domain: &Domain, tools: &Tools, batch: &Batch) -> Result<Self> {
        let contexts = RunContext::load_all(domain, batch).await?;
        let owners = contexts.iter().map(|context| (context.row.account_id, context.allowance()));
        let balances = credits::balances(domain.db().read(), domain.now(), owners).await?;
        let waiting = contexts.into_iter().map(|context| {
            let balance = balances.get(&context.row.account_id);
            let can_pay = balance.is_some_and(|balance| balance.remaining() >= context.kind.cost());
            (context, can_pay)
        });
        let mut looks = Self {
            domain: domain.clone(),
            tools: tools.clone(),
            waiting: waiting.collect(),
            under_way: JoinSet::new(),
            asked: Vec::new(),
            until: batch.until,
        };
        (0..AT_ONCE).for_each(|_| looks.begin());
        Ok(looks)
    }

    /// Starts the next observation, if there is one and the claim still holds. Another worker may claim the
    /// monitor afterwards.
    fn begin(&mut self) {
        let now = self.domain.now();
        if now >= self.until {
            self.waiting.clear();
        }
        let Some((mut context, can_pay)) = self.waiting.pop_front() else { return };
        context.started_at = now;
        let asked = context.asked;
        let (domain, tools) = (self.domain.clone(), self.tools.clone());
        let look = async move {
            let looked = one::look(&domain, &tools, &context, can_pay).await?;
            Ok(Seen { context, looked })
        };
        let task = self.under_way.spawn(look.in_current_span());
        self.asked.push((task.id(), asked));
    }

    /// Waits for at least one observation and returns all that have finished.
    async fn next(&mut self) -> Option<Vec<(MonitorRunArgs, Result<Seen>)>> {
        let mut ended = vec![self.under_way.join_next_with_id().await?];
        while let Some(another) = self.under_way.try_join_next_with_id() {
            ended.push(another);
        }
        for _ in &ended {
            self.begin();
        }
        Some(ended.into_iter().filter_map(|ended| self.asked_of(ended)).collect())
    }

    fn asked_of(
        &mut self,
        ended: std::result::Result<(tokio::task::Id, Result<Seen>), JoinError>,
    ) -> Option<(MonitorRunArgs, Result<Seen>)> {
        let (id, look) = match ended {
            Ok((id, look)) => (id, look),
            Err(error) => (error.id(), Err(Error::internal(error))),
        };
        let place = self.asked.iter().position(|(task, _)| *task == id)?;
        Some((self.asked.swap_remove(place).1, look))
    }
}

#[cfg(test)]
pub(super) mod tests;

//! What is due: monitors are claimed in batches, by one statement that walks the index of due times, and
//! each becomes a job of its own. The claim moves the monitor's next time ahead by a lease, so that a job
//! that is lost delays its monitor and loses no run.

use std::collections::{BTreeMap, HashMap};

use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryResult, Value};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::sql::BATCH;
use crate::clock::Millis;
use crate::error::Result;
use crate::feeds::schedule::{MINUTE, SECOND};
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob, Submitted};
use crate::statement::{change, places, sql};

/// Batches of one tick; what is left is the next tick's.
const BATCHES_A_TICK: usize = 20;
/// Runs that may wait at once; beyond that nothing is claimed, and due monitors stay due.
const MAX_WAITING_JOBS: u32 = 2_000;
/// Until a claimed monitor that nobody ran is due again.
const LEASE: Millis = 15 * MINUTE;
/// Between two monitors of one server.
const HOST_GAP: Millis = SECOND / 4;
/// After which a monitor is claimed again whose last run has not ended yet.
const STILL_RUNNING: Millis = MINUTE;

/// What a run's job is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The monitor.
    pub(super) monitor_id: Uuid,
    /// The run's own id, by which it is told and paid for.
    pub(super) run_id: Uuid,
    /// When it was due: one run for each due time.
    pub(super) due_at: Millis,
    /// Whether a person asked for it.
    #[serde(default)]
    pub(super) by_hand: bool,
}

/// A claimed monitor.
struct Due {
    id: Uuid,
    host: String,
    since: Millis,
}

/// Claims what is due, batch after batch, and writes a job for each. At most one monitor of a server is in
/// a batch; the others of that server wait their turn, and all of them while the server wants a pause.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let mut jobs = Vec::new();
    let waiting =
        jobs::waiting(domain.db().read(), JobKind::MonitorRun, domain.now(), MAX_WAITING_JOBS).await?;
    let room = usize::try_from(u64::from(MAX_WAITING_JOBS).saturating_sub(waiting)).unwrap_or(0);
    for _ in 0..BATCHES_A_TICK.min(room.div_ceil(BATCH)) {
        let (batch, full) = claim_batch(domain).await?;
        jobs.extend(batch);
        if !full {
            break;
        }
    }
    Ok(jobs)
}

/// One batch in one transaction; the flag says that there may be more.
async fn claim_batch(domain: &Domain) -> Result<(Vec<Submitted>, bool)> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let due = claim(&transaction, now).await?;
    let full = due.len() >= BATCH;
    let paused = paused_hosts(&transaction, &due, now).await?;
    let (take, later) = share(due, &paused, now);
    for (at, ids) in later {
        move_to(&transaction, at, &ids).await?;
    }
    let asked = take.iter().map(|monitor| Asked::due(domain, monitor).job()).collect::<Result<Vec<_>>>()?;
    let submitted = jobs::submit_all(&transaction, domain, &asked).await?;
    let is_running = |pair: &(&Due, &Option<Submitted>)| pair.1.is_none();
    let running: Vec<Uuid> =
        take.iter().zip(&submitted).filter(is_running).map(|(monitor, _)| monitor.id).collect();
    let jobs = submitted.into_iter().flatten().collect();
    move_to(&transaction, now + STILL_RUNNING, &running).await?;
    transaction.commit().await?;
    Ok((jobs, full))
}

impl Asked {
    /// The run of a monitor that is due.
    fn due(domain: &Domain, monitor: &Due) -> Self {
        Self { monitor_id: monitor.id, run_id: domain.new_id(), due_at: monitor.since, by_hand: false }
    }

    /// A run that a person asks for.
    pub(super) fn by_hand(domain: &Domain, monitor_id: Uuid, due_at: Millis) -> Self {
        Self { monitor_id, run_id: domain.new_id(), due_at, by_hand: true }
    }

    /// The job of this run.
    pub(super) fn job(&self) -> Result<NewJob> {
        let priority = if self.by_hand { jobs::Priority::High } else { jobs::Priority::Normal };
        Ok(NewJob::new(JobKind::MonitorRun, self.monitor_id.to_string()).payload(self)?.priority(priority))
    }
}

async fn claim(transaction: &DatabaseTransaction, now: Millis) -> Result<Vec<Due>> {
    let text = super::sql::claim(transaction.get_database_backend());
    let values = [now.into(), (now + LEASE).into()];
    let rows = transaction.query_all_raw(sql(transaction, &text, values)).await?;
    let read = |row: &QueryResult| -> Result<Due> {
        Ok(Due {
            id: row.try_get_by_index(0)?,
            host: row.try_get_by_index(1)?,
            since: row.try_get_by_index(2)?,
        })
    };
    let mut due = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
    due.sort_by_key(|monitor| (monitor.since, monitor.id));
    Ok(due)
}

async fn paused_hosts(
    transaction: &DatabaseTransaction,
    due: &[Due],
    now: Millis,
) -> Result<HashMap<String, Millis>> {
    if due.is_empty() {
        return Ok(HashMap::new());
    }
    let text = format!(
        "SELECT host, paused_until FROM feed_host WHERE paused_until > $1 AND host IN ({})",
        places(2, due.len())
    );
    let mut values: Vec<Value> = vec![now.into()];
    values.extend(due.iter().map(|monitor| monitor.host.as_str().into()));
    let rows = transaction.query_all_raw(sql(transaction, &text, values)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

/// Parts due monitors into those to run now, one a server, and those that wait.
fn share(
    due: Vec<Due>,
    paused: &HashMap<String, Millis>,
    now: Millis,
) -> (Vec<Due>, BTreeMap<Millis, Vec<Uuid>>) {
    let mut take = Vec::new();
    let mut later: BTreeMap<Millis, Vec<Uuid>> = BTreeMap::new();
    let mut seen: HashMap<String, Millis> = HashMap::new();
    for monitor in due {
        let turn = seen.entry(monitor.host.clone()).and_modify(|turn| *turn += 1).or_insert(0);
        match (paused.get(&monitor.host), *turn) {
            (Some(until), turn) => later.entry(until + turn * HOST_GAP).or_default().push(monitor.id),
            (None, 0) => take.push(monitor),
            (None, turn) => later.entry(now + turn * HOST_GAP).or_default().push(monitor.id),
        }
    }
    (take, later)
}

async fn move_to(transaction: &DatabaseTransaction, at: Millis, ids: &[Uuid]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    let text = format!("UPDATE monitor SET next_run_at = $1 WHERE id IN ({})", places(2, ids.len()));
    let mut values: Vec<Value> = vec![at.into()];
    values.extend(ids.iter().map(|id| (*id).into()));
    change(transaction, &text, values).await?;
    Ok(())
}

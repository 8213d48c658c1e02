//! What is due: feeds are claimed in batches, each batch one job. The claim moves a feed's next time
//! ahead by a lease, so that a job that is lost delays its feeds and loses none.

use std::collections::HashMap;

use sea_orm::{ConnectionTrait, DbBackend, Value};
use serde::{Deserialize, Serialize};

use super::rows::{rows_of, sql};
use super::schedule::{MINUTE, SECOND};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;
use crate::jobs::{self, JobKind, NewJob, Submitted};

/// Feeds of one batch.
pub(super) const BATCH: usize = 50;
/// Batches of one tick; what is left is the next tick's.
const BATCHES_A_TICK: usize = 40;
/// Poll jobs that may wait at once; beyond that nothing is claimed, and due feeds stay due.
const MAX_WAITING_JOBS: u32 = 80;
/// Until a claimed feed that nobody polled is due again.
const LEASE: Millis = 15 * MINUTE;
/// Between two feeds of one server.
const HOST_GAP: Millis = SECOND / 2;

/// What a poll job is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The time until which these feeds are claimed: it says which claim this is.
    pub(super) until: Millis,
    /// Feeds.
    pub(super) feeds: Vec<i64>,
}

/// What one claim took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The job of the feeds that are to be polled now; none when there are no such feeds.
    pub job: Option<Submitted>,
    /// As many were due as one batch holds: there may be more.
    pub is_full: bool,
}

/// Claims what is due, batch after batch, and writes a job for each. At most one feed of a server is in
/// a batch; the others of that server wait their turn.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let mut jobs = Vec::new();
    let waiting =
        jobs::waiting(domain.db().read(), JobKind::FeedPoll, domain.now(), MAX_WAITING_JOBS).await?;
    let room = u64::from(MAX_WAITING_JOBS).saturating_sub(waiting);
    for _ in 0..BATCHES_A_TICK.min(usize::try_from(room).unwrap_or(0)) {
        let claim = claim_batch(domain).await?;
        jobs.extend(claim.job);
        if !claim.is_full {
            break;
        }
    }
    Ok(jobs)
}

/// Claims one batch of at most fifty feeds, in one transaction.
pub async fn claim_batch(domain: &Domain) -> Result<Claim> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let due = due(&transaction, now).await?;
    let is_full = due.len() >= BATCH;
    let until = now + LEASE;
    let turns = share(due, now);
    let feeds: Vec<i64> = turns.iter().filter(|(_, later)| later.is_none()).map(|(id, _)| *id).collect();
    move_on(&transaction, turns, until).await?;
    let job = match feeds.first() {
        None => None,
        Some(first) => {
            let job = NewJob::new(JobKind::FeedPoll, format!("{first}-{until}"));
            let job = job.payload(&Batch { until, feeds })?;
            Some(jobs::submit(&transaction, domain, job).await?)
        }
    };
    transaction.commit().await?;
    Ok(Claim { job, is_full })
}

/// A due feed and its server, with the end of that server's pause if it asked for one.
struct Due {
    id: i64,
    host: String,
    paused_until: Option<Millis>,
}

async fn due(connection: &impl ConnectionTrait, now: Millis) -> Result<Vec<Due>> {
    let lock = match connection.get_database_backend() {
        DbBackend::Postgres => " FOR UPDATE OF f SKIP LOCKED",
        _ => "",
    };
    let text = format!(
        "SELECT f.id, f.host, h.paused_until FROM feed f LEFT JOIN feed_host h ON h.host = f.host \
         WHERE f.next_poll_at <= $1 ORDER BY f.next_poll_at LIMIT {BATCH}{lock}"
    );
    let rows = connection.query_all_raw(sql(connection, &text, [now.into()])).await?;
    rows.iter()
        .map(|row| {
            Ok(Due {
                id: row.try_get_by_index(0)?,
                host: row.try_get_by_index(1)?,
                paused_until: row.try_get_by_index(2)?,
            })
        })
        .collect()
}

/// Parts due feeds into those to poll now, one a server, and those that wait until the time beside them:
/// for the end of a pause, or a little for their server's other feeds.
fn share(due: Vec<Due>, now: Millis) -> Vec<(i64, Option<Millis>)> {
    let mut turns: HashMap<String, Millis> = HashMap::new();
    let part = |feed: Due| {
        let turn = turns.entry(feed.host).and_modify(|turn| *turn += 1).or_insert(0);
        let paused = feed.paused_until.filter(|until| *until > now);
        let later = match (paused, *turn) {
            (Some(until), turn) => Some(until + turn * HOST_GAP),
            (None, 0) => None,
            (None, turn) => Some(now + turn * HOST_GAP),
        };
        (feed.id, later)
    };
    due.into_iter().map(part).collect()
}

/// Sets when each feed is due again, in one statement: what is polled now after the lease.
async fn move_on(
    connection: &impl ConnectionTrait,
    turns: Vec<(i64, Option<Millis>)>,
    until: Millis,
) -> Result<()> {
    if turns.is_empty() {
        return Ok(());
    }
    let text = format!(
        "WITH turn (id, at) AS (VALUES {}) UPDATE feed SET next_poll_at = turn.at FROM turn WHERE feed.id = turn.id",
        rows_of(1, turns.len(), &["bigint", "bigint"])
    );
    let values: Vec<Value> =
        turns.into_iter().flat_map(|(id, later)| [id.into(), later.unwrap_or(until).into()]).collect();
    connection.execute_raw(sql(connection, &text, values)).await?;
    Ok(())
}

//! What is due: feeds are claimed in batches, each batch one job. The claim moves a feed's next time
//! ahead by a lease, so that a job that is lost delays its feeds and loses none.

use std::collections::{BTreeMap, HashMap};

use sea_orm::{ConnectionTrait, DbBackend, Value};
use serde::{Deserialize, Serialize};

use super::rows::{places, sql};
use super::schedule::{MINUTE, SECOND};
use crate::clock::Millis;
use crate::error::Result;
use crate::handle::Domain;
use crate::work::{self, Kind, NewJob, Submitted};

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

/// Claims what is due, batch after batch, and writes a job for each. At most one feed of a server is in
/// a batch; the others of that server wait their turn.
pub async fn claim_due(domain: &Domain) -> Result<Vec<Submitted>> {
    let mut jobs = Vec::new();
    let waiting = work::waiting(domain.db().read(), Kind::FeedPoll, domain.now(), MAX_WAITING_JOBS).await?;
    let room = u64::from(MAX_WAITING_JOBS).saturating_sub(waiting);
    for _ in 0..BATCHES_A_TICK.min(usize::try_from(room).unwrap_or(0)) {
        let (job, full) = claim_batch(domain).await?;
        jobs.extend(job);
        if !full {
            break;
        }
    }
    Ok(jobs)
}

/// One batch in one transaction; the flag says that there may be more.
pub(super) async fn claim_batch(domain: &Domain) -> Result<(Option<Submitted>, bool)> {
    let now = domain.now();
    let transaction = domain.db().begin().await?;
    let due = due(&transaction, now).await?;
    let full = due.len() >= BATCH;
    let (take, later) = share(due, now);
    for (at, ids) in later {
        move_to(&transaction, at, &ids).await?;
    }
    if take.is_empty() {
        transaction.commit().await?;
        return Ok((None, full));
    }
    let until = now + LEASE;
    move_to(&transaction, until, &take).await?;
    let batch = Batch { until, feeds: take };
    let key = format!("{}-{}", batch.feeds[0], until);
    let job = NewJob::new(Kind::FeedPoll, key).payload(&batch)?;
    let submitted = work::submit(&transaction, domain, job).await?;
    transaction.commit().await?;
    Ok((Some(submitted), full))
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

/// Parts due feeds into those to poll now, one a server, and those that wait: for the end of a pause, or
/// a little for their server's other feeds.
fn share(due: Vec<Due>, now: Millis) -> (Vec<i64>, Vec<(Millis, Vec<i64>)>) {
    let mut take = Vec::new();
    let mut later: BTreeMap<Millis, Vec<i64>> = BTreeMap::new();
    let mut seen: HashMap<String, Millis> = HashMap::new();
    for feed in due {
        let turn = seen.entry(feed.host).and_modify(|turn| *turn += 1).or_insert(0);
        let paused = feed.paused_until.filter(|until| *until > now);
        match (paused, *turn) {
            (Some(until), turn) => later.entry(until + turn * HOST_GAP).or_default().push(feed.id),
            (None, 0) => take.push(feed.id),
            (None, turn) => later.entry(now + turn * HOST_GAP).or_default().push(feed.id),
        }
    }
    (take, later.into_iter().collect())
}

async fn move_to(connection: &impl ConnectionTrait, at: Millis, ids: &[i64]) -> Result<()> {
    let text = format!("UPDATE feed SET next_poll_at = $1 WHERE id IN ({})", places(2, ids.len()));
    let mut values: Vec<Value> = vec![at.into()];
    values.extend(ids.iter().map(|id| (*id).into()));
    connection.execute_raw(sql(connection, &text, values)).await?;
    Ok(())
}

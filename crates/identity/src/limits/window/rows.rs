//! Counters of all processes in PostgreSQL, for deployments without Redis: one row per key. Checks that
//! arrive while a statement runs are batched into the next one: rows are read, updated by the same code as in
//! memory, and written only if no other process wrote them in between; a check that met a conflict is
//! repeated. No lock is held between two statements.
//!
//! The table is unlogged: a crash of the database empties it, which has the same effect as an emptied Redis.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sea_orm::sqlx::{self, PgConnection, Row};

use super::entry::Entry;
use super::outage::Outage;
use super::policy::{Counted, Decision, RatePolicy, Time, day_of};
use kernel::batcher::Groups;
use kernel::clock::Millis;
use kernel::db::{Database, Pool, within};

/// Longest wait for the store. A limiter that takes longer costs more than it is worth.
const ANSWER_WITHIN: Duration = Duration::from_millis(500);
/// Maximum checks per statement.
const MOST: usize = 256;
/// Maximum write attempts on conflicts with other processes.
const TRIES: usize = 32;

/// Returns the current time even if no row matches.
const READ: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now, c.key, c.version, c.state \
     FROM (SELECT 1) AS one LEFT JOIN rate_count c ON c.key = ANY ($1)";

const WRITE: &str = "INSERT INTO rate_count AS c (key, version, state, dead_from) \
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) \
     ON CONFLICT (key) DO UPDATE SET version = excluded.version, state = excluded.state, dead_from = excluded.dead_from \
     WHERE c.version = excluded.version - 1 RETURNING c.key";

/// Counter store in PostgreSQL.
pub(super) struct Rows {
    context: Context,
    asks: Groups<Ask, Answer>,
    outage: Outage,
}

/// Reply to one caller: the counts, or why there are none.
type Answer = Result<Counted, Arc<str>>;

#[derive(Clone)]
struct Context {
    db: Database,
    time: Time,
}

/// One caller's request for one key.
#[derive(Clone)]
struct Ask {
    key: Arc<str>,
    policies: Vec<RatePolicy>,
    act: Act,
}

#[derive(Clone, Copy)]
enum Act {
    Check { now: Millis },
    Refund { at: Millis, day: i64 },
}

/// A key's counters as read, with the changes since.
struct Kept {
    version: i64,
    entry: Entry,
    is_changed: bool,
}

impl Rows {
    pub(super) fn new(db: Database, time: Time) -> Self {
        let context = Context { db, time };
        Self { context, asks: Groups::of_at_most(MOST), outage: Outage::of("PostgreSQL") }
    }

    /// Checks and charges; `None` if the database does not reply in time.
    pub(super) async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Option<Counted> {
        self.ask(key, policies, Act::Check { now }).await
    }

    /// Refunds a charge; false if the database does not reply in time.
    pub(super) async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &Decision) -> bool {
        self.ask(key, policies, Act::Refund { at: charged.at, day: charged.day }).await.is_some()
    }

    async fn ask(&self, key: &str, policies: &[RatePolicy], act: Act) -> Option<Counted> {
        if self.outage.lasts() {
            return None;
        }
        let ask = Ask { key: key.into(), policies: policies.to_vec(), act };
        let answer = self.asks.join(&self.context, ask, carry);
        let reason = match tokio::time::timeout(ANSWER_WITHIN, answer).await {
            Ok(Ok(Ok(counted))) => return Some(counted),
            Ok(Ok(Err(reason))) => reason,
            Ok(Err(_)) => "the batch ended without a result".into(),
            Err(_) => "no reply in time".into(),
        };
        self.outage.begins(&reason);
        None
    }
}

impl Ask {
    /// Applies the request to the loaded counters and returns its counts.
    fn apply(&self, kept: &mut Kept, (server, time): (Millis, Time)) -> Counted {
        match self.act {
            Act::Check { now } => {
                let instant = match time {
                    Time::Server => server,
                    Time::Caller => now,
                };
                let counted = kept.entry.check(&self.policies, instant, day_of(now));
                kept.is_changed |= counted.allowed && self.policies.iter().any(|policy| policy.cost > 0);
                counted
            }
            Act::Refund { at, day } => {
                kept.entry.refund(&self.policies, (at, day));
                kept.is_changed = true;
                Counted { allowed: true, at, counts: Vec::new() }
            }
        }
    }
}

fn carry(context: Context, asks: Vec<Ask>) -> BoxFuture<'static, Vec<Answer>> {
    Box::pin(async move {
        let others: Arc<str> = "other processes wrote first on every attempt".into();
        let mut answers: Vec<Answer> = asks.iter().map(|_| Err(others.clone())).collect();
        let mut left: Vec<usize> = (0..asks.len()).collect();
        for _ in 0..TRIES {
            if left.is_empty() {
                break;
            }
            match round(&context, &asks, &left).await {
                Ok(counted) => {
                    for (place, counted) in counted {
                        answers[place] = Ok(counted);
                    }
                    left.retain(|place| answers[*place].is_err());
                }
                Err(error) => {
                    let reason: Arc<str> = error.to_string().into();
                    for place in left {
                        answers[place] = Err(reason.clone());
                    }
                    break;
                }
            }
        }
        answers
    })
}

/// Reads, counts, and writes. Returns the counts of the requests whose keys no other process wrote in
/// between. A lock held by another transaction delays it no longer than its callers wait.
async fn round(
    context: &Context,
    asks: &[Ask],
    left: &[usize],
) -> Result<Vec<(usize, Counted)>, sqlx::Error> {
    let Pool::Postgres(pool) = context.db.shared_state() else { return Ok(Vec::new()) };
    within(pool, ANSWER_WITHIN, async |connection| count(connection, context.time, asks, left).await).await
}

async fn count(
    connection: &mut PgConnection,
    time: Time,
    asks: &[Ask],
    left: &[usize],
) -> Result<Vec<(usize, Counted)>, sqlx::Error> {
    let mut kept: BTreeMap<Arc<str>, Kept> = BTreeMap::new();
    for place in left {
        let fresh = || Kept { version: 0, entry: Entry::default(), is_changed: false };
        kept.entry(asks[*place].key.clone()).or_insert_with(fresh);
    }
    let keys: Vec<String> = kept.keys().map(ToString::to_string).collect();
    let mut now = 0;
    for row in sqlx::query::<sqlx::Postgres>(READ).bind(keys).fetch_all(&mut *connection).await? {
        now = row.try_get("now")?;
        let Some(key) = row.try_get::<Option<String>, _>("key")? else { continue };
        if let Some(found) = kept.get_mut(key.as_str()) {
            found.version = row.try_get("version")?;
            // State of an incompatible version of this program is discarded.
            found.entry = serde_json::from_str(&row.try_get::<String, _>("state")?).unwrap_or_default();
        }
    }
    let mut counted = Vec::with_capacity(left.len());
    for place in left {
        if let Some(kept) = kept.get_mut(&asks[*place].key) {
            counted.push((*place, asks[*place].apply(kept, (now, time))));
        }
    }
    let lost = write(connection, &kept).await?;
    counted.retain(|(place, _)| !lost.contains(&asks[*place].key));
    Ok(counted)
}

/// Writes changed counters in the order of their keys. Returns the keys that another process wrote in
/// between.
async fn write(
    connection: &mut PgConnection,
    kept: &BTreeMap<Arc<str>, Kept>,
) -> Result<Vec<Arc<str>>, sqlx::Error> {
    let mut changed: Vec<Arc<str>> =
        kept.iter().filter(|(_, kept)| kept.is_changed).map(|(key, _)| key.clone()).collect();
    if changed.is_empty() {
        return Ok(changed);
    }
    let (mut versions, mut states, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for kept in changed.iter().filter_map(|key| kept.get(key)) {
        versions.push(kept.version + 1);
        states.push(serde_json::to_string(&kept.entry).unwrap_or_default());
        ends.push(kept.entry.dead_from);
    }
    let query = sqlx::query::<sqlx::Postgres>(WRITE)
        .bind(changed.iter().map(ToString::to_string).collect::<Vec<String>>())
        .bind(versions)
        .bind(states)
        .bind(ends);
    for row in query.fetch_all(connection).await? {
        let written: String = row.try_get(0)?;
        changed.retain(|key| **key != *written);
    }
    Ok(changed)
}

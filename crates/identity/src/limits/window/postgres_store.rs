//! Counters of all processes in PostgreSQL, for deployments without Redis: one row per key. Checks that arrive while a
//! statement runs are batched into the next one. Rows are read, updated by the same code as in memory, and written only
//! if no other process wrote them in between; after a conflict, the check is repeated. No row stays locked between two
//! statements.
//!
//! The table is unlogged: a crash of the database empties it, which has the same effect as an emptied Redis.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sea_orm::sqlx::{self, PgConnection, Row};

use super::key_counters::KeyCounters;
use super::outage::Outage;
use super::policy::{CheckCounts, ClockSource, LimitDecision, RatePolicy, day_of};
use kernel::batcher::Batcher;
use kernel::db::{DriverPool, with_timeout};
use kernel::{Database, Millis};

/// Maximum wait for the store. After that, counting in this process costs less than waiting.
const REPLY_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum number of checks per statement.
const MAX_BATCH: usize = 256;
/// Maximum number of write attempts, if other processes cause conflicts.
const MAX_WRITE_ATTEMPTS: usize = 32;

/// Statement that reads counters. It returns the current time even if no row matches.
const READ: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS now, c.key, c.version, c.state \
     FROM (SELECT 1) AS one LEFT JOIN rate_count c ON c.key = ANY ($1)";

const WRITE: &str = "INSERT INTO rate_count AS c (key, version, state, dead_from) \
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) \
     ON CONFLICT (key) DO UPDATE SET version = excluded.version, state = excluded.state, dead_from = excluded.dead_from \
     WHERE c.version = excluded.version - 1 RETURNING c.key";

/// Counter store in PostgreSQL.
pub(super) struct PostgresStore {
    context: Context,
    requests: Batcher<CheckRequest, CheckReply>,
    outage: Outage,
}

/// Reply to one caller: the counts, or the reason why they are missing.
type CheckReply = Result<CheckCounts, Arc<str>>;

#[derive(Clone)]
struct Context {
    db: Database,
    time: ClockSource,
}

/// One caller's request for one key.
#[derive(Clone)]
struct CheckRequest {
    key: Arc<str>,
    policies: Vec<RatePolicy>,
    act: CheckAction,
}

#[derive(Clone, Copy)]
enum CheckAction {
    Check { now: Millis },
    Refund { at: Millis, day: i64 },
}

/// Counters of a key as read, with the changes of the current batch.
struct LoadedCounters {
    version: i64,
    entry: KeyCounters,
    is_changed: bool,
}

impl PostgresStore {
    pub(super) fn new(db: Database, time: ClockSource) -> Self {
        let context = Context { db, time };
        Self { context, requests: Batcher::new(MAX_BATCH), outage: Outage::of("PostgreSQL") }
    }

    /// Checks and charges the policies. `None` if the database does not reply in time.
    pub(super) async fn check(&self, key: &str, policies: &[RatePolicy], now: Millis) -> Option<CheckCounts> {
        self.request(key, policies, CheckAction::Check { now }).await
    }

    /// Refunds a charge. Returns false if the database does not reply in time.
    pub(super) async fn refund(&self, key: &str, policies: &[RatePolicy], charged: &LimitDecision) -> bool {
        self.request(key, policies, CheckAction::Refund { at: charged.at, day: charged.day }).await.is_some()
    }

    async fn request(&self, key: &str, policies: &[RatePolicy], act: CheckAction) -> Option<CheckCounts> {
        if self.outage.is_active() {
            return None;
        }
        let request = CheckRequest { key: key.into(), policies: policies.to_vec(), act };
        let answer = self.requests.add(&self.context, request, execute);
        let failure = match tokio::time::timeout(REPLY_TIMEOUT, answer).await {
            Ok(Ok(Ok(counted))) => return Some(counted),
            Ok(Ok(Err(failure))) => failure,
            Ok(Err(_)) => "the batch ended without a result".into(),
            Err(_) => "no reply in time".into(),
        };
        self.outage.record_failure(&failure);
        None
    }
}

impl CheckRequest {
    /// Applies the request to the loaded counters and returns its counts.
    fn apply(&self, loaded: &mut LoadedCounters, (server, time): (Millis, ClockSource)) -> CheckCounts {
        match self.act {
            CheckAction::Check { now } => {
                let instant = match time {
                    ClockSource::Server => server,
                    ClockSource::Caller => now,
                };
                let counted = loaded.entry.check(&self.policies, instant, day_of(now));
                loaded.is_changed |= counted.allowed && self.policies.iter().any(|policy| policy.cost > 0);
                counted
            }
            CheckAction::Refund { at, day } => {
                loaded.entry.refund(&self.policies, (at, day));
                loaded.is_changed = true;
                CheckCounts { allowed: true, at, counts: Vec::new() }
            }
        }
    }
}

fn execute(context: Context, requests: Vec<CheckRequest>) -> BoxFuture<'static, Vec<CheckReply>> {
    Box::pin(async move {
        let conflict: Arc<str> = "other processes wrote first on every attempt".into();
        let mut replies: Vec<CheckReply> = requests.iter().map(|_| Err(conflict.clone())).collect();
        let mut pending: Vec<usize> = (0..requests.len()).collect();
        for _ in 0..MAX_WRITE_ATTEMPTS {
            if pending.is_empty() {
                break;
            }
            match run_batch(&context, &requests, &pending).await {
                Ok(counted) => {
                    for (index, counted) in counted {
                        replies[index] = Ok(counted);
                    }
                    pending.retain(|index| replies[*index].is_err());
                }
                Err(error) => {
                    let reason: Arc<str> = error.to_string().into();
                    for index in pending {
                        replies[index] = Err(reason.clone());
                    }
                    break;
                }
            }
        }
        replies
    })
}

/// Reads the counters, applies the requests, and writes the counters. Returns the counts of the requests
/// whose keys no other process wrote in between. If another transaction has locked a row, it waits at most
/// [`REPLY_TIMEOUT`], as its callers do.
async fn run_batch(
    context: &Context,
    requests: &[CheckRequest],
    pending: &[usize],
) -> Result<Vec<(usize, CheckCounts)>, sqlx::Error> {
    let DriverPool::Postgres(pool) = context.db.shared_state() else { return Ok(Vec::new()) };
    with_timeout(pool, REPLY_TIMEOUT, async |connection| {
        apply_all(connection, context.time, requests, pending).await
    })
    .await
}

async fn apply_all(
    connection: &mut PgConnection,
    time: ClockSource,
    requests: &[CheckRequest],
    pending: &[usize],
) -> Result<Vec<(usize, CheckCounts)>, sqlx::Error> {
    let mut loaded: BTreeMap<Arc<str>, LoadedCounters> = BTreeMap::new();
    for index in pending {
        let fresh = || LoadedCounters { version: 0, entry: KeyCounters::default(), is_changed: false };
        loaded.entry(requests[*index].key.clone()).or_insert_with(fresh);
    }
    let keys: Vec<String> = loaded.keys().map(ToString::to_string).collect();
    let mut now = 0;
    for row in sqlx::query::<sqlx::Postgres>(READ).bind(keys).fetch_all(&mut *connection).await? {
        now = row.try_get("now")?;
        let Some(key) = row.try_get::<Option<String>, _>("key")? else { continue };
        if let Some(counters) = loaded.get_mut(key.as_str()) {
            counters.version = row.try_get("version")?;
            // State that an incompatible version of this program wrote is discarded.
            counters.entry = serde_json::from_str(&row.try_get::<String, _>("state")?).unwrap_or_default();
        }
    }
    let mut counted = Vec::with_capacity(pending.len());
    for index in pending {
        if let Some(counters) = loaded.get_mut(&requests[*index].key) {
            counted.push((*index, requests[*index].apply(counters, (now, time))));
        }
    }
    let lost = write(connection, &loaded).await?;
    counted.retain(|(index, _)| !lost.contains(&requests[*index].key));
    Ok(counted)
}

/// Writes changed counters in the order of their keys. Returns the keys that another process wrote in
/// between.
async fn write(
    connection: &mut PgConnection,
    loaded: &BTreeMap<Arc<str>, LoadedCounters>,
) -> Result<Vec<Arc<str>>, sqlx::Error> {
    let mut changed_keys: Vec<Arc<str>> =
        loaded.iter().filter(|(_, counters)| counters.is_changed).map(|(key, _)| key.clone()).collect();
    if changed_keys.is_empty() {
        return Ok(changed_keys);
    }
    let (mut versions, mut states, mut expiries) = (Vec::new(), Vec::new(), Vec::new());
    for counters in changed_keys.iter().filter_map(|key| loaded.get(key)) {
        versions.push(counters.version + 1);
        states.push(serde_json::to_string(&counters.entry).unwrap_or_default());
        expiries.push(counters.entry.dead_from);
    }
    let query = sqlx::query::<sqlx::Postgres>(WRITE)
        .bind(changed_keys.iter().map(ToString::to_string).collect::<Vec<String>>())
        .bind(versions)
        .bind(states)
        .bind(expiries);
    for row in query.fetch_all(connection).await? {
        let written_key: String = row.try_get(0)?;
        changed_keys.retain(|key| **key != *written_key);
    }
    Ok(changed_keys)
}

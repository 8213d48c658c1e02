//! Evicts stored texts so that their total size stays within the operator's budget. A process that stores a
//! text evicts other texts immediately if the budget is exceeded, and a sweep counts all texts every few
//! minutes. The least recently used texts are evicted first, in small steps so that other writers do not wait
//! long.

use async_recursion::async_recursion as boxed;
use std::borrow::Cow;

use entities::ids::SnapshotId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::stored_bytes::SHARE;
use kernel::clock::{MINUTE, SECOND};
use kernel::statement::{execute, placeholders, scalar, statement};
use kernel::{Domain, Millis, Result};

/// Minimum idle time, in milliseconds, of a text that the sweep evicts. If a text was used more recently, a caller is
/// probably still reading it.
const MIN_IDLE_MS: Millis = 10 * MINUTE;
/// Minimum idle time, in milliseconds, if texts are stored faster than they can be evicted with [`MIN_IDLE_MS`].
/// Callers that wait for a more recent text have not received their response yet.
const SHORT_MIN_IDLE_MS: Millis = 5 * SECOND;
/// Maximum number of sources or texts that one step evicts. A text may have a size of several megabytes.
const STEP_ROWS: i64 = 50;
/// Maximum number of steps per sweep. The next sweep continues.
const STEPS_PER_SWEEP: usize = 2_000;
/// Maximum number of steps while a caller waits for its text. The next stored text or sweep continues.
const STEPS_PER_TEXT: usize = 20;

/// Records that a text of `bytes` bytes was stored, and evicts other texts if the total may now exceed the
/// operator's budget. Only one task per process evicts at a time, in a bounded number of steps, because a
/// caller waits for its text.
pub(super) async fn note_stored(domain: &Domain, bytes: usize) {
    crate::cache::of(domain).stored_bytes().record_stored(i64::try_from(bytes).unwrap_or(i64::MAX));
    if let Err(error) = evict_excess(domain).await {
        tracing::warn!(%error, "failed to evict stored texts");
    }
}

async fn evict_excess(domain: &Domain) -> Result<()> {
    let (cache, budget) = (crate::cache::of(domain), budget(domain));
    let stored_bytes = cache.stored_bytes();
    if !stored_bytes.may_exceed(budget) {
        return Ok(());
    }
    let Some(_counting) = stored_bytes.try_lock() else { return Ok(()) };
    let excess = count(domain).await? - budget;
    if excess <= 0 {
        return Ok(());
    }
    // Evict slightly more than necessary, so that the next stored texts do not cause another count.
    let bytes_to_free = excess + budget / SHARE;
    let freed = evict(domain, bytes_to_free, MIN_IDLE_MS, STEPS_PER_TEXT).await?;
    evict(domain, bytes_to_free - freed.bytes, SHORT_MIN_IDLE_MS, STEPS_PER_TEXT).await?;
    Ok(())
}

/// Evicts texts until the remaining texts fit within the operator's budget: first old texts, then the texts of the
/// least recently used sources. Returns the number of evicted sources and texts.
#[boxed]
pub async fn enforce_budget(domain: &Domain) -> Result<u64> {
    let cache = crate::cache::of(domain);
    let _counting = cache.stored_bytes().lock().await;
    let excess = count(domain).await? - budget(domain);
    let freed = evict(domain, excess, MIN_IDLE_MS, STEPS_PER_SWEEP).await?;
    if freed.bytes < excess {
        tracing::warn!(bytes = excess - freed.bytes, "stored texts exceed CARREL_STORED_TEXTS_MB");
    }
    Ok(freed.rows)
}

fn budget(domain: &Domain) -> i64 {
    i64::try_from(domain.policy().max_stored_text_bytes).unwrap_or(i64::MAX)
}

/// Returns the total size of all texts in bytes.
async fn count(domain: &Domain) -> Result<i64> {
    let cache = crate::cache::of(domain);
    let stored_bytes = cache.stored_bytes();
    let before = stored_bytes.stored_since();
    let text = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM snapshot";
    let total = scalar(domain.db().read(), text, []).await?;
    stored_bytes.apply_count(total, before);
    Ok(total)
}

/// Condition that no extraction of source `o` is pending.
const NO_PENDING_EXTRACTION: &str = "NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'extraction' AND j.key = o.key \
    AND j.finished_at IS NULL)";

/// Kinds of eviction candidates, in the order in which they are evicted.
#[derive(Clone, Copy, Debug)]
enum Victims {
    /// Texts that are neither the current text of a source nor the result of a read job.
    OldTexts,
    /// Sources with all their texts, the least recently used source first.
    Sources,
    /// Texts that only results of read jobs reference.
    Results,
}

impl Victims {
    /// Returns the query for candidates and their sizes in bytes. `$1` is the time before which the
    /// candidates were last used, and `$2` their maximum number.
    fn query(self) -> Cow<'static, str> {
        const OLD: &str = "SELECT s.id, s.stored_bytes FROM snapshot s WHERE s.fetched_at < $1 AND NOT EXISTS \
            (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id)";
        match self {
            Self::OldTexts => format!(
                "{OLD} AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
                 ORDER BY s.fetched_at LIMIT $2"
            )
            .into(),
            Self::Sources => format!(
                "SELECT o.key, (SELECT CAST(COALESCE(SUM(s.stored_bytes), 0) AS bigint) \
                 FROM snapshot s WHERE s.source_key = o.key) FROM source o WHERE o.used_at < $1 \
                 AND o.snapshot_id IS NOT NULL AND COALESCE(o.checked_at, 0) < $1 AND {NO_PENDING_EXTRACTION} \
                 ORDER BY o.used_at LIMIT $2"
            )
            .into(),
            Self::Results => format!("{OLD} ORDER BY s.fetched_at LIMIT $2").into(),
        }
    }
}

/// Number of evicted rows, and their size in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Freed {
    rows: u64,
    bytes: i64,
}

/// Evicts texts that were not used for `min_idle` milliseconds until `bytes_to_free` bytes are freed or no
/// such text is left, in at most `max_steps` steps.
async fn evict(domain: &Domain, bytes_to_free: i64, min_idle: Millis, max_steps: usize) -> Result<Freed> {
    let (mut freed, mut steps) = (Freed::default(), 0);
    for victims in [Victims::OldTexts, Victims::Sources, Victims::Results] {
        while freed.bytes < bytes_to_free && steps < max_steps {
            let step = evict_step(domain, victims, bytes_to_free - freed.bytes, min_idle).await?;
            if step.rows == 0 {
                break;
            }
            freed.bytes += step.bytes;
            freed.rows += step.rows;
            steps += 1;
        }
    }
    crate::cache::of(domain).stored_bytes().record_freed(freed.bytes);
    Ok(freed)
}

/// Executes one eviction step, which frees up to `bytes_to_free` bytes and evicts at most [`STEP_ROWS`]
/// candidates.
async fn evict_step(
    domain: &Domain,
    victims: Victims,
    bytes_to_free: i64,
    min_idle: Millis,
) -> Result<Freed> {
    let before = domain.now() - min_idle;
    let connection = domain.db().read();
    let statement = statement(connection, &victims.query(), [before.into(), STEP_ROWS.into()]);
    let mut freed = Freed::default();
    let mut ids: Vec<Value> = Vec::new();
    for row in connection.query_all_raw(statement).await? {
        if freed.bytes >= bytes_to_free {
            break;
        }
        ids.push(match victims {
            Victims::Sources => row.try_get_by_index::<String>(0)?.into(),
            Victims::OldTexts | Victims::Results => row.try_get_by_index::<SnapshotId>(0)?.into(),
        });
        freed.rows += 1;
        freed.bytes += row.try_get_by_index::<i64>(1)?;
    }
    if ids.is_empty() {
        return Ok(freed);
    }
    let transaction = domain.db().begin().await?;
    match victims {
        Victims::Sources => remove_sources(&transaction, ids).await?,
        Victims::OldTexts | Victims::Results => remove_texts(&transaction, "id", ids).await?,
    }
    transaction.commit().await?;
    Ok(freed)
}

/// Deletes sources with their texts. Retains sources that were requested in the meantime: their extraction
/// needs the row of the source and the text that the source may confirm.
async fn remove_sources(transaction: &DatabaseTransaction, keys: Vec<Value>) -> Result<()> {
    let sql = format!(
        "DELETE FROM source AS o WHERE o.key IN ({}) AND {NO_PENDING_EXTRACTION} RETURNING key",
        placeholders(1, keys.len())
    );
    let rows = transaction.query_all_raw(statement(transaction, &sql, keys)).await?;
    let keys = rows.iter().map(|row| Ok(row.try_get_by_index::<String>(0)?.into()));
    remove_texts(transaction, "source_key", keys.collect::<Result<Vec<Value>>>()?).await
}

async fn remove_texts(transaction: &DatabaseTransaction, column: &str, values: Vec<Value>) -> Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let sql = format!("DELETE FROM snapshot WHERE {column} IN ({})", placeholders(1, values.len()));
    execute(transaction, &sql, values).await?;
    Ok(())
}

//! Evicts stored texts. The size is bounded twice: a process that stores a text evicts others at once if the
//! budget is exceeded, and a sweep every few minutes counts all texts. The least recently used go first, in
//! small steps so that other writers do not wait long.

use std::borrow::Cow;

use entities::ids::SnapshotId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::room_count::SHARE;
use kernel::clock::{MINUTE, Millis, SECOND};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::{execute, placeholders, scalar, statement};

/// Texts used more recently than this are never evicted by the sweep: a caller is most likely reading them.
const SPARED_MS: Millis = 10 * MINUTE;
/// Lower bound if texts arrive too fast for that: their callers have not been answered yet.
const BRIEFLY_SPARED_MS: Millis = 5 * SECOND;
/// Sources or texts evicted per step; a text may have several megabytes.
const ROOM_STEP: i64 = 50;
/// Steps per sweep; the next sweep continues.
const STEPS_OF_A_ROUND: usize = 2_000;
/// Steps while a caller waits for its text; the next text or sweep continues.
const STEPS_AT_ONCE: usize = 20;

/// Records a stored text of `bytes` bytes, and evicts others if all texts may now exceed the operator's
/// budget. One caller at a time evicts for all, for no longer than a reader can wait.
pub(super) async fn note_stored(domain: &Domain, bytes: usize) {
    crate::cache::of(domain).room().note_stored(i64::try_from(bytes).unwrap_or(i64::MAX));
    if let Err(error) = make_room(domain).await {
        tracing::warn!(%error, "failed to evict stored texts");
    }
}

async fn make_room(domain: &Domain) -> Result<()> {
    let (cache, budget) = (crate::cache::of(domain), budget(domain));
    let room = cache.room();
    if !room.may_exceed(budget) {
        return Ok(());
    }
    let Some(_counting) = room.try_lock() else { return Ok(()) };
    let excess = count(domain).await? - budget;
    if excess <= 0 {
        return Ok(());
    }
    // Evict a little more than necessary, so that not every following text causes a new count.
    let wanted = excess + budget / SHARE;
    let freed = free(domain, wanted, SPARED_MS, STEPS_AT_ONCE).await?;
    free(domain, wanted - freed.bytes, BRIEFLY_SPARED_MS, STEPS_AT_ONCE).await?;
    Ok(())
}

/// Evicts texts until all of them fit the operator's budget: old texts first, then those of the least
/// recently used sources. Returns the number of evicted sources and texts.
pub async fn keep_within_budget(domain: &Domain) -> Result<u64> {
    let cache = crate::cache::of(domain);
    let _counting = cache.room().lock().await;
    let excess = count(domain).await? - budget(domain);
    let freed = free(domain, excess, SPARED_MS, STEPS_OF_A_ROUND).await?;
    if freed.bytes < excess {
        tracing::warn!(bytes = excess - freed.bytes, "stored texts exceed CARREL_STORED_TEXTS_MB");
    }
    Ok(freed.rows)
}

fn budget(domain: &Domain) -> i64 {
    i64::try_from(domain.policy().max_stored_text_bytes).unwrap_or(i64::MAX)
}

/// Total size of all texts in bytes.
async fn count(domain: &Domain) -> Result<i64> {
    let cache = crate::cache::of(domain);
    let room = cache.room();
    let before = room.stored_since();
    let text = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM snapshot";
    let total = scalar(domain.db().read(), text, []).await?;
    room.take_in(total, before);
    Ok(total)
}

/// Condition that source `o` has no pending extraction.
const NOT_ASKED_FOR: &str = "NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'extraction' AND j.key = o.key \
    AND j.finished_at IS NULL)";

/// Candidates for eviction, in this order.
#[derive(Clone, Copy, Debug)]
enum Victims {
    /// Texts that are neither the current text of a source nor the result of a read job.
    OldTexts,
    /// Sources with their texts, the least recently used first.
    Sources,
    /// Texts to which only results of read jobs refer.
    Results,
}

impl Victims {
    /// Query for candidates and their size in bytes. `$1`: only those unused since this time; `$2`: maximum
    /// number.
    fn find(self) -> Cow<'static, str> {
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
                 AND o.snapshot_id IS NOT NULL AND COALESCE(o.checked_at, 0) < $1 AND {NOT_ASKED_FOR} \
                 ORDER BY o.used_at LIMIT $2"
            )
            .into(),
            Self::Results => format!("{OLD} ORDER BY s.fetched_at LIMIT $2").into(),
        }
    }
}

/// Evicted rows and bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Freed {
    rows: u64,
    bytes: i64,
}

/// Evicts `wanted` bytes of texts not used for `spared` milliseconds, or as many as there are, in at most
/// `most_steps` steps.
async fn free(domain: &Domain, wanted: i64, spared: Millis, most_steps: usize) -> Result<Freed> {
    let (mut freed, mut steps) = (Freed::default(), 0);
    for victims in [Victims::OldTexts, Victims::Sources, Victims::Results] {
        while freed.bytes < wanted && steps < most_steps {
            let step = free_some(domain, victims, wanted - freed.bytes, spared).await?;
            if step.rows == 0 {
                break;
            }
            freed.bytes += step.bytes;
            freed.rows += step.rows;
            steps += 1;
        }
    }
    crate::cache::of(domain).room().note_freed(freed.bytes);
    Ok(freed)
}

/// Performs one step: evicts as many candidates as needed, up to a fixed number.
async fn free_some(domain: &Domain, victims: Victims, wanted: i64, spared: Millis) -> Result<Freed> {
    let before = domain.now() - spared;
    let connection = domain.db().read();
    let statement = statement(connection, &victims.find(), [before.into(), ROOM_STEP.into()]);
    let mut freed = Freed::default();
    let mut ids: Vec<Value> = Vec::new();
    for row in connection.query_all_raw(statement).await? {
        if freed.bytes >= wanted {
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

/// Deletes sources with their texts, except those requested meanwhile: their extraction needs the source row,
/// and the text that it may confirm.
async fn remove_sources(transaction: &DatabaseTransaction, keys: Vec<Value>) -> Result<()> {
    let sql = format!(
        "DELETE FROM source AS o WHERE o.key IN ({}) AND {NOT_ASKED_FOR} RETURNING key",
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

//! The room that texts take. It is bounded twice: whoever stores a text makes room at once when that was too much, and
//! a round every few minutes counts all of them. The least recently used go first, in small steps, so that no other
//! writer waits long.

use std::borrow::Cow;

use entities::ids::SnapshotId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, Value};

use super::room_count::SHARE;
use kernel::clock::{MINUTE, Millis, SECOND};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::{execute, placeholders, scalar, statement};

/// However little room there is, this is spared: somebody is most likely reading it.
const SPARED_MS: Millis = 10 * MINUTE;
/// When texts come faster than that, this is spared: whoever asked for it has not been answered yet.
const BRIEFLY_SPARED_MS: Millis = 5 * SECOND;
/// Sources or texts removed in one step that makes room; a text may be some megabytes.
const ROOM_STEP: i64 = 50;
/// Steps of one round; the next one goes on.
const STEPS_OF_A_ROUND: usize = 2_000;
/// Steps while somebody waits for a text; the next text, or the next round, goes on.
const STEPS_AT_ONCE: usize = 20;

/// Notes that a text of so many bytes was stored, and removes others when all of them may now take more room than the
/// operator allows. One of those who store does it for all, and for no longer than a reader can wait.
pub(super) async fn note_stored(domain: &Domain, bytes: usize) {
    crate::cache::of(domain).room().note_stored(i64::try_from(bytes).unwrap_or(i64::MAX));
    if let Err(error) = make_room(domain).await {
        tracing::warn!(%error, "no room could be made for stored texts");
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
    // Some more than is needed, so that not every text that follows has all of them counted again.
    let wanted = excess + budget / SHARE;
    let freed = free(domain, wanted, SPARED_MS, STEPS_AT_ONCE).await?;
    free(domain, wanted - freed.bytes, BRIEFLY_SPARED_MS, STEPS_AT_ONCE).await?;
    Ok(())
}

/// Removes texts until all of them take no more room than the operator allows: old ones first, then those of
/// the least recently used sources. Returns how many sources and texts it took away.
///
/// # Errors
/// What the database said.
pub async fn keep_within_budget(domain: &Domain) -> Result<u64> {
    let cache = crate::cache::of(domain);
    let _counting = cache.room().lock().await;
    let excess = count(domain).await? - budget(domain);
    let freed = free(domain, excess, SPARED_MS, STEPS_OF_A_ROUND).await?;
    if freed.bytes < excess {
        tracing::warn!(
            bytes = excess - freed.bytes,
            "stored texts take more room than CARREL_STORED_TEXTS_MB allows"
        );
    }
    Ok(freed.rows)
}

fn budget(domain: &Domain) -> i64 {
    i64::try_from(domain.policy().max_stored_text_bytes).unwrap_or(i64::MAX)
}

/// The bytes that all texts take.
async fn count(domain: &Domain) -> Result<i64> {
    let cache = crate::cache::of(domain);
    let room = cache.room();
    let before = room.stored_since();
    let text = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM snapshot";
    let total = scalar(domain.db().read(), text, []).await?;
    room.take_in(total, before);
    Ok(total)
}

/// Of source `o`: nobody waits for it to be read.
const NOT_ASKED_FOR: &str = "NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'extraction' AND j.key = o.key \
    AND j.finished_at IS NULL)";

/// What gives way when texts take too much room, in this order.
#[derive(Clone, Copy, Debug)]
enum Victims {
    /// Texts that are no source's present one and no read job's result.
    OldTexts,
    /// Sources with their texts, the least recently used first.
    Sources,
    /// Texts that only results of read jobs hold.
    Results,
}

impl Victims {
    /// The statement that finds some, with the bytes that each takes: `$1` is the time after which they are
    /// spared, `$2` how many are wanted.
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

/// What was taken away.
#[derive(Clone, Copy, Debug, Default)]
struct Freed {
    rows: u64,
    bytes: i64,
}

/// Takes away `wanted` bytes of texts that were not used for `spared` milliseconds, or as many as there are, in at most so
/// many steps.
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

/// One step: as many victims as are needed, a few at most.
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

/// Removes sources with their texts, but for those that somebody asked for meanwhile: whoever reads such a source anew
/// must find it, and the text that it may confirm.
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

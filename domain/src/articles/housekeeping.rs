//! Dropping what nobody reads any more, and what takes more room than there is for texts. All in small
//! steps, so that no other writer waits long.

use std::borrow::Cow;

use entities::ids::SnapshotId;
use sea_orm::{ConnectionTrait, Value};

use crate::clock::{DAY, HOUR, MINUTE, Millis};
use crate::error::Result;
use crate::handle::Domain;
use crate::retention::OldRows;
use crate::statement::{execute, placeholders, scalar, statement};

/// A text that is no source's present one is kept this long for the cursors made from it.
const OLD_SNAPSHOT_MS: Millis = 2 * DAY;
/// A source that nobody asked for is dropped after this time, with its texts.
const UNUSED_SOURCE_MS: Millis = 30 * DAY;
/// The same for a source that nobody with an account asked for.
const ANONYMOUS_SOURCE_MS: Millis = 48 * HOUR;
/// However little room there is, this is spared: somebody is most likely reading it.
const SPARED_MS: Millis = 10 * MINUTE;
/// Rows removed in one statement.
const STEP: i64 = 500;
/// Sources or texts removed in one step that makes room; a text may be some megabytes.
const ROOM_STEP: i64 = 50;
/// Steps of one round; the next hour goes on.
const ROOM_STEPS: usize = 2_000;

/// Sources that nobody asked for since `$1`.
const UNUSED_SOURCES: OldRows =
    OldRows { table: "source", key: "key", condition: "used_at < $1 ORDER BY used_at" };
/// Sources that nobody asked for since `$1`, and nobody with an account ever.
const ANONYMOUS_SOURCES: OldRows = OldRows {
    table: "source",
    key: "key",
    condition: "used_at < $1 AND account_used_at IS NULL ORDER BY used_at",
};
/// Removes `$2` texts of before `$1` that neither a source nor a read job holds, from the one at `$3` with the id `$4`
/// on.
const REMOVE_OLD_TEXTS: &str = "DELETE FROM snapshot WHERE id IN (SELECT s.id FROM snapshot s WHERE s.fetched_at < $1 \
     AND (s.fetched_at, s.id) > ($3, $4) \
     AND NOT EXISTS (SELECT 1 FROM source o WHERE o.key = s.source_key AND o.snapshot_id = s.id) \
     AND NOT EXISTS (SELECT 1 FROM read_job j WHERE j.snapshot_id = s.id) \
     ORDER BY s.fetched_at, s.id LIMIT $2) RETURNING id, fetched_at";

/// How many rows were removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Sources nobody asks for.
    pub sources: u64,
    /// Texts that are no longer anybody's.
    pub snapshots: u64,
}

/// Removes sources that nobody asked for in 30 days (in 48 hours, when nobody with an account did), and texts
/// that neither a source nor a read job holds.
pub async fn remove_expired(domain: &Domain) -> Result<Removed> {
    let now = domain.now();
    let connection = domain.db().write();
    let unused = UNUSED_SOURCES.delete(connection, &[(now - UNUSED_SOURCE_MS).into()]).await?;
    let anonymous = ANONYMOUS_SOURCES.delete(connection, &[(now - ANONYMOUS_SOURCE_MS).into()]).await?;
    Ok(Removed { sources: unused + anonymous, snapshots: remove_old_texts(domain).await? })
}

/// Texts are walked from the oldest on, once a round: most of them are somebody's present one and stay, and each
/// step goes on where the one before it ended.
async fn remove_old_texts(domain: &Domain) -> Result<u64> {
    let connection = domain.db().write();
    let before = domain.now() - OLD_SNAPSHOT_MS;
    let mut walked = (Millis::MIN, SnapshotId::from_u128(0));
    let mut removed = 0;
    loop {
        let values = [before.into(), STEP.into(), walked.0.into(), walked.1.into()];
        let rows = connection.query_all_raw(statement(connection, REMOVE_OLD_TEXTS, values)).await?;
        for row in &rows {
            walked = walked.max((row.try_get_by_index(1)?, row.try_get_by_index(0)?));
        }
        removed += rows.len() as u64;
        if i64::try_from(rows.len()).is_ok_and(|rows| rows < STEP) {
            return Ok(removed);
        }
    }
}

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
            Self::Sources => "SELECT o.key, (SELECT CAST(COALESCE(SUM(s.stored_bytes), 0) AS bigint) \
                 FROM snapshot s WHERE s.source_key = o.key) FROM source o WHERE o.used_at < $1 \
                 AND o.snapshot_id IS NOT NULL AND COALESCE(o.checked_at, 0) < $1 AND NOT EXISTS (SELECT 1 FROM job j \
                 WHERE j.kind = 'extraction' AND j.key = o.key AND j.state IN ('ready', 'running')) \
                 ORDER BY o.used_at LIMIT $2"
                .into(),
            Self::Results => format!("{OLD} ORDER BY s.fetched_at LIMIT $2").into(),
        }
    }

    /// What deletes those whose ids or keys are `names`.
    fn delete(self, names: &str) -> Vec<String> {
        match self {
            Self::OldTexts | Self::Results => vec![format!("DELETE FROM snapshot WHERE id IN ({names})")],
            Self::Sources => vec![
                format!("DELETE FROM snapshot WHERE source_key IN ({names})"),
                format!("DELETE FROM source WHERE key IN ({names})"),
            ],
        }
    }
}

/// Removes texts until all of them take no more room than the operator allows: old ones first, then those of
/// the least recently used sources. Returns how many sources and texts it took away.
pub async fn keep_within_budget(domain: &Domain) -> Result<u64> {
    let budget = i64::try_from(domain.policy().max_stored_text_bytes).unwrap_or(i64::MAX);
    let text = "SELECT CAST(COALESCE(SUM(stored_bytes), 0) AS bigint) FROM snapshot";
    let mut excess = scalar(domain.db().read(), text, []).await? - budget;
    let (mut removed, mut steps) = (0, 0);
    for victims in [Victims::OldTexts, Victims::Sources, Victims::Results] {
        while excess > 0 && steps < ROOM_STEPS {
            let freed = make_room(domain, victims, excess).await?;
            if freed.rows == 0 {
                break;
            }
            excess -= freed.bytes;
            removed += freed.rows;
            steps += 1;
        }
    }
    if excess > 0 {
        tracing::warn!(bytes = excess, "stored texts take more room than CARREL_STORED_TEXTS_MB allows");
    }
    Ok(removed)
}

/// What one step took away.
struct Freed {
    rows: u64,
    bytes: i64,
}

/// One step: as many victims as are needed, a few at most.
async fn make_room(domain: &Domain, victims: Victims, excess: i64) -> Result<Freed> {
    let spared = domain.now() - SPARED_MS;
    let connection = domain.db().read();
    let statement = statement(connection, &victims.find(), [spared.into(), ROOM_STEP.into()]);
    let mut freed = Freed { rows: 0, bytes: 0 };
    let mut ids: Vec<Value> = Vec::new();
    for row in connection.query_all_raw(statement).await? {
        if freed.bytes >= excess {
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
    for text in victims.delete(&placeholders(1, ids.len())) {
        execute(&transaction, &text, ids.clone()).await?;
    }
    transaction.commit().await?;
    Ok(freed)
}

//! Evicts pictures. Every few minutes the least recently viewed ones are deleted, row and file, until all of
//! them fit into the operator's budget. A row has a size of its own, so that failures are bounded, too.

use async_recursion::async_recursion as boxed;
use std::collections::HashSet;
use std::time::Duration;

use entities::picture::{Column, Entity, Model};
use futures_util::TryStreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::FOLDER;
use kernel::clock::{DAY, MINUTE};
use kernel::statement::{execute, scalar};
use kernel::{Domain, Millis, Result};

/// Size of a row in addition to its picture, in bytes.
const ROW_BYTES: i64 = 1_024;
/// How long a picture without views is stored.
const UNSEEN: Millis = 30 * DAY;
/// A picture viewed within this time is not evicted, because the page may still be open.
const SPARED: Millis = 2 * MINUTE;
/// Rows per step.
const STEP: u64 = 200;
/// A file without a row may still be being written until it has this age.
const LOST_AFTER: Duration = Duration::from_hours(24);

/// Deletes pictures that were not viewed for a month, and the least recently viewed ones while all of them
/// exceed the operator's budget. Returns their number.
#[boxed]
pub async fn keep_within_budget(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let budget = i64::try_from(domain.policy().max_picture_bytes).unwrap_or(i64::MAX);
    let sql = format!("SELECT CAST(COALESCE(SUM(size_bytes + {ROW_BYTES}), 0) AS bigint) FROM picture");
    let mut excess = scalar(domain.db().read(), &sql, []).await? - budget;
    let mut deleted = 0;
    loop {
        let until = if excess > 0 { now - SPARED } else { now - UNSEEN };
        let rows = Entity::find()
            .filter(Column::AskedAt.lt(until))
            .order_by_asc(Column::AskedAt)
            .limit(STEP)
            .all(domain.db().read())
            .await?;
        let count = rows.len() as u64;
        for row in rows {
            if excess <= 0 && row.asked_at >= now - UNSEEN {
                return Ok(deleted);
            }
            if delete(domain, &row).await? {
                excess -= row.size_bytes + ROW_BYTES;
                deleted += 1;
            }
        }
        if count < STEP {
            return Ok(deleted);
        }
    }
}

/// Deletes a picture if its row is unchanged: the row first, so that no row refers to a missing file.
async fn delete(domain: &Domain, row: &Model) -> Result<bool> {
    let sql = "DELETE FROM picture WHERE hash = $1 AND asked_at = $2 AND holds_until = $3";
    let values = [row.hash.as_str().into(), row.asked_at.into(), row.holds_until.into()];
    if execute(domain.db().write(), sql, values).await? == 0 {
        return Ok(false);
    }
    if let Some(blob) = &row.blob {
        domain.blobs().delete(blob).await?;
    }
    Ok(true)
}

/// Deletes files that no row refers to and that are older than a day; a crash between the two deletions
/// leaves such files. Returns their number.
#[boxed]
pub async fn delete_lost(domain: &Domain) -> Result<u64> {
    let known = Entity::find().select_only().column(Column::Blob).filter(Column::Blob.is_not_null());
    let known: Vec<String> = known.into_tuple().all(domain.db().read()).await?;
    let known: HashSet<String> = known.into_iter().collect();
    let age = i64::try_from(LOST_AFTER.as_millis()).unwrap_or(i64::MAX);
    let mut deleted = 0;
    let mut files = domain.blobs().list(FOLDER);
    while let Some(file) = files.try_next().await? {
        // A file that was first used since the rows were read is younger than that.
        if !known.contains(&file.key) && file.since <= domain.now() - age {
            domain.blobs().delete(&file.key).await?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

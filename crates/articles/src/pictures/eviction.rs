//! Evicts pictures. A sweep every few minutes deletes the rows and files of the least recently viewed pictures until
//! the remaining pictures fit within the operator's budget. A row without a file also counts towards the budget, so
//! that the number of stored failures is bounded.

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

/// Size in bytes that a row counts as towards the budget, in addition to its picture.
const ROW_BYTES: i64 = 1_024;
/// Time after the last view at which a picture is deleted, in milliseconds.
const RETENTION: Millis = 30 * DAY;
/// Minimum time, in milliseconds, between the last view of a picture and its eviction. The page may still be open
/// before that.
const MIN_IDLE: Millis = 2 * MINUTE;
/// Maximum number of rows per eviction step.
const STEP: u64 = 200;
/// Minimum age at which a file without a row is deleted. The row of a younger file may not be written yet.
const LOST_AFTER: Duration = Duration::from_hours(24);

/// Deletes pictures that were not viewed for a month, and the least recently viewed pictures until the remaining
/// pictures fit within the operator's budget. Returns the number of deleted pictures.
#[boxed]
pub async fn keep_within_budget(domain: &Domain) -> Result<u64> {
    let now = domain.now();
    let budget = i64::try_from(domain.policy().max_picture_bytes).unwrap_or(i64::MAX);
    let sql = format!("SELECT CAST(COALESCE(SUM(size_bytes + {ROW_BYTES}), 0) AS bigint) FROM picture");
    let mut excess = scalar(domain.db().read(), &sql, []).await? - budget;
    let mut deleted = 0;
    loop {
        let viewed_before = if excess > 0 { now - MIN_IDLE } else { now - RETENTION };
        let rows = Entity::find()
            .filter(Column::AskedAt.lt(viewed_before))
            .order_by_asc(Column::AskedAt)
            .limit(STEP)
            .all(domain.db().read())
            .await?;
        let count = rows.len() as u64;
        for row in rows {
            if excess <= 0 && row.asked_at >= now - RETENTION {
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

/// Deletes a picture if its row is unchanged. Deletes the row before the file, so that no row references a
/// missing file. Returns whether the picture was deleted.
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

/// Deletes files that are older than a day and that no row references. A crash after the deletion of a row
/// and before the deletion of its file leaves such a file. Returns the number of deleted files.
#[boxed]
pub async fn delete_lost(domain: &Domain) -> Result<u64> {
    let blobs = Entity::find().select_only().column(Column::Blob).filter(Column::Blob.is_not_null());
    let blobs: Vec<String> = blobs.into_tuple().all(domain.db().read()).await?;
    let blobs: HashSet<String> = blobs.into_iter().collect();
    let age = i64::try_from(LOST_AFTER.as_millis()).unwrap_or(i64::MAX);
    let mut deleted = 0;
    let mut files = domain.blobs().list(FOLDER);
    while let Some(file) = files.try_next().await? {
        // The age condition excludes files whose row was written after `blobs` was read.
        if !blobs.contains(&file.key) && file.since <= domain.now() - age {
            domain.blobs().delete(&file.key).await?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

//! The room that pictures take. A round every few minutes has the least recently looked at go, row and file, until all
//! take no more than the operator allows; a row counts for itself, so that failures are bounded, too.

use std::collections::HashSet;
use std::time::Duration;

use entities::picture::{Column, Entity, Model};
use futures_util::TryStreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::FOLDER;
use kernel::clock::{DAY, MINUTE, Millis};
use kernel::error::Result;
use kernel::handle::Domain;
use kernel::statement::{execute, scalar};

/// What a row counts for beside its picture, in bytes.
const ROW_BYTES: i64 = 1_024;
/// How long something is kept that nobody looks at.
const UNSEEN: Millis = 30 * DAY;
/// What was looked at so lately stays: somebody has the page open.
const SPARED: Millis = 2 * MINUTE;
/// Rows that are taken up at once.
const STEP: u64 = 200;
/// A file without a row is one that is just being written, until it is this old.
const LOST_AFTER: Duration = Duration::from_hours(24);

/// Deletes pictures that nobody looked at for a month, and the least recently looked at while all of them take more room
/// than the operator allows; returns how many.
///
/// # Errors
/// What the database or the store said.
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

/// Deletes a picture as it was found: first the row, so that no row names a file that is gone.
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

/// Deletes pictures in the store that no row names and that are older than a day: a kill between the two leaves them.
/// Returns how many.
///
/// # Errors
/// What the database or the store said.
pub async fn delete_lost(domain: &Domain) -> Result<u64> {
    let known = Entity::find().select_only().column(Column::Blob).filter(Column::Blob.is_not_null());
    let known: Vec<String> = known.into_tuple().all(domain.db().read()).await?;
    let known: HashSet<String> = known.into_iter().collect();
    let age = i64::try_from(LOST_AFTER.as_millis()).unwrap_or(i64::MAX);
    let mut deleted = 0;
    let mut files = domain.blobs().list(FOLDER);
    while let Some(file) = files.try_next().await? {
        // One that came into use since the rows were read is younger than that.
        if !known.contains(&file.key) && file.since <= domain.now() - age {
            domain.blobs().delete(&file.key).await?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

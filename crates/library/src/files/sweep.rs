//! Sweep of files: deletes released files that are due, and files without a row.

use async_recursion::async_recursion as boxed;
use std::collections::HashSet;
use std::time::Duration;

use entities::library_blob;
use futures_util::TryStreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{blob, hold};
use crate::LibraryTransaction;
use kernel::blobs::ACCOUNTS;
use kernel::clock::DAY;
use kernel::{Code, Domain, Result};

/// Maximum number of blobs per query.
const BLOBS_PER_QUERY: u64 = 200;
/// Age from which a file without a row counts as lost. The row of a younger file may be about to be
/// committed.
const LOST_AFTER: Duration = Duration::from_hours(24);

/// Deletes replaced, removed, and abandoned files that are due. Returns the number of deleted files. Stops
/// while a backup runs.
#[boxed]
pub async fn delete_released(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    loop {
        if hold::is_hold_active(domain).await? {
            return Ok(deleted);
        }
        let due = library_blob::Entity::find()
            .filter(library_blob::Column::DeleteAt.lte(domain.now()))
            .order_by_asc(library_blob::Column::DeleteAt)
            .limit(BLOBS_PER_QUERY)
            .all(domain.db().read())
            .await?;
        let count = due.len() as u64;
        for row in due {
            deleted += u64::from(delete(domain, &row).await?);
        }
        if count < BLOBS_PER_QUERY {
            return Ok(deleted);
        }
    }
}

async fn delete(domain: &Domain, row: &library_blob::Model) -> Result<bool> {
    let mut transaction = match LibraryTransaction::begin(domain, row.account_id).await {
        Ok(transaction) => transaction,
        // The account was deleted in the meantime, and the row with it.
        Err(error) if error.code == Code::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    let current = library_blob::Entity::owned_by(row.account_id)
        .filter(library_blob::Column::Blob.eq(row.blob.as_str()))
        .filter(library_blob::Column::DeleteAt.lte(domain.now()))
        .one(transaction.db())
        .await?;
    if current.is_none() {
        return Ok(false);
    }
    blob::delete_row(&mut transaction, &row.blob).await?;
    transaction.commit().await?;
    domain.blobs().delete(&row.blob).await?;
    Ok(true)
}

/// Deletes files that are older than a day and have no row, and logs rows whose file is missing. Such files
/// and rows exist after the database was restored from an older backup. Returns the number of deleted files:
/// 0 while a backup runs.
#[boxed]
pub async fn delete_lost(domain: &Domain) -> Result<u64> {
    if hold::is_hold_active(domain).await? {
        return Ok(0);
    }
    let mut deleted = domain.blobs().delete_unfinished(LOST_AFTER).await?;
    let mut known: HashSet<String> = library_blob::Entity::find()
        .select_only()
        .column(library_blob::Column::Blob)
        .filter(library_blob::Column::DeleteAt.is_null())
        .into_tuple()
        .all(domain.db().read())
        .await?
        .into_iter()
        .collect();
    let mut files = domain.blobs().list(ACCOUNTS);
    while let Some(file) = files.try_next().await? {
        if known.remove(&file.key) || file.since > domain.now() - DAY {
            continue;
        }
        // The file may have been assigned since the rows were read, or may be scheduled for deletion.
        let row = library_blob::Entity::of_any_owner(file.key.as_str()).one(domain.db().write()).await?;
        if row.is_none() {
            domain.blobs().delete(&file.key).await?;
            deleted += 1;
        }
    }
    for key in known.iter().take(20) {
        tracing::warn!(%key, missing = known.len(), "file missing in store");
    }
    Ok(deleted)
}

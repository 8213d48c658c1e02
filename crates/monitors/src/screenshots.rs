//! Screenshots of visual monitors. Each is stored as long as the snapshot that was read from it. The screenshots of an
//! account have a tenth of the plan's storage, in addition to that storage; the oldest are deleted first.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId};
use entities::monitor;
use entities::monitor_picture::{Column, Entity, Model};
use fetch::Bytes;
use futures_util::TryStreamExt;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::cookie_jar::is_missing_monitor;
use jobs::{JobKind, NewJob};
use kernel::blobs::{Blobs, MONITORS};
use kernel::clock::HOUR;
use kernel::statement::scalar;
use kernel::tiers::TierLimits;
use kernel::{Domain, Millis, Result, deletion_hold};

/// Maximum size of a stored screenshot, in bytes.
const MAX_BYTES: usize = 4 << 20;
/// Divisor of the plan's storage. The quotient is the space for the screenshots of an account.
const STORAGE_DIVISOR: u64 = 10;
/// Number of rows per deletion step.
const STEP: u64 = 100;
/// Age after which a screenshot without a snapshot is deleted. The snapshot is written after its screenshot.
const UNUSED_AFTER: Millis = HOUR;
/// Age after which a file without a row is deleted. The row of a younger file may not be written yet.
const LOST_AFTER: Duration = Duration::from_hours(24);

/// Stores the screenshot of the snapshot `hash`, unless it is already stored or too large. Must not be called
/// within a transaction.
///
/// # Errors
/// Returns an error if the blob store or the database is unavailable.
pub(super) async fn store(
    domain: &Domain,
    row: &monitor::Model,
    plan: &TierLimits,
    (hash, screenshot): (&str, &Bytes),
) -> Result<()> {
    if screenshot.len() > MAX_BYTES {
        tracing::info!(monitor = %row.id, size_bytes = screenshot.len(), "screenshot too large to store");
        return Ok(());
    }
    let stored = Entity::owned_by(row.account_id).filter(Column::MonitorId.eq(row.id));
    if stored.filter(Column::Hash.eq(hash)).count(domain.db().write()).await? > 0 {
        return Ok(());
    }
    let blob = Blobs::screenshot_key_of(row.account_id, domain.random());
    let mut upload = domain.blobs().begin(&blob).await?;
    if let Err(error) = upload.push(screenshot).await {
        upload.abort().await;
        return Err(error);
    }
    let model = Model {
        account_id: row.account_id,
        monitor_id: row.id,
        hash: hash.to_owned(),
        blob,
        size_bytes: i64::try_from(upload.finish().await?.size).unwrap_or(i64::MAX),
        stored_at: domain.now(),
    };
    // If another run has stored the screenshot, or the monitor was deleted, the file has no row, and
    // `delete_lost_screenshots` deletes it.
    let nothing = OnConflict::columns([Column::MonitorId, Column::Hash]).do_nothing().to_owned();
    let insert = Entity::insert(model.into_active_model()).on_conflict(nothing);
    match insert.try_insert().exec_without_returning(domain.db().write()).await {
        Ok(_) => make_space(domain, row.account_id, plan).await,
        Err(error) if is_missing_monitor(&error) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Deletes the oldest screenshots of an account until the remaining screenshots fit into its space.
async fn make_space(domain: &Domain, account_id: AccountId, plan: &TierLimits) -> Result<()> {
    let connection = domain.db().write();
    let space = i64::try_from(plan.library_storage_bytes / STORAGE_DIVISOR).unwrap_or(i64::MAX);
    let sql =
        "SELECT CAST(COALESCE(SUM(size_bytes), 0) AS bigint) FROM monitor_picture WHERE account_id = $1";
    let mut excess = scalar(connection, sql, [account_id.into()]).await? - space;
    if excess > 0 && !may_delete(domain).await? {
        // The space is made when the next screenshot is stored.
        return Ok(());
    }
    while excess > 0 {
        let oldest = Entity::owned_by(account_id).order_by_asc(Column::StoredAt).limit(STEP);
        let oldest = oldest.all(connection).await?;
        if oldest.is_empty() {
            return Ok(());
        }
        for row in oldest {
            if excess <= 0 {
                return Ok(());
            }
            delete(domain, &row).await?;
            excess -= row.size_bytes;
        }
    }
    Ok(())
}

/// Returns false while a backup copies files.
async fn may_delete(domain: &Domain) -> Result<bool> {
    let connection = domain.db().write();
    let now = jobs::database_time(connection, domain).await?;
    Ok(!deletion_hold::is_active(connection, now).await?)
}

/// Deletes the row before the file, so that no row references a missing file.
async fn delete(domain: &Domain, row: &Model) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(row.account_id))
        .filter(Column::MonitorId.eq(row.monitor_id))
        .filter(Column::Hash.eq(row.hash.as_str()))
        .exec(domain.db().write())
        .await?;
    domain.blobs().delete(&row.blob).await
}

/// Reads the screenshot of the snapshot `hash`. `None` if it is not stored.
pub(super) async fn read(
    domain: &Domain,
    account_id: AccountId,
    monitor_id: MonitorId,
    hash: &str,
) -> Result<Option<Bytes>> {
    let row = Entity::owned_by(account_id)
        .filter(Column::MonitorId.eq(monitor_id))
        .filter(Column::Hash.eq(hash))
        .one(domain.db().read())
        .await?;
    let Some(row) = row else { return Ok(None) };
    // A file may be missing after a restore of the database alone.
    if domain.blobs().size(&row.blob).await?.is_none() {
        return Ok(None);
    }
    domain.blobs().read_all(&row.blob).await.map(Some)
}

/// Returns the screenshots of a monitor by the hashes of their snapshots.
pub(super) async fn of_monitor(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    monitor_id: MonitorId,
) -> Result<HashMap<String, Model>> {
    let rows = Entity::owned_by(account_id).filter(Column::MonitorId.eq(monitor_id)).all(connection).await?;
    Ok(rows.into_iter().map(|row| (row.hash.clone(), row)).collect())
}

/// If an account that is being deleted has screenshots, submits the job that deletes their files.
pub(super) async fn delete_with_account(
    transaction: &DatabaseTransaction,
    domain: &Domain,
    account_id: AccountId,
) -> Result<()> {
    if Entity::owned_by(account_id).count(transaction).await? > 0 {
        let job = NewJob::new(JobKind::AccountFiles, account_id.to_string());
        jobs::submit(transaction, domain, job).await?;
    }
    Ok(())
}

/// Deletes screenshots whose snapshot is no longer retained. Returns their number.
pub(super) async fn delete_unused(domain: &Domain) -> Result<u64> {
    if !may_delete(domain).await? {
        return Ok(0);
    }
    let has_snapshot = "SELECT 1 FROM monitor_snapshot s WHERE s.monitor_id = monitor_picture.monitor_id \
                        AND s.hash = monitor_picture.hash";
    let unused = Expr::cust(format!("NOT EXISTS ({has_snapshot})"));
    let mut deleted = 0;
    loop {
        let rows = Entity::find()
            .filter(Column::StoredAt.lt(domain.now() - UNUSED_AFTER))
            .filter(unused.clone())
            .limit(STEP)
            .all(domain.db().read())
            .await?;
        for row in &rows {
            delete(domain, row).await?;
            deleted += 1;
        }
        if (rows.len() as u64) < STEP {
            return Ok(deleted);
        }
    }
}

/// Deletes files that are older than a day and that no row references, such as files of deleted monitors. No
/// file is deleted while a backup runs. Returns the number of deleted files.
#[boxed]
pub async fn delete_lost_screenshots(domain: &Domain) -> Result<u64> {
    if !may_delete(domain).await? {
        return Ok(0);
    }
    let stored = Entity::find().select_only().column(Column::Blob);
    let stored: Vec<String> = stored.into_tuple().all(domain.db().read()).await?;
    let stored: HashSet<String> = stored.into_iter().collect();
    let age = i64::try_from(LOST_AFTER.as_millis()).unwrap_or(i64::MAX);
    let mut deleted = 0;
    let mut files = domain.blobs().list(MONITORS);
    while let Some(file) = files.try_next().await? {
        // The age condition excludes files whose row was written after `stored` was read.
        if !stored.contains(&file.key) && file.since <= domain.now() - age {
            domain.blobs().delete(&file.key).await?;
            deleted += 1;
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use entities::file_hold;
    use kernel::testing::{TestDatabase, person};
    use kernel::tiers::Tier;
    use sea_orm::ActiveValue::Set;

    use super::*;
    use crate::tests::create_monitor;

    async fn files(domain: &Domain) -> usize {
        domain.blobs().list(MONITORS).try_collect::<Vec<_>>().await.unwrap().len()
    }

    /// Row of a monitor, and a plan with space for two screenshots of 100 bytes.
    async fn monitor_with_little_space(domain: &Domain) -> (monitor::Model, TierLimits) {
        let account_id = person(domain, Tier::Pro).await;
        let id = create_monitor(domain, account_id, "https://site.example/map").await.id;
        let row = monitor::Entity::of_any_owner(id).one(domain.db().read()).await.unwrap().unwrap();
        let plan = TierLimits { library_storage_bytes: 2_000, ..*domain.policy().tiers.of(Tier::Pro) };
        (row, plan)
    }

    #[tokio::test]
    async fn oldest_screenshots_are_deleted_when_the_space_of_the_account_is_used_up() {
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (row, plan) = monitor_with_little_space(domain).await;
            let screenshot = Bytes::from(vec![7; 100]);
            for hash in ["a", "a", "b", "c"] {
                store(domain, &row, &plan, (hash, &screenshot)).await.unwrap();
                database.clock.advance(1_000);
            }
            let stored = of_monitor(domain.db().read(), row.account_id, row.id).await.unwrap();
            let mut hashes: Vec<&str> = stored.keys().map(String::as_str).collect();
            hashes.sort_unstable();
            assert_eq!((hashes, files(domain).await), (vec!["b", "c"], 2));
            let stranger = person(domain, Tier::Pro).await;
            assert!(of_monitor(domain.db().read(), stranger, row.id).await.unwrap().is_empty());
            let large = Bytes::from(vec![7; MAX_BYTES + 1]);
            store(domain, &row, &plan, ("d", &large)).await.unwrap();
            assert_eq!(files(domain).await, 2);
        }
    }

    #[tokio::test]
    async fn no_screenshot_is_deleted_while_a_backup_runs() {
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (row, plan) = monitor_with_little_space(domain).await;
            let hold =
                file_hold::ActiveModel { id: Set(domain.new_id()), expires_at: Set(domain.now() + 3 * HOUR) };
            file_hold::Entity::insert(hold).exec_without_returning(domain.db().write()).await.unwrap();
            for hash in ["a", "b", "c"] {
                store(domain, &row, &plan, (hash, &Bytes::from(vec![7; 100]))).await.unwrap();
                database.clock.advance(1_000);
            }
            database.clock.advance(UNUSED_AFTER);
            assert_eq!((delete_unused(domain).await.unwrap(), files(domain).await), (0, 3));
            database.clock.advance(2 * HOUR);
            assert_eq!((delete_unused(domain).await.unwrap(), files(domain).await), (3, 0));
        }
    }

    #[tokio::test]
    async fn files_of_a_deleted_account_are_deleted_by_a_job() {
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (row, plan) = monitor_with_little_space(domain).await;
            let transaction = domain.db().begin().await.unwrap();
            delete_with_account(&transaction, domain, row.account_id).await.unwrap();
            transaction.commit().await.unwrap();
            let key = [row.account_id.to_string()];
            let live = jobs::live_keys(domain.db().read(), JobKind::AccountFiles, &key).await.unwrap();
            assert!(live.is_empty(), "the account has no screenshot");
            store(domain, &row, &plan, ("a", &Bytes::from(vec![7; 100]))).await.unwrap();
            let transaction = domain.db().begin().await.unwrap();
            delete_with_account(&transaction, domain, row.account_id).await.unwrap();
            transaction.commit().await.unwrap();
            let live = jobs::live_keys(domain.db().read(), JobKind::AccountFiles, &key).await.unwrap();
            assert_eq!(live.len(), 1);
            assert_eq!(domain.blobs().delete_account(row.account_id).await.unwrap(), 1);
            assert_eq!(files(domain).await, 0);
        }
    }

    #[tokio::test]
    async fn screenshot_without_a_snapshot_is_deleted_after_an_hour() {
        for database in TestDatabase::each().await {
            let domain = &database.domain;
            let (row, plan) = monitor_with_little_space(domain).await;
            store(domain, &row, &plan, ("a", &Bytes::from(vec![7; 100]))).await.unwrap();
            assert_eq!(delete_unused(domain).await.unwrap(), 0, "its snapshot may be written next");
            database.clock.advance(UNUSED_AFTER + 1);
            assert_eq!(delete_unused(domain).await.unwrap(), 1);
            assert_eq!(files(domain).await, 0);
        }
    }
}

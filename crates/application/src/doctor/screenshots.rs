//! Compares the screenshots of monitors in the blob store with the rows that reference them.

use std::collections::HashMap;

use entities::monitor_picture::{Column, Entity, Model};
use futures_util::TryStreamExt;
use sea_orm::{ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

use super::files::hash;
use super::violations::Violations;
use kernel::blobs::MONITORS;
use kernel::{Domain, Result};

/// Number of rows per query.
const STEP: u64 = 500;

/// Finds rows whose file is missing or has another size.
pub(super) async fn violations(domain: &Domain) -> Result<Violations> {
    // Stores hashes of the keys instead of the keys, so that a million files take 16 MB.
    let mut stored: HashMap<u64, u64> = HashMap::new();
    let mut files = domain.blobs().list(MONITORS);
    while let Some(file) = files.try_next().await? {
        stored.insert(hash(&file.key), file.size);
    }
    let mut violations = Violations::default();
    let mut after: Option<Model> = None;
    loop {
        let rows = rows_after(domain, after.as_ref()).await?;
        for row in &rows {
            let Some(size) = stored.get(&hash(&row.blob)) else {
                if is_missing(domain, row).await? {
                    violations.add(format!("{} is missing", row.blob));
                }
                continue;
            };
            if *size != row.size_bytes.unsigned_abs() {
                violations.add(format!("{} has {size} bytes instead of {}", row.blob, row.size_bytes));
            }
        }
        let Some(last) = rows.into_iter().next_back() else { return Ok(violations) };
        after = Some(last);
    }
}

async fn rows_after(domain: &Domain, after: Option<&Model>) -> Result<Vec<Model>> {
    let mut query = Entity::find();
    if let Some(last) = after {
        let of_monitor = Condition::all()
            .add(Column::MonitorId.eq(last.monitor_id))
            .add(Column::Hash.gt(last.hash.as_str()));
        query = query.filter(Condition::any().add(Column::MonitorId.gt(last.monitor_id)).add(of_monitor));
    }
    let query = query.order_by_asc(Column::MonitorId).order_by_asc(Column::Hash).limit(STEP);
    Ok(query.all(domain.db().read()).await?)
}

/// Rechecks a row whose file was not listed. Returns false if the file was stored, or the row was deleted, after the
/// files were listed.
async fn is_missing(domain: &Domain, row: &Model) -> Result<bool> {
    let same = Entity::owned_by(row.account_id).filter(Column::Blob.eq(row.blob.as_str()));
    Ok(same.count(domain.db().read()).await? > 0 && domain.blobs().size(&row.blob).await?.is_none())
}

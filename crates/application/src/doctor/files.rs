//! Compares the files in the blob store with the rows that reference them.

use std::collections::HashMap;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use entities::{library_blob, library_item};
use futures_util::TryStreamExt;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::violations::Violations;
use kernel::blobs::{ACCOUNTS, BlobEntry};
use kernel::clock::{DAY, HOUR};
use kernel::{Domain, Result};

/// Number of files or rows per query.
const STEP: usize = 500;
/// Age, in milliseconds, from which a file must have a row. The row of a younger file may not be written yet,
/// or may just have been deleted.
const SETTLED_AFTER: i64 = DAY + HOUR;

/// Finds stored files that no row references or whose size differs from their row, and rows whose file is
/// missing.
pub(super) async fn violations(domain: &Domain) -> Result<Violations> {
    let mut violations = Violations::default();
    // Stores hashes of the keys instead of the keys, so that a million files take 16 MB.
    let mut stored = HashSet::new();
    let mut files = domain.blobs().list(ACCOUNTS).try_chunks(STEP);
    while let Some(chunk) = files.try_next().await.map_err(|error| error.1)? {
        stored.extend(chunk.iter().map(|file| hash(&file.key)));
        compare(domain, &chunk, &mut violations).await?;
    }
    let mut after = String::new();
    loop {
        let used: Vec<String> = library_blob::Entity::find()
            .select_only()
            .column(library_blob::Column::Blob)
            .filter(library_blob::Column::Blob.gt(after.as_str()))
            .filter(library_blob::Column::DeleteAt.is_null())
            .order_by_asc(library_blob::Column::Blob)
            .limit(STEP as u64)
            .into_tuple()
            .all(domain.db().read())
            .await?;
        let Some(last) = used.last() else { return Ok(violations) };
        after.clone_from(last);
        for key in used.into_iter().filter(|key| !stored.contains(&hash(key))) {
            // The file was stored, or the row was deleted, after the files were listed.
            if is_in_use(domain, &key).await? && domain.blobs().size(&key).await?.is_none() {
                violations.add(format!("{key} is missing"));
            }
        }
    }
}

async fn compare(domain: &Domain, files: &[BlobEntry], violations: &mut Violations) -> Result<()> {
    let keys = || files.iter().map(|file| file.key.as_str());
    let known: HashSet<String> = library_blob::Entity::find()
        .select_only()
        .column(library_blob::Column::Blob)
        .filter(library_blob::Column::Blob.is_in(keys()))
        .into_tuple()
        .all(domain.db().read())
        .await?
        .into_iter()
        .collect();
    let ids = library_blob::Entity::find()
        .select_only()
        .column(library_blob::Column::ItemId)
        .filter(library_blob::Column::Blob.is_in(keys()))
        .filter(library_blob::Column::ItemId.is_not_null())
        .into_tuple::<entities::ids::ItemId>()
        .all(domain.db().read())
        .await?;
    let sizes: HashMap<String, i64> = library_item::Entity::find()
        .select_only()
        .column(library_item::Column::AssetBlob)
        .column(library_item::Column::AssetSize)
        .filter(library_item::Column::Id.is_in(ids))
        .filter(library_item::Column::AssetBlob.is_not_null())
        .into_tuple::<(String, Option<i64>)>()
        .all(domain.db().read())
        .await?
        .into_iter()
        .filter_map(|(key, size)| Some((key, size?)))
        .collect();
    for file in files {
        let is_settled = file.since < domain.now() - SETTLED_AFTER;
        match sizes.get(&file.key) {
            Some(size) if size.unsigned_abs() != file.size => {
                violations.add(format!("{} has {} bytes instead of {size}", file.key, file.size));
            }
            None if is_settled && !known.contains(&file.key) => {
                violations.add(format!("{} has no row", file.key));
            }
            Some(_) | None => {}
        }
    }
    Ok(())
}

async fn is_in_use(domain: &Domain, key: &str) -> Result<bool> {
    let row = library_blob::Entity::of_any_owner(key).one(domain.db().read()).await?;
    Ok(row.is_some_and(|row| row.delete_at.is_none()))
}

pub(super) fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

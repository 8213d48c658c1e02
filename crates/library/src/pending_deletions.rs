//! Deletions that can be undone: the items are deleted after a short time. Until then, lists on pages hide
//! them, and synchronizing clients still see them.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_pending_deletion::{Column, Entity, Model};
use entities::library_words::ItemStatus;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};

use super::annotations::Annotations;
use super::remove;
use kernel::clock::MINUTE;
use kernel::statement::{execute, placeholders};
use kernel::{Domain, Millis, Result};

/// Time in which a deletion can be undone.
const UNDO_TIME: Millis = MINUTE;
/// Number of due deletions per statement.
const STEP: u64 = 200;
/// Maximum number of pending deletions that are read for a list. Further ones stay visible until they are
/// due.
const MAX_READ: u64 = 1_000;

/// Schedules the deletion of those of the items that exist. Returns their number.
#[boxed]
pub async fn schedule_deletion(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    annotations: Annotations,
) -> Result<u64> {
    if ids.is_empty() {
        return Ok(0);
    }
    // The casts determine the types of the values on PostgreSQL.
    let sql = format!(
        "INSERT INTO library_pending_deletion (item_id, account_id, with_annotations, delete_at) \
         SELECT i.id, i.account_id, CAST($2 AS boolean), CAST($3 AS bigint) FROM library_item i \
         WHERE i.account_id = $1 AND i.id IN ({}) ON CONFLICT (item_id) DO UPDATE SET \
         with_annotations = excluded.with_annotations, delete_at = excluded.delete_at",
        placeholders(4, ids.len())
    );
    let with_annotations = annotations == Annotations::Delete;
    let mut values: Vec<Value> =
        vec![account_id.into(), with_annotations.into(), (domain.now() + UNDO_TIME).into()];
    values.extend(ids.iter().map(|id| Value::from(*id)));
    execute(domain.db().write(), &sql, values).await
}

/// Undoes the deletion of those of the items that are not deleted yet. Returns their number.
#[boxed]
pub async fn cancel_deletion(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<u64> {
    let canceled = Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ItemId.is_in(ids.to_vec()))
        .exec(domain.db().write())
        .await?;
    Ok(canceled.rows_affected)
}

/// Returns the items whose deletion is pending, with their statuses.
#[boxed]
pub async fn pending_deletions(
    domain: &Domain,
    account_id: AccountId,
) -> Result<HashMap<ItemId, ItemStatus>> {
    let connection = domain.db().read();
    let pending: Vec<ItemId> = Entity::owned_by(account_id)
        .limit(MAX_READ)
        .select_only()
        .column(Column::ItemId)
        .into_tuple()
        .all(connection)
        .await?;
    if pending.is_empty() {
        return Ok(HashMap::new());
    }
    let statuses: Vec<(ItemId, ItemStatus)> = library_item::Entity::owned_by(account_id)
        .filter(library_item::Column::Id.is_in(pending))
        .select_only()
        .columns([library_item::Column::Id, library_item::Column::Status])
        .into_tuple()
        .all(connection)
        .await?;
    Ok(statuses.into_iter().collect())
}

/// Deletes the items whose time to undo is over. Returns the number of deleted items.
#[boxed]
pub async fn delete_due(domain: &Domain) -> Result<u64> {
    let mut deleted = 0;
    loop {
        let due = Entity::find()
            .filter(Column::DeleteAt.lte(domain.now()))
            .order_by_asc(Column::DeleteAt)
            .limit(STEP)
            .all(domain.db().read())
            .await?;
        let is_last = (due.len() as u64) < STEP;
        let mut groups: HashMap<(AccountId, bool), Vec<ItemId>> = HashMap::new();
        for Model { item_id, account_id, with_annotations, .. } in due {
            groups.entry((account_id, with_annotations)).or_default().push(item_id);
        }
        for ((account_id, with_annotations), ids) in groups {
            let annotations = if with_annotations { Annotations::Delete } else { Annotations::Keep };
            deleted += remove::delete_all(domain, account_id, &ids, annotations).await?;
            // The database deletes these rows with the rows of the items. None must remain, because the loop
            // would read it again.
            cancel_deletion(domain, account_id, &ids).await?;
        }
        if is_last {
            return Ok(deleted);
        }
    }
}

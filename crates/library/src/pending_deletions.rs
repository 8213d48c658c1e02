//! Deletions that can be undone: the items are deleted after a short time. Until then, lists on pages hide them, and
//! synchronizing clients still see them. An item that is saved or imported again during this time is not deleted.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item;
use entities::library_pending_deletion::{Column, Entity, Model};
use entities::library_words::ItemStatus;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Value};

use super::annotations::Annotations;
use super::remove;
use super::transaction::LibraryTransaction;
use kernel::clock::MINUTE;
use kernel::statement::{execute, placeholders, statement};
use kernel::{Domain, Millis, Result};

/// Time in which a deletion can be undone.
const UNDO_TIME: Millis = MINUTE;
/// Number of due deletions per statement.
const STEP: u64 = 200;
/// Maximum number of pending deletions that are read for a list. Further items stay visible until they are
/// deleted.
const MAX_READ: u64 = 1_000;

/// Items whose deletion is pending, with their statuses.
pub type PendingDeletions = HashMap<ItemId, ItemStatus>;

/// Schedules the deletion of the existing items among `ids`. Returns their number.
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

/// Cancels the deletion of the items that are not deleted yet. Returns their number.
#[boxed]
pub async fn cancel_deletion(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<u64> {
    let canceled = Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::ItemId.is_in(ids.to_vec()))
        .exec(domain.db().write())
        .await?;
    Ok(canceled.rows_affected)
}

/// Cancels the deletion of an item that is saved again.
pub(crate) async fn retain_item(transaction: &LibraryTransaction, id: ItemId) -> Result<()> {
    retain_items(transaction, &[id]).await
}

/// Cancels the deletions of items that are saved again.
pub(crate) async fn retain_items(transaction: &LibraryTransaction, ids: &[ItemId]) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(transaction.account_id))
        .filter(Column::ItemId.is_in(ids.to_vec()))
        .exec(transaction.db())
        .await?;
    Ok(())
}

/// Returns the items whose deletion is pending, with their statuses.
#[boxed]
pub async fn pending_deletions(domain: &Domain, account_id: AccountId) -> Result<PendingDeletions> {
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

/// Deletes the items whose undo period has expired. Returns the number of deleted items.
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
            deleted += delete_claimed(domain, account_id, &ids, annotations).await?;
        }
        if is_last {
            return Ok(deleted);
        }
    }
}

/// Deletes the items whose deletion is still due, in one transaction. An item whose deletion was canceled in
/// the meantime is retained.
async fn delete_claimed(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
    annotations: Annotations,
) -> Result<u64> {
    let mut transaction = LibraryTransaction::begin(domain, account_id).await?;
    let sql = format!(
        "DELETE FROM library_pending_deletion WHERE account_id = $1 AND delete_at <= $2 AND item_id IN ({}) \
         RETURNING item_id",
        placeholders(3, ids.len())
    );
    let mut values: Vec<Value> = vec![account_id.into(), transaction.now.into()];
    values.extend(ids.iter().map(|id| Value::from(*id)));
    let rows = transaction.db().query_all_raw(statement(transaction.db(), &sql, values)).await?;
    let claimed: Vec<ItemId> = rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect::<Result<_>>()?;
    let deleted = remove::delete_existing(&mut transaction, &claimed, annotations).await?;
    transaction.commit().await?;
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use entities::library_words::ObjectKind;
    use sea_orm::{ActiveModelTrait, IntoActiveModel};

    use super::*;
    use crate::item;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        deletion_canceled_before_its_transaction_does_not_run,
    }

    /// Inserts an item.
    async fn insert(domain: &Domain, account_id: AccountId) -> ItemId {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        let id: ItemId = domain.new_id();
        let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
        let blank = item::blank(id, account_id, domain.now());
        let row = library_item::Model { sequence: stamp.sequence, updated_at: stamp.updated_at, ..blank };
        let row = row.into_active_model().reset_all();
        library_item::Entity::insert(row).exec_without_returning(transaction.db()).await.unwrap();
        transaction.commit().await.unwrap();
        id
    }

    async fn deletion_canceled_before_its_transaction_does_not_run(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (first, second) = (insert(domain, who).await, insert(domain, who).await);
        let both = [first, second];
        assert_eq!(schedule_deletion(domain, other, &both, Annotations::Keep).await.unwrap(), 0);
        assert_eq!(schedule_deletion(domain, who, &both, Annotations::Keep).await.unwrap(), 2);
        assert_eq!(delete_claimed(domain, who, &both, Annotations::Keep).await.unwrap(), 0, "not due yet");
        assert_eq!(cancel_deletion(domain, other, &both).await.unwrap(), 0);
        database.clock.advance(UNDO_TIME);
        assert_eq!(cancel_deletion(domain, who, &[first]).await.unwrap(), 1);
        assert_eq!(delete_claimed(domain, who, &both, Annotations::Keep).await.unwrap(), 1);
        assert!(item::find(domain.db().read(), who, first).await.is_ok());
        assert!(item::find(domain.db().read(), who, second).await.is_err());
        assert_eq!(cancel_deletion(domain, who, &both).await.unwrap(), 0);
        assert_eq!(delete_due(domain).await.unwrap(), 0);
    }
}

//! Items that are worth returning to: started texts, items that have been waiting in the inbox for a long time, and
//! items that were saved on this day of previous years.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::library_item;
use entities::library_words::ItemStatus;
use sea_orm::{ConnectionTrait, DatabaseTransaction, FromQueryResult, TransactionTrait, Value};

use super::item::{self, Item};
use kernel::clock::{DAY, same_day_of_previous_years};
use kernel::statement::statement;
use kernel::{Domain, Millis, Result};

/// Maximum number of items per kind.
const LISTED: usize = 4;
/// Maximum number of items that are read to find items of a kind.
const SCANNED: u32 = 40;
/// Progress in percent from which a text counts as finished.
const NEARLY_READ: i16 = 96;
/// Age from which an unread item in the inbox is listed as waiting.
const LONG_AGO: Millis = 90 * DAY;
/// Number of previous years.
const YEARS: i32 = 5;
/// Maximum number of items per previous year.
const PER_YEAR: u32 = 2;

/// Items that are worth returning to.
#[derive(Clone, Debug, Default)]
pub struct Rediscovery {
    /// Items that were started and not finished, most recently read first.
    pub started: Vec<Item>,
    /// Unread items in the inbox that were saved long ago, most recently saved first.
    pub waiting: Vec<Item>,
    /// Items that were saved on this day of previous years, most recently saved first.
    pub this_day: Vec<Item>,
}

/// Returns the items that are worth returning to. Each statement reads a limited number of rows from an index.
#[boxed]
pub async fn rediscover(domain: &Domain, account_id: AccountId) -> Result<Rediscovery> {
    let transaction = domain.db().read().begin().await?;
    let selected = read(&transaction, account_id, domain.now()).await;
    transaction.rollback().await?;
    selected
}

async fn read(db: &DatabaseTransaction, account_id: AccountId, now: Millis) -> Result<Rediscovery> {
    let mut started = started(db, account_id).await?;
    let mut waiting = waiting(db, account_id, now).await?;
    let mut this_day = this_day(db, account_id, now).await?;
    for rows in [&mut started, &mut waiting, &mut this_day] {
        rows.truncate(LISTED);
    }
    let (first, second) = (started.len(), started.len() + waiting.len());
    let rows = started.into_iter().chain(waiting).chain(this_day).collect();
    let mut items = item::with_tags(db, account_id, rows).await?;
    let this_day = items.split_off(second);
    let waiting = items.split_off(first);
    Ok(Rediscovery { started: items, waiting, this_day })
}

async fn started(db: &DatabaseTransaction, account_id: AccountId) -> Result<Vec<library_item::Model>> {
    let sql = format!(
        "SELECT i.* FROM library_item i WHERE i.account_id = $1 AND i.last_read_at IS NOT NULL \
         ORDER BY i.last_read_at DESC, i.id DESC LIMIT {SCANNED}"
    );
    let mut rows = rows_of(db, &sql, vec![account_id.into()]).await?;
    rows.retain(|row| {
        row.finished_at.is_none()
            && row.read_progress.is_some_and(|percent| percent > 0 && percent < NEARLY_READ)
    });
    Ok(rows)
}

async fn waiting(
    db: &DatabaseTransaction,
    account_id: AccountId,
    now: Millis,
) -> Result<Vec<library_item::Model>> {
    let sql = format!(
        "SELECT i.* FROM library_item i WHERE i.account_id = $1 AND i.status = '{}' AND i.saved_at < $2 \
         ORDER BY i.saved_at DESC, i.id DESC LIMIT {SCANNED}",
        ItemStatus::Inbox.as_str()
    );
    let mut rows = rows_of(db, &sql, vec![account_id.into(), (now - LONG_AGO).into()]).await?;
    rows.retain(|row| row.last_read_at.is_none() && row.finished_at.is_none());
    Ok(rows)
}

async fn this_day(
    db: &DatabaseTransaction,
    account_id: AccountId,
    now: Millis,
) -> Result<Vec<library_item::Model>> {
    let starts = same_day_of_previous_years(now, YEARS);
    if starts.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: Vec<Value> = vec![account_id.into()];
    let mut years = Vec::with_capacity(starts.len());
    for start in starts {
        let at = values.len();
        values.extend([start.into(), (start + DAY).into()]);
        years.push(format!(
            "SELECT * FROM (SELECT i.* FROM library_item i WHERE i.account_id = $1 AND i.saved_at >= ${} \
             AND i.saved_at < ${} ORDER BY i.saved_at DESC, i.id DESC LIMIT {PER_YEAR}) y{at}",
            at + 1,
            at + 2
        ));
    }
    rows_of(db, &years.join(" UNION ALL "), values).await
}

async fn rows_of(
    db: &DatabaseTransaction,
    sql: &str,
    values: Vec<Value>,
) -> Result<Vec<library_item::Model>> {
    let rows = db.query_all_raw(statement(db, sql, values)).await?;
    rows.iter().map(|row| Ok(library_item::Model::from_query_result(row, "")?)).collect()
}

#[cfg(test)]
mod tests {
    use entities::ids::ItemId;
    use entities::library_words::ObjectKind;
    use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

    use super::*;
    use crate::LibraryTransaction;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;

    on_both! {
        rediscovered_items_are_listed_by_kind,
    }

    /// Inserts an item to which `change` was applied.
    async fn insert(
        domain: &Domain,
        account_id: AccountId,
        saved_at: Millis,
        change: impl FnOnce(&mut library_item::Model),
    ) -> ItemId {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        let id: ItemId = domain.new_id();
        let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
        let blank = item::blank(id, account_id, saved_at);
        let mut row = library_item::Model { sequence: stamp.sequence, updated_at: stamp.updated_at, ..blank };
        change(&mut row);
        let row = row.into_active_model().reset_all();
        library_item::Entity::insert(row).exec_without_returning(transaction.db()).await.unwrap();
        transaction.commit().await.unwrap();
        id
    }

    fn ids(items: &[Item]) -> Vec<ItemId> {
        items.iter().map(|item| item.id).collect()
    }

    async fn rediscovered_items_are_listed_by_kind(backend: Backend) {
        let database = TestDatabase::create(backend).await;
        let domain = &database.domain;
        let (who, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let now = domain.now();
        let read = |at: Millis, percent: i16| {
            move |row: &mut library_item::Model| {
                (row.last_read_at, row.read_progress) = (Some(at), Some(percent));
            }
        };
        let older = insert(domain, who, now - DAY, read(now - 2_000, 40)).await;
        let newer = insert(domain, who, now - DAY, read(now - 1_000, 1)).await;
        insert(domain, who, now - DAY, read(now - 500, 99)).await;
        insert(domain, who, now - DAY, |row| row.finished_at = Some(now)).await;
        let waiting = insert(domain, who, now - LONG_AGO - 1, |_| ()).await;
        insert(domain, who, now - LONG_AGO - 2, |row| row.status = ItemStatus::Archive).await;
        let last_year = same_day_of_previous_years(now, 2);
        let anniversary = insert(domain, who, last_year[0] + 1, |row| row.status = ItemStatus::Archive).await;
        insert(domain, who, last_year[0] - 1, |row| row.status = ItemStatus::Archive).await;
        insert(domain, other, last_year[1], read(now, 40)).await;

        let items = rediscover(domain, who).await.unwrap();
        assert_eq!(ids(&items.started), [newer, older]);
        assert_eq!(ids(&items.waiting), [waiting]);
        assert_eq!(ids(&items.this_day), [anniversary]);
        let strange = rediscover(domain, other).await.unwrap();
        assert_eq!((strange.started.len(), strange.waiting.len(), strange.this_day.len()), (1, 0, 1));
    }
}

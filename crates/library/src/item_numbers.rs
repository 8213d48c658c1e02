//! Numbers of items, for apps that identify items by a number. An item receives its number when an app first
//! lists it. A number is never reassigned.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, ItemId};
use entities::library_item_number::{Column, Entity};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, QuerySelect, Value};

use kernel::error::not_found;
use kernel::statement::{execute, placeholders};
use kernel::{Domain, Result};

/// Maximum number of items per statement.
const STEP: usize = 500;

/// Returns the numbers of the account's items among `ids`. An item without a number receives a new number.
#[boxed]
pub async fn numbers_of(
    domain: &Domain,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<HashMap<ItemId, i64>> {
    let mut numbers = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(STEP) {
        numbers.extend(stored(domain.db().read(), account_id, chunk).await?);
        let missing: Vec<ItemId> = chunk.iter().filter(|id| !numbers.contains_key(*id)).copied().collect();
        if !missing.is_empty() {
            assign(domain, account_id, &missing).await?;
            numbers.extend(stored(domain.db().write(), account_id, &missing).await?);
        }
    }
    Ok(numbers)
}

/// Returns the account's item with this number.
///
/// # Errors
/// `not_found` if the account has no item with this number.
#[boxed]
pub async fn item_of_number(domain: &Domain, account_id: AccountId, number: i64) -> Result<ItemId> {
    let row = Entity::owned_by(account_id).filter(Column::Number.eq(number)).one(domain.db().read()).await?;
    row.map(|row| row.item_id).ok_or_else(|| not_found("item"))
}

async fn stored(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    ids: &[ItemId],
) -> Result<Vec<(ItemId, i64)>> {
    Ok(Entity::owned_by(account_id)
        .filter(Column::ItemId.is_in(ids.to_vec()))
        .select_only()
        .columns([Column::ItemId, Column::Number])
        .into_tuple()
        .all(connection)
        .await?)
}

/// Assigns numbers to items, in the order in which the items were saved. An item receives only one number, even if
/// callers run concurrently.
async fn assign(domain: &Domain, account_id: AccountId, ids: &[ItemId]) -> Result<()> {
    let sql = format!(
        "INSERT INTO library_item_number (account_id, item_id) SELECT i.account_id, i.id FROM library_item i \
         WHERE i.account_id = $1 AND i.id IN ({}) ORDER BY i.saved_at, i.id ON CONFLICT DO NOTHING",
        placeholders(2, ids.len())
    );
    let values = std::iter::once(Value::from(account_id)).chain(ids.iter().map(|id| Value::from(*id)));
    execute(domain.db().write(), &sql, values).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LibraryTransaction;
    use crate::item;
    use entities::library_item;
    use entities::library_words::ObjectKind;
    use kernel::Code;
    use kernel::db::Backend;
    use kernel::testing::{TestDatabase, on_both, person};
    use kernel::tiers::Tier;
    use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

    on_both! {
        number_of_an_item_is_stable_and_never_assigned_again,
    }

    async fn insert(domain: &Domain, account_id: AccountId) -> ItemId {
        let mut transaction = LibraryTransaction::begin(domain, account_id).await.unwrap();
        let id: ItemId = domain.new_id();
        let stamp = transaction.stamp(ObjectKind::Item, item::object(id));
        let blank = item::blank(id, account_id, transaction.now);
        let row = library_item::Model { sequence: stamp.sequence, updated_at: stamp.updated_at, ..blank };
        let row = row.into_active_model().reset_all();
        library_item::Entity::insert(row).exec_without_returning(transaction.db()).await.unwrap();
        transaction.commit().await.unwrap();
        id
    }

    async fn number_of_an_item_is_stable_and_never_assigned_again(backend: Backend) {
        let test = TestDatabase::create(backend).await;
        let domain = &test.domain;
        let (owner, other) = (person(domain, Tier::Free).await, person(domain, Tier::Free).await);
        let (first, second) = (insert(domain, owner).await, insert(domain, owner).await);
        let foreign = insert(domain, other).await;
        let numbers = numbers_of(domain, owner, &[first, second, foreign]).await.unwrap();
        assert_eq!(numbers.len(), 2, "the item of another account has no number for this account");
        assert_eq!(numbers_of(domain, owner, &[second, first]).await.unwrap(), numbers);
        assert_eq!(item_of_number(domain, owner, numbers[&second]).await.unwrap(), second);
        let refused = item_of_number(domain, other, numbers[&second]).await.unwrap_err();
        assert_eq!(refused.code, Code::NotFound);
        crate::delete(domain, owner, second, crate::ItemDeletion::default()).await.unwrap();
        let third = insert(domain, owner).await;
        let new_numbers = numbers_of(domain, owner, &[second, third]).await.unwrap();
        assert!(new_numbers.len() == 1 && new_numbers[&third] > numbers[&second]);
        assert!(item_of_number(domain, owner, numbers[&second]).await.is_err());
    }
}

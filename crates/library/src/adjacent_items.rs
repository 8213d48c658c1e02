//! Items before and after an item in the list of items with its status, most recently saved first.

use async_recursion::async_recursion as boxed;
use entities::ids::AccountId;
use entities::library_item;
use sea_orm::{ConnectionTrait, FromQueryResult, Value};

use super::item::Item;
use kernel::statement::statement;
use kernel::{Domain, Result};

/// Adjacent items, without their tags.
#[derive(Clone, Debug, Default)]
pub struct AdjacentItems {
    /// Next item that was saved after the given item.
    pub newer: Option<Item>,
    /// Last item that was saved before the given item.
    pub older: Option<Item>,
}

/// Returns the items next to `item` in the list of items with its status, without items whose deletion is pending.
#[boxed]
pub async fn adjacent(domain: &Domain, account_id: AccountId, item: &Item) -> Result<AdjacentItems> {
    let connection = domain.db().read();
    Ok(AdjacentItems {
        newer: next_to(connection, account_id, item, (">", "ASC")).await?,
        older: next_to(connection, account_id, item, ("<", "DESC")).await?,
    })
}

/// Reads one row of the index on status and save time.
async fn next_to(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    item: &Item,
    (operator, direction): (&str, &str),
) -> Result<Option<Item>> {
    let sql = format!(
        "SELECT i.* FROM library_item i WHERE i.account_id = $1 AND i.status = '{}' \
         AND (i.saved_at, i.id) {operator} ($2, $3) \
         AND NOT EXISTS (SELECT 1 FROM library_pending_deletion d WHERE d.item_id = i.id) ORDER BY i.saved_at {direction}, i.id {direction} LIMIT 1",
        item.status.as_str()
    );
    let values: [Value; 3] = [account_id.into(), item.saved_at.into(), item.id.into()];
    let row = connection.query_one_raw(statement(connection, &sql, values)).await?;
    let row = row.map(|row| library_item::Model::from_query_result(&row, "")).transpose()?;
    Ok(row.map(|row| Item { row, tags: Vec::new() }))
}

//! Access to collections by name, for feed apps, which identify collections by name only.

use async_recursion::async_recursion as boxed;
use std::collections::HashMap;

use entities::ids::{AccountId, CollectionId, FeedId};
use entities::rss_collection::{Column, Entity};
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter};

use super::collections::{CollectionKind, NewCollection, create_in, name_key};
use kernel::statement::statement;
use kernel::{Domain, Result};

/// Returns the custom collection with this name. `None` if it does not exist.
#[boxed]
pub async fn find_collection(
    domain: &Domain,
    account_id: AccountId,
    name: &str,
) -> Result<Option<CollectionId>> {
    let row = Entity::owned_by(account_id)
        .filter(Column::NameKey.eq(name_key(name.trim())))
        .filter(Column::Kind.eq(CollectionKind::Custom.as_str()))
        .one(domain.db().read())
        .await?;
    Ok(row.map(|row| row.id))
}

/// Checks that a collection with this name exists or can be created.
///
/// # Errors
/// The errors of [`create_collection`](super::create_collection).
#[boxed]
pub async fn check_label(domain: &Domain, account_id: AccountId, name: &str) -> Result<()> {
    if find_collection(domain, account_id, name).await?.is_some() {
        return Ok(());
    }
    let transaction = domain.db().begin().await?;
    let new = NewCollection { name: name.to_owned(), ..NewCollection::default() };
    let created = create_in(&transaction, domain, account_id, new).await;
    transaction.rollback().await?;
    created.map(drop)
}

/// Returns the name of each followed feed's custom collection. Feeds in the unsorted collection are omitted.
#[boxed]
pub async fn labels(domain: &Domain, account_id: AccountId) -> Result<HashMap<FeedId, String>> {
    let connection = domain.db().read();
    let sql = "SELECT s.feed_id, c.name FROM rss_subscription s JOIN rss_collection c ON c.id = s.collection_id \
               WHERE s.account_id = $1 AND c.kind = $2";
    let values = [account_id.into(), CollectionKind::Custom.as_str().into()];
    let rows = connection.query_all_raw(statement(connection, sql, values)).await?;
    rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?))).collect()
}

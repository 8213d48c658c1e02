//! Resources whose changes an agent is notified of while it listens.

use async_recursion::async_recursion as boxed;
use entities::agent_subscription::{ActiveModel, Column, Entity};
use entities::ids::AccountId;
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};

use super::connection::ConnectionName;
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Code, Domain, Error, Millis, Result};

/// Maximum number of subscriptions of one connection.
pub const MAX_SUBSCRIPTIONS: u64 = 100;
/// Lifetime of a subscription that is not renewed.
const LIFETIME: Millis = 30 * DAY;
const EXPIRED: ExpiredRows = ExpiredRows {
    table: "agent_subscription",
    key: "account_id, connection, uri",
    condition: "subscribed_at <= $1",
};

/// Subscribes a connection to a resource, or renews the subscription.
///
/// # Errors
/// `limit_reached` if the connection has [`MAX_SUBSCRIPTIONS`].
#[boxed]
pub async fn subscribe(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    uri: &str,
) -> Result<()> {
    let others = Entity::owned_by(account_id)
        .filter(Column::Connection.eq(connection.as_str()))
        .filter(Column::SubscribedAt.gt(domain.now() - LIFETIME))
        .filter(Column::Uri.ne(uri));
    if others.count(domain.db().write()).await? >= MAX_SUBSCRIPTIONS {
        let message = format!("A connection can subscribe to {MAX_SUBSCRIPTIONS} resources.");
        return Err(Error::new(Code::LimitReached, message));
    }
    let row = ActiveModel {
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        uri: Set(uri.to_owned()),
        subscribed_at: Set(domain.now()),
    };
    let key = [Column::AccountId, Column::Connection, Column::Uri];
    let on_conflict = OnConflict::columns(key).update_column(Column::SubscribedAt).to_owned();
    Entity::insert(row).on_conflict(on_conflict).exec_without_returning(domain.db().write()).await?;
    Ok(())
}

/// Deletes a subscription. Succeeds if there is none.
#[boxed]
pub async fn unsubscribe(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    uri: &str,
) -> Result<()> {
    Entity::delete_many()
        .filter(Column::AccountId.eq(account_id))
        .filter(Column::Connection.eq(connection.as_str()))
        .filter(Column::Uri.eq(uri))
        .exec(domain.db().write())
        .await?;
    Ok(())
}

/// Returns the resources that a connection subscribed to, in alphabetical order.
#[boxed]
pub async fn subscriptions(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
) -> Result<Vec<String>> {
    let rows = Entity::owned_by(account_id)
        .filter(Column::Connection.eq(connection.as_str()))
        .filter(Column::SubscribedAt.gt(domain.now() - LIFETIME))
        .order_by_asc(Column::Uri)
        .limit(MAX_SUBSCRIPTIONS)
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().map(|row| row.uri).collect())
}

/// Deletes expired subscriptions, and returns their number.
pub(super) async fn delete_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[(domain.now() - LIFETIME).into()]).await
}

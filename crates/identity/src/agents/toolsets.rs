//! Sets of tools that an agent added to its list of tools. They stay in the list for a day.

use async_recursion::async_recursion as boxed;
use entities::agent_toolset;
use entities::ids::AccountId;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::connection::ConnectionName;
use kernel::clock::DAY;
use kernel::retention::ExpiredRows;
use kernel::{Domain, Millis, Result};

/// Time for which a set stays in the list.
const LIFETIME: Millis = DAY;
/// Maximum number of sets of one connection that are read.
const MAX_SETS: u64 = 20;
const EXPIRED: ExpiredRows = ExpiredRows {
    table: "agent_toolset",
    key: "account_id, connection, toolset",
    condition: "loaded_at <= $1",
};

/// Adds a set to the list of a connection.
#[boxed]
pub async fn load_toolset(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
    toolset: &str,
) -> Result<()> {
    let row = agent_toolset::ActiveModel {
        account_id: Set(account_id),
        connection: Set(connection.to_string()),
        toolset: Set(toolset.to_owned()),
        loaded_at: Set(domain.now()),
    };
    let key =
        [agent_toolset::Column::AccountId, agent_toolset::Column::Connection, agent_toolset::Column::Toolset];
    let on_conflict = OnConflict::columns(key).update_column(agent_toolset::Column::LoadedAt).to_owned();
    agent_toolset::Entity::insert(row)
        .on_conflict(on_conflict)
        .exec_without_returning(domain.db().write())
        .await?;
    Ok(())
}

/// Returns the sets that a connection loaded within the last day, in alphabetical order.
#[boxed]
pub async fn loaded_toolsets(
    domain: &Domain,
    account_id: AccountId,
    connection: &ConnectionName,
) -> Result<Vec<String>> {
    let rows = agent_toolset::Entity::owned_by(account_id)
        .filter(agent_toolset::Column::Connection.eq(connection.as_str()))
        .filter(agent_toolset::Column::LoadedAt.gt(domain.now() - LIFETIME))
        .order_by_asc(agent_toolset::Column::Toolset)
        .limit(MAX_SETS)
        .all(domain.db().read())
        .await?;
    Ok(rows.into_iter().map(|row| row.toolset).collect())
}

/// Deletes expired sets, and returns their number.
pub(super) async fn delete_expired(domain: &Domain) -> Result<u64> {
    EXPIRED.delete(domain.db().write(), &[(domain.now() - LIFETIME).into()]).await
}

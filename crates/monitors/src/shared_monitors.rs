//! Monitors that an owner shares with a team (see `identity::teams`). Members can read the name and the
//! latest changes, but no settings. Every function for members selects monitors by their membership.

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, MonitorId, TeamId};
use entities::monitor_change;
use entities::team_monitor::{Column, Entity, Model};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
};

use super::notice::Notice;
use super::rows::{self, ChangeLine, read_change_lines};
use identity::accounts;
use identity::limits::check_plan_limit;
use identity::teams::{require_access, require_owned};
use kernel::error::not_found;
use kernel::statement::{delete_existing, statement};
use kernel::{Domain, Millis, Result};

/// Maximum number of monitors that are shared with a team.
const MAX_MONITORS: u64 = 100;
/// Maximum number of changes on the page of a shared monitor.
const PAGE_CHANGES: u64 = 50;

/// Monitor that the account shares with one of its teams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMonitor {
    pub team_id: TeamId,
    pub monitor_id: MonitorId,
    pub name: String,
}

/// Monitor that another account shares with the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedMonitor {
    pub team_id: TeamId,
    pub team_name: String,
    pub owner_email: String,
    pub monitor_id: MonitorId,
    pub name: String,
    pub last_change_at: Option<Millis>,
}

/// Shared monitor with its latest changes, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedMonitorPage {
    pub name: String,
    pub changes: Vec<SharedChange>,
}

/// Change of a shared monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedChange {
    pub detected_at: Millis,
    /// Plain text on one line.
    pub title: String,
    /// Plain text on a few lines.
    pub summary: String,
}

/// Shares a monitor with a team of the account. Sharing it again changes nothing.
///
/// # Errors
/// `not_found` if the team or the monitor does not exist; `limit_reached` if the team has too many shared monitors.
#[boxed]
pub async fn share_monitor(
    domain: &Domain,
    owner_id: AccountId,
    team_id: TeamId,
    monitor_id: MonitorId,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    require_owned(&transaction, owner_id, team_id).await?;
    rows::load(&transaction, owner_id, monitor_id).await?;
    let others = Entity::owned_by(owner_id).filter(Column::TeamId.eq(team_id));
    let others = others.filter(Column::MonitorId.ne(monitor_id)).count(&transaction).await?;
    check_plan_limit("shared monitors of a team", MAX_MONITORS, others)?;
    let row = Model { team_id, account_id: owner_id, monitor_id };
    let on_conflict = OnConflict::columns([Column::TeamId, Column::MonitorId]).do_nothing().to_owned();
    Entity::insert(row.into_active_model())
        .on_conflict(on_conflict)
        .exec_without_returning(&transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Stops sharing a monitor with a team of the account.
///
/// # Errors
/// `not_found` if the monitor is not shared with the team.
#[boxed]
pub async fn unshare_monitor(
    domain: &Domain,
    owner_id: AccountId,
    team_id: TeamId,
    monitor_id: MonitorId,
) -> Result<()> {
    let row = Entity::delete_many()
        .filter(Column::AccountId.eq(owner_id))
        .filter(Column::TeamId.eq(team_id))
        .filter(Column::MonitorId.eq(monitor_id));
    delete_existing(domain.db().write(), row, "shared monitor").await
}

/// Lists the monitors that the account shares with its teams, by name.
#[boxed]
pub async fn list_team_monitors(domain: &Domain, owner_id: AccountId) -> Result<Vec<TeamMonitor>> {
    let connection = domain.db().read();
    let sql = "SELECT s.team_id, w.id, w.name FROM team_monitor s JOIN monitor w \
               ON w.id = s.monitor_id AND w.account_id = s.account_id \
               WHERE s.account_id = $1 ORDER BY w.name, w.id";
    let rows = connection.query_all_raw(statement(connection, sql, [owner_id.into()])).await?;
    let monitor = |row: &sea_orm::QueryResult| {
        Ok(TeamMonitor {
            team_id: row.try_get_by_index(0)?,
            monitor_id: row.try_get_by_index(1)?,
            name: row.try_get_by_index(2)?,
        })
    };
    rows.iter().map(monitor).collect()
}

/// Lists the monitors that other accounts share with the account, by team and name.
#[boxed]
pub async fn list_shared_monitors(domain: &Domain, member_id: AccountId) -> Result<Vec<SharedMonitor>> {
    let connection = domain.db().read();
    let sql = "SELECT t.id, t.name, a.email, w.id, w.name, w.last_change_at FROM team_member m \
               JOIN team t ON t.id = m.team_id JOIN account a ON a.id = t.account_id \
               JOIN team_monitor s ON s.team_id = t.id AND s.account_id = t.account_id \
               JOIN monitor w ON w.id = s.monitor_id AND w.account_id = s.account_id \
               WHERE m.account_id = $1 AND a.disabled_at IS NULL ORDER BY t.name, t.id, w.name, w.id";
    let rows = connection.query_all_raw(statement(connection, sql, [member_id.into()])).await?;
    let monitor = |row: &sea_orm::QueryResult| {
        Ok(SharedMonitor {
            team_id: row.try_get_by_index(0)?,
            team_name: row.try_get_by_index(1)?,
            owner_email: row.try_get_by_index(2)?,
            monitor_id: row.try_get_by_index(3)?,
            name: row.try_get_by_index(4)?,
            last_change_at: row.try_get_by_index(5)?,
        })
    };
    rows.iter().map(monitor).collect()
}

/// Returns a monitor that is shared with the account, with its latest changes. Notices about the monitor are
/// not shared.
///
/// # Errors
/// `not_found` if the account is not a member of the team, or the monitor is not shared with the team.
#[boxed]
pub async fn view_shared_monitor(
    domain: &Domain,
    member_id: AccountId,
    team_id: TeamId,
    monitor_id: MonitorId,
) -> Result<SharedMonitorPage> {
    let connection = domain.db().read();
    let access = require_access(connection, member_id, team_id).await?;
    let shared = Entity::owned_by(access.owner_id)
        .filter(Column::TeamId.eq(team_id))
        .filter(Column::MonitorId.eq(monitor_id))
        .one(connection)
        .await?;
    shared.ok_or_else(|| not_found("shared monitor"))?;
    let row = rows::load(connection, access.owner_id, monitor_id).await?;
    let changes = monitor_change::Entity::owned_by(access.owner_id)
        .filter(monitor_change::Column::MonitorId.eq(monitor_id))
        .filter(monitor_change::Column::Kind.is_not_in(Notice::KINDS))
        .order_by_desc(monitor_change::Column::Id);
    let lines = read_change_lines(connection, changes, PAGE_CHANGES).await?;
    let change =
        |(_, _, _, detected_at, title, summary): ChangeLine| SharedChange { detected_at, title, summary };
    Ok(SharedMonitorPage { name: row.name, changes: lines.into_iter().map(change).collect() })
}

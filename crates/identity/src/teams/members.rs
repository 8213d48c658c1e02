//! Teams that an account owns, with their members, and memberships of an account in other teams.

use std::collections::HashMap;

use async_recursion::async_recursion as boxed;
use entities::ids::{AccountId, TeamId};
use entities::team::{self, Column, Entity};
use entities::team_member::{self, TeamRole};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait,
    QueryFilter, QueryOrder,
};

use super::access::require_owned;
use super::invitations::{self, TeamInvitation};
use crate::accounts;
use crate::limits::check_plan_limit;
use kernel::error::not_found;
use kernel::statement::{delete_existing, statement};
use kernel::tag::Tag;
use kernel::{Domain, Error, Millis, Result};

/// Maximum number of teams that an account owns.
const MAX_TEAMS: u64 = 10;
/// Maximum length of the name of a team, in code points.
pub const MAX_NAME_CHARS: usize = 60;

/// Team, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    pub id: TeamId,
    pub name: String,
    /// Members other than the owner, in the order of joining.
    pub members: Vec<TeamMember>,
    /// Pending invitations, oldest first.
    pub invitations: Vec<TeamInvitation>,
    pub created_at: Millis,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamMember {
    pub account_id: AccountId,
    pub email: String,
    pub role: TeamRole,
    pub joined_at: Millis,
}

/// Membership of an account in a team of another account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    pub team_id: TeamId,
    pub team_name: String,
    pub owner_email: String,
    pub role: TeamRole,
    pub joined_at: Millis,
}

/// Lists the teams that the account owns, oldest first.
#[boxed]
pub async fn list_teams(domain: &Domain, owner_id: AccountId) -> Result<Vec<Team>> {
    let connection = domain.db().read();
    let rows = Entity::owned_by(owner_id).order_by_asc(Column::Id).all(connection).await?;
    let sql = "SELECT m.team_id, m.account_id, a.email, m.role, m.joined_at FROM team t \
               JOIN team_member m ON m.team_id = t.id JOIN account a ON a.id = m.account_id \
               WHERE t.account_id = $1 ORDER BY m.joined_at, m.account_id";
    let mut members: HashMap<TeamId, Vec<TeamMember>> = HashMap::new();
    for row in connection.query_all_raw(statement(connection, sql, [owner_id.into()])).await? {
        members.entry(row.try_get_by_index(0)?).or_default().push(TeamMember {
            account_id: row.try_get_by_index(1)?,
            email: row.try_get_by_index(2)?,
            role: row.try_get_by_index(3)?,
            joined_at: row.try_get_by_index(4)?,
        });
    }
    let mut invitations: HashMap<TeamId, Vec<TeamInvitation>> = HashMap::new();
    for invitation in invitations::pending(domain, owner_id).await? {
        invitations.entry(invitation.team_id).or_default().push(invitation);
    }
    let team = |row: team::Model| Team {
        id: row.id,
        name: row.name,
        members: members.remove(&row.id).unwrap_or_default(),
        invitations: invitations.remove(&row.id).unwrap_or_default(),
        created_at: row.created_at,
    };
    Ok(rows.into_iter().map(team).collect())
}

/// Returns one of the teams that the account owns.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn get_team(domain: &Domain, owner_id: AccountId, id: TeamId) -> Result<Team> {
    let teams = list_teams(domain, owner_id).await?;
    teams.into_iter().find(|team| team.id == id).ok_or_else(|| not_found("team"))
}

/// Creates a team without members.
///
/// # Errors
/// `invalid_request` for an unacceptable name; `limit_reached`.
#[boxed]
pub async fn create_team(domain: &Domain, owner_id: AccountId, name: &str) -> Result<Team> {
    // As the name of a tag, the name is one line without control characters.
    let name = Tag::of_name(name)?.name;
    if name.chars().count() > MAX_NAME_CHARS {
        let reason = format!("must have at most {MAX_NAME_CHARS} characters");
        return Err(Error::invalid_field("name", reason));
    }
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    let used = Entity::owned_by(owner_id).count(&transaction).await?;
    check_plan_limit("teams", MAX_TEAMS, used)?;
    let row = team::Model { id: domain.new_id(), account_id: owner_id, name, created_at: domain.now() };
    Entity::insert(row.clone().into_active_model()).exec_without_returning(&transaction).await?;
    transaction.commit().await?;
    let (members, invitations) = (Vec::new(), Vec::new());
    Ok(Team { id: row.id, name: row.name, members, invitations, created_at: row.created_at })
}

/// Deletes a team with its memberships, invitations, and shares. Shared objects stay with the owner.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn delete_team(domain: &Domain, owner_id: AccountId, id: TeamId) -> Result<()> {
    let row = Entity::delete_many().filter(Column::AccountId.eq(owner_id)).filter(Column::Id.eq(id));
    delete_existing(domain.db().write(), row, "team").await
}

/// Removes a member from a team of the account, and revokes the invitations that were mailed to the member. An
/// account that removes itself leaves the team.
///
/// # Errors
/// `not_found` if the team or the member does not exist.
#[boxed]
pub async fn remove_member(
    domain: &Domain,
    account_id: AccountId,
    team_id: TeamId,
    member_id: AccountId,
) -> Result<()> {
    if account_id == member_id {
        return leave_team(domain, account_id, team_id).await;
    }
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, account_id).await?;
    require_owned(&transaction, account_id, team_id).await?;
    delete_membership(&transaction, member_id, team_id, "member").await?;
    invitations::revoke_mailed(&transaction, account_id, (team_id, member_id)).await?;
    transaction.commit().await?;
    Ok(())
}

/// Leaves a team of another account.
///
/// # Errors
/// `not_found`.
#[boxed]
pub async fn leave_team(domain: &Domain, account_id: AccountId, team_id: TeamId) -> Result<()> {
    delete_membership(domain.db().write(), account_id, team_id, "team").await
}

async fn delete_membership(
    connection: &impl ConnectionTrait,
    member_id: AccountId,
    team_id: TeamId,
    what: &str,
) -> Result<()> {
    let row = team_member::Entity::delete_many()
        .filter(team_member::Column::AccountId.eq(member_id))
        .filter(team_member::Column::TeamId.eq(team_id));
    delete_existing(connection, row, what).await
}

/// Changes the role of a member of a team of the account, and revokes the invitations that were mailed to the member,
/// because they grant the previous role.
///
/// # Errors
/// `not_found` if the team or the member does not exist.
#[boxed]
pub async fn set_role(
    domain: &Domain,
    owner_id: AccountId,
    (team_id, member_id): (TeamId, AccountId),
    role: TeamRole,
) -> Result<()> {
    let transaction = domain.db().begin().await?;
    accounts::lock(&transaction, owner_id).await?;
    require_owned(&transaction, owner_id, team_id).await?;
    let result = team_member::Entity::update_many()
        .set(team_member::ActiveModel { role: Set(role), ..Default::default() })
        .filter(team_member::Column::AccountId.eq(member_id))
        .filter(team_member::Column::TeamId.eq(team_id))
        .exec(&transaction)
        .await?;
    if result.rows_affected == 0 {
        return Err(not_found("member"));
    }
    invitations::revoke_mailed(&transaction, owner_id, (team_id, member_id)).await?;
    transaction.commit().await?;
    Ok(())
}

/// Lists the memberships of the account, sorted by the name of the team. Teams of disabled owners are omitted.
#[boxed]
pub async fn list_memberships(domain: &Domain, account_id: AccountId) -> Result<Vec<Membership>> {
    let connection = domain.db().read();
    let sql = "SELECT t.id, t.name, a.email, m.role, m.joined_at FROM team_member m \
               JOIN team t ON t.id = m.team_id JOIN account a ON a.id = t.account_id \
               WHERE m.account_id = $1 AND a.disabled_at IS NULL ORDER BY t.name, t.id";
    let rows = connection.query_all_raw(statement(connection, sql, [account_id.into()])).await?;
    let membership = |row: &sea_orm::QueryResult| {
        Ok(Membership {
            team_id: row.try_get_by_index(0)?,
            team_name: row.try_get_by_index(1)?,
            owner_email: row.try_get_by_index(2)?,
            role: row.try_get_by_index(3)?,
            joined_at: row.try_get_by_index(4)?,
        })
    };
    rows.iter().map(membership).collect()
}

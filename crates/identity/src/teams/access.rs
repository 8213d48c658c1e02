//! Access to teams: the owner's row, and the membership of another account.

use entities::ids::{AccountId, TeamId};
use entities::team;
use entities::team_member::TeamRole;
use sea_orm::{ColumnTrait, ConnectionTrait, QueryFilter, Value};

use crate::limits::AccountLimits;
use crate::limits::window::{Counter, RatePolicy};
use kernel::error::not_found;
use kernel::statement::statement;
use kernel::{Code, Domain, Error, Result};

/// Rate limit for adding pages to the shared tags of a team, or removing them, per member.
const CONTRIBUTIONS: [RatePolicy; 1] = [RatePolicy::sliding("team-pages", 60, 3_600)];

/// Membership of an account in a team, at the time of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamAccess {
    pub team_id: TeamId,
    pub owner_id: AccountId,
    pub role: TeamRole,
}

impl TeamAccess {
    /// Checks that the member may change shared tags.
    ///
    /// # Errors
    /// `editor_required`.
    pub fn require_editor(self) -> Result<()> {
        match self.role {
            TeamRole::Editor => Ok(()),
            TeamRole::Reader => {
                let message = "You can read this tag, but not change it. Ask the owner of the team.";
                Err(Error::new(Code::EditorRequired, message))
            }
        }
    }
}

/// Returns the team if the account owns it.
///
/// # Errors
/// `not_found`.
pub async fn require_owned(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    id: TeamId,
) -> Result<team::Model> {
    let row = team::Entity::owned_by(account_id).filter(team::Column::Id.eq(id)).one(connection).await?;
    row.ok_or_else(|| not_found("team"))
}

/// Returns the membership of an account in a team whose owner is not disabled.
///
/// # Errors
/// `not_found`.
pub async fn require_access(
    connection: &impl ConnectionTrait,
    account_id: AccountId,
    team_id: TeamId,
) -> Result<TeamAccess> {
    let sql = "SELECT t.account_id, m.role FROM team_member m JOIN team t ON t.id = m.team_id \
               JOIN account a ON a.id = t.account_id \
               WHERE m.account_id = $1 AND m.team_id = $2 AND a.disabled_at IS NULL";
    let values: [Value; 2] = [account_id.into(), team_id.into()];
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    let row = row.ok_or_else(|| not_found("team"))?;
    Ok(TeamAccess { team_id, owner_id: row.try_get_by_index(0)?, role: row.try_get_by_index(1)? })
}

/// Charges a member for a page that it adds to a shared tag or removes from it.
///
/// # Errors
/// `rate_limited`.
pub async fn charge_contribution(domain: &Domain, member_id: AccountId, team_id: TeamId) -> Result<()> {
    let counter =
        Counter { key: format!("team-pages:{team_id}:{member_id}"), policies: CONTRIBUTIONS.to_vec() };
    let charges = domain.limits().windows().check_each(vec![counter], domain.now()).await;
    match charges.refusal() {
        Some(refusal) => {
            let message = "You changed many pages of this team within an hour. Try again later.";
            Err(Error::new(Code::RateLimited, message).retry_after(refusal.retry_after()))
        }
        None => Ok(()),
    }
}

//! Invitations to teams that have not been accepted yet. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use super::team_member::TeamRole;
use crate::ids::{AccountId, TeamId, TeamInvitationId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team_invitation")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: TeamInvitationId,
    pub team_id: TeamId,
    /// Owner of the team.
    pub account_id: AccountId,
    /// Role of the new member.
    pub role: TeamRole,
    /// Address to which the link is mailed. Null if the owner passes the link on.
    pub email: Option<String>,
    pub created_at: i64,
    pub expires_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the invitations to the teams of an account.");

impl ActiveModelBehavior for ActiveModel {}

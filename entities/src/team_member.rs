//! Members of teams. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, TeamId};

/// Role of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum TeamRole {
    /// Reads what the team shares.
    #[default]
    #[sea_orm(string_value = "reader")]
    Reader,
    /// Can also add pages to shared tags and remove them.
    #[sea_orm(string_value = "editor")]
    Editor,
}

impl TeamRole {
    pub const ALL: &'static [Self] = &[Self::Reader, Self::Editor];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Editor => "editor",
        }
    }

    /// Parses the name of a role.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.as_str() == word)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "team_member")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub team_id: TeamId,
    /// Account of the member.
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    pub role: TeamRole,
    pub joined_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the memberships of an account.");

impl ActiveModelBehavior for ActiveModel {}

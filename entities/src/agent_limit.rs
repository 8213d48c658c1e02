//! Daily limits on the tool calls of agents, set by the owners of the agents' credentials.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_limit")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub connection: String,
    /// Maximum number of calls in a UTC calendar day.
    pub calls_per_day: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all limits on the agents of an account.");

impl ActiveModelBehavior for ActiveModel {}

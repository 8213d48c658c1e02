//! Calls of agents that wait for approval. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_approval")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub connection: String,
    /// SHA-256 of the tool and all its arguments, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub call_hash: String,
    /// Name of the called tool.
    pub tool: String,
    /// Arguments as JSON, shortened if they are long.
    pub arguments: String,
    pub requested_at: i64,
    /// Null until the owner approves the call.
    pub approved_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all calls of an account that wait for approval.");

impl ActiveModelBehavior for ActiveModel {}

//! Log of agents' tool calls. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, AgentCallId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_call")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: AgentCallId,
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    pub connection: String,
    /// Name of the tool.
    pub tool: String,
    /// Object that the call concerns, as the agent sent it. Empty if the call concerns no object.
    pub target: String,
    /// `done`, or the code of the error.
    pub outcome: String,
    pub called_at: i64,
    /// Inverse operation as JSON. Null if there is none, or if it was deleted because of newer calls.
    pub undo: Option<String>,
    /// Time at which the owner undid the call.
    pub undone_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all logged calls of an account.");

impl ActiveModelBehavior for ActiveModel {}

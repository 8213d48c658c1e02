//! Sets of tools that agents added to their lists. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_toolset")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub connection: String,
    /// Name of the set.
    #[sea_orm(primary_key, auto_increment = false)]
    pub toolset: String,
    pub loaded_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all loaded tool sets of an account.");

impl ActiveModelBehavior for ActiveModel {}

//! Tools that an agent may call only with approval, as chosen by the owner.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_approval_rule")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub connection: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub tool: String,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all approval rules of an account.");

impl ActiveModelBehavior for ActiveModel {}

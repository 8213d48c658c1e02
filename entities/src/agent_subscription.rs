//! Resources about whose changes agents are notified. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_subscription")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Credential of the agent: `key:` or `grant:` and its id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub connection: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub uri: String,
    pub subscribed_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects all subscriptions of an account's agents.");

impl ActiveModelBehavior for ActiveModel {}

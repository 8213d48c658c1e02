//! Accounts whose items are indexed for the search by meaning. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "model_item_index")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    /// Time at which the index is updated next.
    pub due_at: i64,
    /// Number of consecutive failed updates.
    pub failures: i32,
    /// Error code of the last update, if it failed.
    pub reason: Option<String>,
    /// True if the plan does not allow as many passages as the items have.
    pub is_full: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the row of an account.");

impl ActiveModelBehavior for ActiveModel {}

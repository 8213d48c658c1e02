//! Dry runs of feed changes that may be committed, and committed changes. Times are milliseconds since the
//! Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_commit")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub account_id: AccountId,
    pub token_hash: Vec<u8>,
    /// Name of the operation.
    pub op: String,
    /// Arguments of the operation, as JSON.
    pub asked: String,
    /// Changes that the operation would have made at the time of the dry run, as JSON.
    pub plan: String,
    /// Result, as JSON. Null until the change is committed.
    pub result: Option<String>,
    /// Time until which the change can be committed.
    pub expires_at: i64,
    pub committed_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the dry runs and committed feed changes of an account.");

impl ActiveModelBehavior for ActiveModel {}

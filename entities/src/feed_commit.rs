//! Changes that were tried and may be committed, and those that were. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::AccountId;

/// One row of `feed_commit`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "feed_commit")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// The owner.
    pub account_id: AccountId,
    /// SHA-256 of the token.
    pub token_hash: Vec<u8>,
    /// What is done.
    pub op: String,
    /// JSON text of what was asked for.
    pub asked: String,
    /// JSON text of what it would have touched then.
    pub plan: String,
    /// JSON text of what came of it; none before it is committed.
    pub result: Option<String>,
    /// Until when it can be committed.
    pub expires_at: i64,
    /// When it was.
    pub committed_at: Option<i64>,
}

/// The owner is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The changes of an account that were tried.");

impl ActiveModelBehavior for ActiveModel {}

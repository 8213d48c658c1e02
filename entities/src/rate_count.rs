//! Counters of rate limits, for processes that share a database but no Redis.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rate_count")]
pub struct Model {
    /// Caller and limit that the counters belong to.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Version for optimistic locking: a write based on an older version has no effect.
    pub version: i64,
    /// Counters, as JSON.
    pub state: String,
    /// Time from which the counters have no effect.
    pub dead_from: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

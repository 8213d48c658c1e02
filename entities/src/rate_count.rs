//! What is counted under one key of the limits, where processes share a database and nothing else.

use sea_orm::entity::prelude::*;

/// A row of `rate_count`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "rate_count")]
pub struct Model {
    /// Who is counted, and for what.
    #[sea_orm(primary_key, auto_increment = false)]
    pub key: String,
    /// Counts writes: who read an older one writes nothing.
    pub version: i64,
    /// The counts, as JSON.
    pub state: String,
    /// From when on nothing of it counts.
    pub dead_from: i64,
}

/// It stands alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

//! Addresses of monitors' feeds that were ever given out. They outlive their monitors, so that a feed that
//! ended can say so. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::MonitorId;

/// One row of `monitor_feed`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_feed")]
pub struct Model {
    /// SHA-256 of the secret part of the address, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: String,
    /// The monitor, whether it is still there or not.
    pub monitor_id: MonitorId,
    /// When the address was given out.
    pub given_at: i64,
}

/// The monitor is named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

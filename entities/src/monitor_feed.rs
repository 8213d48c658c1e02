//! All feed URLs that were ever issued for monitors and groups. They outlive the monitor or group, so that
//! requests for a deleted feed are answered with 410. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::MonitorId;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_feed")]
pub struct Model {
    /// SHA-256 of the secret part of the URL, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: String,
    /// Monitor, which may have been deleted; for the page of a group, the id of the group.
    pub monitor_id: MonitorId,
    /// Time at which the URL was issued.
    pub given_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

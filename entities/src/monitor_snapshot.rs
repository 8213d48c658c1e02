//! Contents that web monitors saw, each once for a monitor. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId};

/// One row of `monitor_snapshot`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_snapshot")]
pub struct Model {
    /// The owner.
    pub account_id: AccountId,
    /// The monitor.
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
    /// SHA-256 of the content, as hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    /// The content as the watcher encodes it.
    pub content: Vec<u8>,
    /// When it was last seen.
    pub seen_at: i64,
}

/// Owner and monitor are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The contents that an account's monitors saw.");

impl ActiveModelBehavior for ActiveModel {}

//! Contents observed by monitors, deduplicated per monitor. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_snapshot")]
pub struct Model {
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
    /// SHA-256 of the content, in hex.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    /// Content, encoded by `extract::watch`.
    pub content: Vec<u8>,
    /// Time of the last observation with this content.
    pub seen_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the snapshots of an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}

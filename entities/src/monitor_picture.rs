//! Screenshots of visual monitors, each with the hash of the snapshot that was read from it. Times are milliseconds
//! since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_picture")]
pub struct Model {
    pub account_id: AccountId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub monitor_id: MonitorId,
    /// Hash of the snapshot.
    #[sea_orm(primary_key, auto_increment = false)]
    pub hash: String,
    /// Blob key of the PNG.
    pub blob: String,
    pub size_bytes: i64,
    pub stored_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the screenshots of an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}

//! Changes detected by monitors. Append-only. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_change")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ChangeId,
    pub account_id: AccountId,
    pub monitor_id: MonitorId,
    /// Run that detected the change. All zero for a notice about the monitor itself.
    pub run_id: MonitorRunId,
    /// Time of detection.
    pub detected_at: i64,
    /// `added`, `changed`, or `removed`; `stopped`, `waiting`, or `failing` for a notice about the monitor itself.
    pub kind: String,
    /// URL of the changed source.
    pub url: String,
    /// Title: one line of plain text.
    pub title: String,
    /// Summary: a few lines of plain text.
    pub summary: String,
    /// Diff operations as JSON, compressed with zstd.
    pub operations: Vec<u8>,
    /// Snapshot before the change.
    pub before_hash: Option<String>,
    /// Snapshot after the change.
    pub after_hash: Option<String>,
    /// Time of the previous observation.
    pub previous_look_at: Option<i64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the changes detected by an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}

//! Runs of monitors, written when they end. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId, MonitorRunId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_run")]
pub struct Model {
    /// UUID version 7, created when the run was submitted.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MonitorRunId,
    pub account_id: AccountId,
    pub monitor_id: MonitorId,
    /// Due time; unique within the monitor.
    pub due_at: i64,
    pub started_at: i64,
    pub finished_at: i64,
    /// `baseline`, `unchanged`, `changed` or `error`.
    pub outcome: String,
    /// Blocks, URLs, or items that were added.
    pub added: i32,
    /// Blocks, URLs, or items that were removed.
    pub removed: i32,
    /// Blocks, URLs, or items that were modified.
    pub modified: i32,
    /// Credits charged for the run.
    pub credits: i32,
    pub error_code: Option<String>,
    /// Warnings about the observation, as a JSON list of codes.
    pub warnings: Option<String>,
    /// Observed snapshot.
    pub content_hash: Option<String>,
    /// Reason why the run reported a change or no change. Null for runs from before decisions were stored.
    pub decision: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the runs of an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}

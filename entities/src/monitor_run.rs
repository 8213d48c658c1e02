//! Runs of web monitors, written when they end. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, MonitorId, MonitorRunId};

/// One row of `monitor_run`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_run")]
pub struct Model {
    /// UUID version 7, made when the run was asked for.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: MonitorRunId,
    /// The owner.
    pub account_id: AccountId,
    /// The monitor.
    pub monitor_id: MonitorId,
    /// When it was due: unique within the monitor.
    pub due_at: i64,
    /// When it began.
    pub started_at: i64,
    /// When it ended.
    pub finished_at: i64,
    /// `baseline`, `unchanged`, `changed` or `error`.
    pub outcome: String,
    /// Blocks, addresses or items that were not there before.
    pub added: i32,
    /// Those that are gone.
    pub removed: i32,
    /// Those that are different now.
    pub modified: i32,
    /// What it cost.
    pub credits: i32,
    /// Stable word of what went wrong.
    pub error_code: Option<String>,
    /// What a person should know of what was seen, by its words: a JSON list.
    pub warnings: Option<String>,
    /// The snapshot that it saw.
    pub content_hash: Option<String>,
}

/// Owner and monitor are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The runs of an account's monitors.");

impl ActiveModelBehavior for ActiveModel {}

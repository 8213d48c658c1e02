//! Changes that web monitors found. Never changed. Times are milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, ChangeId, MonitorId, MonitorRunId};

/// One row of `monitor_change`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "monitor_change")]
pub struct Model {
    /// UUID version 7.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: ChangeId,
    /// The owner.
    pub account_id: AccountId,
    /// The monitor.
    pub monitor_id: MonitorId,
    /// The run that found it; all zero for a notice of the monitor itself.
    pub run_id: MonitorRunId,
    /// When it was found.
    pub detected_at: i64,
    /// `added`, `changed` or `removed`; of the monitor itself `stopped` or `waiting`.
    pub kind: String,
    /// Where it was found.
    pub url: String,
    /// One plain line.
    pub title: String,
    /// A few plain lines.
    pub summary: String,
    /// The operations that make it up: JSON, compressed with zstd.
    pub operations: Vec<u8>,
    /// The snapshot before.
    pub before_hash: Option<String>,
    /// The snapshot after.
    pub after_hash: Option<String>,
    /// When the source was looked at before.
    pub previous_look_at: Option<i64>,
}

/// Owner, monitor and run are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The changes that an account's monitors found.");

impl ActiveModelBehavior for ActiveModel {}

//! Ledger of monitor credits: every allowance, grant, and charge. Append-only. Times are milliseconds since
//! the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CreditEntryId, MonitorId, MonitorRunId};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credit_entry")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: CreditEntryId,
    pub account_id: AccountId,
    /// Month in UTC, as in 202611.
    pub month: i32,
    /// `allowance`, `grant` or `run`.
    pub kind: String,
    /// Positive if credits are given, negative if they are charged.
    pub amount: i64,
    /// Charged run; unique.
    pub run_id: Option<MonitorRunId>,
    /// Monitor of the run.
    pub monitor_id: Option<MonitorId>,
    /// Reason given by an operator.
    pub note: Option<String>,
    pub made_at: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("Selects the ledger entries of an account.");

impl ActiveModelBehavior for ActiveModel {}

//! The ledger of monitor credits: every allowance, grant and charge, never changed. Times are
//! milliseconds since the Unix epoch.

use sea_orm::entity::prelude::*;

use crate::ids::{AccountId, CreditEntryId, MonitorId, MonitorRunId};

/// One row of `credit_entry`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "credit_entry")]
pub struct Model {
    /// Counts from 1.
    #[sea_orm(primary_key)]
    pub id: CreditEntryId,
    /// The owner.
    pub account_id: AccountId,
    /// UTC, as in 202611.
    pub month: i32,
    /// `allowance`, `grant` or `run`.
    pub kind: String,
    /// Above nothing for what is given, below for what is taken.
    pub amount: i64,
    /// The run that is paid for: unique.
    pub run_id: Option<MonitorRunId>,
    /// Its monitor.
    pub monitor_id: Option<MonitorId>,
    /// Why, in an operator's words.
    pub note: Option<String>,
    /// When it was written.
    pub made_at: i64,
}

/// Owner, run and monitor are named by id alone.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

crate::owned!("The movements of an account.");

impl ActiveModelBehavior for ActiveModel {}
